package io.github.roram.suites.crash;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterAppendLog;
import io.github.roram.store.FilterClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what is appended to the logs of a vault, and how often they are synced. */
final class CountingVault extends FilterClientVault {

  private final long syncMillis;
  private final AtomicLong appended = new AtomicLong();
  private final AtomicLong syncs = new AtomicLong();

  /**
   * Counts what goes to {@code delegate}.
   *
   * @param syncMillis how long a sync takes at least, so that callers meet in it
   */
  CountingVault(ClientVault delegate, long syncMillis) {
    super(delegate);
    this.syncMillis = syncMillis;
  }

  long appendedBytes() {
    return appended.get();
  }

  long syncs() {
    return syncs.get();
  }

  @Override
  public AppendLog openLog(String name) throws IOException {
    return new CountingLog(delegate.openLog(name));
  }

  private final class CountingLog extends FilterAppendLog {

    CountingLog(AppendLog log) {
      super(log);
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      appended.addAndGet(bytes.remaining());
      delegate.append(bytes);
    }

    @Override
    public void sync() throws IOException {
      syncs.incrementAndGet();
      try {
        Thread.sleep(syncMillis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      delegate.sync();
    }
  }
}
