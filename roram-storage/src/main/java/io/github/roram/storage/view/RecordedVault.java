package io.github.roram.storage.view;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterAppendLog;
import io.github.roram.store.FilterClientVault;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * A vault that records what an observer of its disk sees: which record or log changes, when, and by
 * how many bytes, but no content, which is sealed. Reads are not recorded: they happen only at an
 * opening, and have the lengths of earlier writes.
 *
 * <p>A save is recorded when it ends, with the logical time at which it began. Changes by threads
 * alongside the accesses are marked: see {@link Sight}. Failed changes are recorded, too.
 *
 * <p>Thread safety: as safe as the delegate.
 */
public final class RecordedVault extends FilterClientVault {

  private final ViewRecorder recorder;

  /** Records the changes of {@code delegate} from now on. */
  public RecordedVault(ClientVault delegate, ViewRecorder recorder) {
    super(delegate);
    this.recorder = recorder;
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    long began = recorder.accesses();
    long[] bytes = new long[1];
    try {
      delegate.save(
          name,
          out -> {
            CountedOutput counted = new CountedOutput(out);
            writer.writeTo(counted);
            counted.flush();
            bytes[0] = counted.bytes;
          });
    } finally {
      recorder.vaultSince(began, Action.SAVE, name, bytes[0]);
    }
  }

  @Override
  public AppendLog openLog(String name) throws IOException {
    recorder.vault(Action.OPEN, name, 0);
    return new RecordedLog(name, delegate.openLog(name));
  }

  @Override
  public void deleteLog(String name) throws IOException {
    recorder.vault(Action.DELETE, name, 0);
    delegate.deleteLog(name);
  }

  /** Counts what goes through. */
  private static final class CountedOutput extends FilterOutputStream {
    private long bytes;

    CountedOutput(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
      bytes++;
    }

    @Override
    public void write(byte[] buffer, int offset, int length) throws IOException {
      out.write(buffer, offset, length);
      bytes += length;
    }
  }

  private final class RecordedLog extends FilterAppendLog {
    private final String name;
    private boolean closed;

    RecordedLog(String name, AppendLog log) {
      super(log);
      this.name = name;
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      recorder.vault(Action.APPEND, name, bytes.remaining());
      delegate.append(bytes);
    }

    @Override
    public void sync() throws IOException {
      recorder.vault(Action.SYNC, name, 0);
      delegate.sync();
    }

    @Override
    public void truncate(long bytes) throws IOException {
      recorder.vault(Action.TRUNCATE, name, bytes);
      delegate.truncate(bytes);
    }

    @Override
    public void close() throws IOException {
      synchronized (this) {
        if (!closed) {
          recorder.vault(Action.CLOSE, name, 0);
        }
        closed = true;
      }
      delegate.close();
    }
  }
}
