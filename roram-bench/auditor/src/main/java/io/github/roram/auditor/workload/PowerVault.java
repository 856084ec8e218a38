package io.github.roram.auditor.workload;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A vault whose machine can lose power: what was appended and not synced is withheld, and then
 * lost. Of all that a power failure may leave, that is the least.
 *
 * <p>A crash, of whatever kind, closes the logs that are open: their client is dead. Thread safety:
 * safe.
 */
final class PowerVault implements ClientVault {

  private final ClientVault delegate;
  private final Set<WithheldLog> open = new HashSet<>();

  PowerVault(ClientVault delegate) {
    this.delegate = delegate;
  }

  /** The power fails. */
  synchronized void losePower() throws IOException {
    for (WithheldLog log : Set.copyOf(open)) {
      log.withheld.reset();
      log.close();
    }
  }

  /** The client dies and the machine goes on: what was appended is there. */
  synchronized void loseClient() throws IOException {
    for (WithheldLog log : Set.copyOf(open)) {
      log.close();
    }
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
  public synchronized AppendLog openLog(String name) throws IOException {
    // What another handle withholds must be seen through this one.
    for (WithheldLog log : open) {
      if (log.name.equals(name)) {
        log.handOver();
      }
    }
    WithheldLog log = new WithheldLog(name, delegate.openLog(name));
    open.add(log);
    return log;
  }

  @Override
  public List<String> logs() throws IOException {
    return delegate.logs();
  }

  @Override
  public synchronized void deleteLog(String name) throws IOException {
    for (WithheldLog log : open) {
      if (log.name.equals(name)) {
        log.withheld.reset();
      }
    }
    delegate.deleteLog(name);
  }

  private final class WithheldLog implements AppendLog {
    private final String name;
    private final AppendLog log;
    private final ByteArrayOutputStream withheld = new ByteArrayOutputStream();
    private boolean closed;

    WithheldLog(String name, AppendLog log) {
      this.name = name;
      this.log = log;
    }

    private void handOver() throws IOException {
      log.append(ByteBuffer.wrap(withheld.toByteArray()));
      withheld.reset();
    }

    private void checkOpen() throws ClosedChannelException {
      if (closed) {
        throw new ClosedChannelException();
      }
    }

    @Override
    public long bytes() throws IOException {
      synchronized (PowerVault.this) {
        return log.bytes() + withheld.size();
      }
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      synchronized (PowerVault.this) {
        checkOpen();
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        withheld.writeBytes(copy);
      }
    }

    @Override
    public void sync() throws IOException {
      synchronized (PowerVault.this) {
        checkOpen();
        handOver();
        log.sync();
      }
    }

    @Override
    public InputStream read() throws IOException {
      synchronized (PowerVault.this) {
        return new SequenceInputStream(
            log.read(), new ByteArrayInputStream(withheld.toByteArray()));
      }
    }

    @Override
    public void truncate(long bytes) throws IOException {
      synchronized (PowerVault.this) {
        checkOpen();
        handOver();
        log.truncate(bytes);
      }
    }

    @Override
    public void close() throws IOException {
      synchronized (PowerVault.this) {
        if (!closed) {
          closed = true;
          open.remove(this);
          handOver();
        }
        log.close();
      }
    }
  }
}
