package io.github.roram.object;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.suites.AtOnce;
import io.github.roram.testkit.AppendLogContract;
import io.github.roram.testkit.ClientVaultContract;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

/** {@link ObjectVault} keeps the contracts of vaults and of their logs. */
final class ObjectVaultContractTest {

  /** The vault in an engine, which each opening takes from the one before. */
  @org.jspecify.annotations.NullUnmarked // opened first
  private static final class Reopened implements ClientVault {
    private final MemoryObjects objects = new MemoryObjects();
    private ObjectVault now;

    ClientVault open() throws IOException {
      if (now == null) {
        ObjectVault.create(objects);
      } else {
        now.close();
      }
      now = ObjectVault.open(objects.another(), "test", ObjectVault.Tenancy.POLITE, new AtOnce());
      return this;
    }

    @Override
    public Optional<InputStream> load(String name) throws IOException {
      return now.load(name);
    }

    @Override
    public List<String> names() throws IOException {
      return now.names();
    }

    @Override
    public void save(String name, Writer writer) throws IOException {
      now.save(name, writer);
    }

    @Override
    public AppendLog openLog(String name) throws IOException {
      return now.openLog(name);
    }

    @Override
    public List<String> logs() throws IOException {
      return now.logs();
    }

    @Override
    public void deleteLog(String name) throws IOException {
      now.deleteLog(name);
    }
  }

  @Nested
  final class Records extends ClientVaultContract {
    private final Reopened vault = new Reopened();

    @Override
    protected ClientVault open() throws IOException {
      return vault.open();
    }
  }

  @Nested
  final class Logs extends AppendLogContract {
    private final Reopened vault = new Reopened();

    @Override
    protected ClientVault vault() throws IOException {
      return vault.open();
    }
  }
}
