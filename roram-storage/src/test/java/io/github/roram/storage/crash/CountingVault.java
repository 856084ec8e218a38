package io.github.roram.storage.crash;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what is appended to the logs of a vault, and how often they are synced. */
final class CountingVault implements ClientVault {

  private final ClientVault delegate;
  private final long syncMillis;
  private final AtomicLong appended = new AtomicLong();
  private final AtomicLong syncs = new AtomicLong();

  /**
   * Counts what goes to {@code delegate}.
   *
   * @param syncMillis how long a sync takes at least, so that callers meet in it
   */
  CountingVault(ClientVault delegate, long syncMillis) {
    this.delegate = delegate;
    this.syncMillis = syncMillis;
  }

  long appendedBytes() {
    return appended.get();
  }

  long syncs() {
    return syncs.get();
  }

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
    return new CountingLog(delegate.openLog(name));
  }

  @Override
  public List<String> logs() throws IOException {
    return delegate.logs();
  }

  @Override
  public void deleteLog(String name) throws IOException {
    delegate.deleteLog(name);
  }

  private final class CountingLog implements AppendLog {
    private final AppendLog log;

    CountingLog(AppendLog log) {
      this.log = log;
    }

    @Override
    public long bytes() throws IOException {
      return log.bytes();
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      appended.addAndGet(bytes.remaining());
      log.append(bytes);
    }

    @Override
    public void sync() throws IOException {
      syncs.incrementAndGet();
      try {
        Thread.sleep(syncMillis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      log.sync();
    }

    @Override
    public InputStream read() throws IOException {
      return log.read();
    }

    @Override
    public void truncate(long bytes) throws IOException {
      log.truncate(bytes);
    }

    @Override
    public void close() throws IOException {
      log.close();
    }
  }
}
