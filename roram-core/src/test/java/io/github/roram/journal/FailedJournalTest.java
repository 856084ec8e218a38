package io.github.roram.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Durability;
import io.github.roram.checkpoint.RecordId;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A generation whose sync failed may have lost records: no other may follow it. */
final class FailedJournalTest {

  private boolean failing;

  /** A vault whose logs cannot be synced when the test says so. */
  private final class FailingVault implements ClientVault {
    private final ClientVault delegate = ClientVault.inMemory();

    @Override
    public Optional<InputStream> load(String name) throws IOException {
      return delegate.load(name);
    }

    @Override
    public void save(String name, Writer writer) throws IOException {
      delegate.save(name, writer);
    }

    @Override
    public AppendLog openLog(String name) throws IOException {
      return new FailingLog(delegate.openLog(name));
    }

    @Override
    public List<String> logs() throws IOException {
      return delegate.logs();
    }

    @Override
    public void deleteLog(String name) throws IOException {
      delegate.deleteLog(name);
    }
  }

  private final class FailingLog implements AppendLog {
    private final AppendLog delegate;

    FailingLog(AppendLog delegate) {
      this.delegate = delegate;
    }

    @Override
    public long bytes() throws IOException {
      return delegate.bytes();
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      delegate.append(bytes);
    }

    @Override
    public void sync() throws IOException {
      if (failing) {
        throw new IOException("injected: sync failed");
      }
      delegate.sync();
    }

    @Override
    public InputStream read() throws IOException {
      return delegate.read();
    }

    @Override
    public void truncate(long bytes) throws IOException {
      delegate.truncate(bytes);
    }

    @Override
    public void close() throws IOException {
      delegate.close();
    }
  }

  @Test
  void noGenerationFollowsOneThatFailed() throws IOException {
    UUID store = UUID.randomUUID();
    JournalOrigin origin = new JournalOrigin(0, RecordId.random(), 1, UUID.randomUUID());
    try (MasterKey key = MasterKey.generate();
        Journal journal =
            new Journal(new FailingVault(), key, store, Durability.SYNC, 512, origin)) {
      intent(journal);
      journal.prepareNext();
      Journal.Mark mark = journal.mark(false);
      failing = true;
      assertThatThrownBy(mark::awaitDurable).hasMessageContaining("injected");
      failing = false;
      assertThat(journal.failed()).isTrue();
      assertThatThrownBy(journal::nextGeneration).hasMessageContaining("failed before");
      assertThat(journal.generation()).isZero();
      assertThat(journal.failed()).isTrue();
      journal.restart();
      assertThat(journal.failed()).isFalse();
      assertThat(journal.generation()).isEqualTo(1);
      intent(journal);
      journal.nextGeneration();
      assertThat(journal.generation()).isEqualTo(2);
    }
  }

  private static void intent(Journal journal) throws IOException {
    journal.intent(new Intent(7, 0, new int[] {1}, new int[] {2}, new int[] {3}));
  }
}
