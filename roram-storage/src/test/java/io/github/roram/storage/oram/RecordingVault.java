package io.github.roram.storage.oram;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes down what the disk of the client's vault sees of its logs: the length of each append, and
 * the syncs.
 */
final class RecordingVault implements ClientVault {

  private static final int SYNC = -1;

  private final ClientVault delegate;
  private final List<Integer> events = new ArrayList<>();

  RecordingVault(ClientVault delegate) {
    this.delegate = delegate;
  }

  /** Lengths of the appends so far, in order; −1 for a sync. */
  synchronized List<Integer> events() {
    return List.copyOf(events);
  }

  /** Forgets what was seen so far. */
  synchronized void clear() {
    events.clear();
  }

  private synchronized void add(int event) {
    events.add(event);
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
    return new RecordingLog(delegate.openLog(name));
  }

  @Override
  public List<String> logs() throws IOException {
    return delegate.logs();
  }

  @Override
  public void deleteLog(String name) throws IOException {
    delegate.deleteLog(name);
  }

  private final class RecordingLog implements AppendLog {
    private final AppendLog log;

    RecordingLog(AppendLog log) {
      this.log = log;
    }

    @Override
    public long bytes() throws IOException {
      return log.bytes();
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      add(bytes.remaining());
      log.append(bytes);
    }

    @Override
    public void sync() throws IOException {
      add(SYNC);
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
