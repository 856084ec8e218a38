package io.github.roram.suites;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterAppendLog;
import io.github.roram.store.FilterClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes down what the disk of the client's vault sees of its logs: the length of each append, and
 * the syncs.
 */
final class RecordingVault extends FilterClientVault {

  private static final int SYNC = -1;

  private final List<Integer> events = new ArrayList<>();

  RecordingVault(ClientVault delegate) {
    super(delegate);
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
  public AppendLog openLog(String name) throws IOException {
    return new RecordingLog(delegate.openLog(name));
  }

  private final class RecordingLog extends FilterAppendLog {

    RecordingLog(AppendLog log) {
      super(log);
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      add(bytes.remaining());
      delegate.append(bytes);
    }

    @Override
    public void sync() throws IOException {
      add(SYNC);
      delegate.sync();
    }
  }
}
