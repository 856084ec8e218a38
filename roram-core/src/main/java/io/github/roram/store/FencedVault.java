package io.github.roram.store;

import io.github.roram.threads.IoCall;
import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * A vault that can be closed: later calls to it, or to a log that it opened, throw {@link
 * ClosedChannelException} and change nothing, so that the next opener has the vault alone. Closing
 * interrupts a save whose writer is still writing, and waits for any other call in progress.
 *
 * <p>Thread safety: as safe as the delegate; any thread may call {@link #close}.
 */
public final class FencedVault extends FilterClientVault implements Closeable {

  private static final int MOST_CALLS = Integer.MAX_VALUE;

  /** One permit for each call in progress; all permits once the vault is closed. */
  private final Semaphore calls = new Semaphore(MOST_CALLS);

  private final Set<FencedLog> logs = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private FencedVault(ClientVault vault) {
    super(vault);
  }

  /** Returns a vault with a fence; a vault that has one is returned as it is. */
  public static FencedVault of(ClientVault vault) {
    return vault instanceof FencedVault fenced ? fenced : new FencedVault(vault);
  }

  private void enter() throws ClosedChannelException {
    if (closed || !calls.tryAcquire()) {
      throw new ClosedChannelException();
    }
  }

  private void leave() {
    calls.release();
  }

  private <T> T fenced(IoCall<T> call) throws IOException {
    enter();
    try {
      return call.call();
    } finally {
      leave();
    }
  }

  @Override
  public Optional<InputStream> load(String name) throws IOException {
    return fenced(() -> super.load(name));
  }

  /** Saves a record; the writer may take any time, since closing does not wait for it. */
  @Override
  public void save(String name, Writer writer) throws IOException {
    enter();
    CutOffWriter cutOff = new CutOffWriter(writer);
    try {
      super.save(name, cutOff);
    } finally {
      if (cutOff.isInside) {
        leave();
      }
    }
  }

  @Override
  public AppendLog openLog(String name) throws IOException {
    return fenced(
        () -> {
          FencedLog log = new FencedLog(super.openLog(name));
          logs.add(log);
          return log;
        });
  }

  @Override
  public List<String> names() throws IOException {
    return fenced(super::names);
  }

  @Override
  public List<String> logs() throws IOException {
    return fenced(super::logs);
  }

  @Override
  public void deleteLog(String name) throws IOException {
    enter();
    try {
      super.deleteLog(name);
    } finally {
      leave();
    }
  }

  /** Closes this vault and the logs that are open. */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    calls.acquireUninterruptibly(MOST_CALLS);
    IOException failure = null;
    for (FencedLog log : logs) {
      try {
        log.end();
      } catch (IOException e) {
        failure = e;
      }
    }
    logs.clear();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public String toString() {
    return delegate.toString();
  }

  /** Runs outside the fence while it writes; afterwards the save is inside the fence, or fails. */
  private final class CutOffWriter implements Writer {
    private final Writer writer;
    private boolean isInside = true;

    CutOffWriter(Writer writer) {
      this.writer = writer;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      isInside = false;
      leave();
      writer.writeTo(new CutOffStream(out));
      enter();
      isInside = true;
    }
  }

  private final class CutOffStream extends FilterOutputStream {

    CutOffStream(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int value) throws IOException {
      checkOpen();
      out.write(value);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      checkOpen();
      out.write(bytes, from, count);
    }

    private void checkOpen() throws ClosedChannelException {
      if (closed) {
        throw new ClosedChannelException();
      }
    }
  }

  private final class FencedLog extends FilterAppendLog {

    FencedLog(AppendLog log) {
      super(log);
    }

    @Override
    public long bytes() throws IOException {
      return fenced(super::bytes);
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      enter();
      try {
        delegate.append(bytes);
      } finally {
        leave();
      }
    }

    @Override
    public void sync() throws IOException {
      enter();
      try {
        delegate.sync();
      } finally {
        leave();
      }
    }

    @Override
    public InputStream read() throws IOException {
      return fenced(super::read);
    }

    @Override
    public void truncate(long bytes) throws IOException {
      enter();
      try {
        delegate.truncate(bytes);
      } finally {
        leave();
      }
    }

    /** Does nothing once the vault is closed, which has closed the log. */
    @Override
    public void close() throws IOException {
      if (closed || !calls.tryAcquire()) {
        return;
      }
      try {
        end();
        logs.remove(this);
      } finally {
        leave();
      }
    }

    private void end() throws IOException {
      delegate.close();
    }

    @Override
    public String toString() {
      return delegate.toString();
    }
  }
}
