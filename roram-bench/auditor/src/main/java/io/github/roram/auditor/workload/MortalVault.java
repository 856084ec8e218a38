package io.github.roram.auditor.workload;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** A vault as a client has it who may die. */
final class MortalVault implements ClientVault {

  private final ClientVault delegate;
  private final Lifeline life;

  MortalVault(ClientVault delegate, Lifeline life) {
    this.delegate = delegate;
    this.life = life;
  }

  @Override
  public Optional<InputStream> load(String name) throws IOException {
    life.check();
    return delegate.load(name);
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    life.check();
    delegate.save(name, writer);
  }

  @Override
  public AppendLog openLog(String name) throws IOException {
    life.check();
    return new MortalLog(delegate.openLog(name));
  }

  @Override
  public List<String> logs() throws IOException {
    life.check();
    return delegate.logs();
  }

  @Override
  public void deleteLog(String name) throws IOException {
    life.check();
    delegate.deleteLog(name);
  }

  /** A log of the vault. */
  private final class MortalLog implements AppendLog {
    private final AppendLog log;

    MortalLog(AppendLog log) {
      this.log = log;
    }

    @Override
    public long bytes() throws IOException {
      life.check();
      return log.bytes();
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      life.check();
      log.append(bytes);
    }

    @Override
    public void sync() throws IOException {
      life.check();
      log.sync();
    }

    @Override
    public InputStream read() throws IOException {
      life.check();
      return log.read();
    }

    @Override
    public void truncate(long bytes) throws IOException {
      life.check();
      log.truncate(bytes);
    }

    @Override
    public void close() throws IOException {
      life.check();
      log.close();
    }
  }
}
