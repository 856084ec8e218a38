package io.github.roram.auditor.workload;

import io.github.roram.store.AppendLog;
import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.BucketTrees;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.FilterBucketStore;
import io.github.roram.store.FilterClientVault;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a client lives. It stands between a client, one of whose threads works at a time, and its
 * store and vault: once he is dead nothing passes any more, so what another client then finds there
 * stays as it is.
 */
final class Lifeline {

  private static final long NEVER = Long.MAX_VALUE;

  /** What a dead client is told. */
  static final class Dead extends IOException {
    private static final long serialVersionUID = 1L;

    Dead() {
      super("the client was killed");
    }
  }

  private boolean dead;
  private long callsLeft = NEVER;

  /** Kills the client at the call after the next {@code calls}. */
  synchronized void killAfter(int calls) {
    callsLeft = calls;
  }

  /** Kills the client. */
  synchronized void kill() {
    dead = true;
  }

  synchronized boolean isDead() {
    return dead;
  }

  /**
   * Called before a call of the client.
   *
   * @throws Dead if the client is dead
   */
  synchronized void check() throws Dead {
    if (callsLeft-- == 0) {
      kill();
    }
    if (dead) {
      throw new Dead();
    }
  }

  /**
   * Called before a call that is not counted.
   *
   * @throws Dead if the client is dead
   */
  synchronized void checkAlive() throws Dead {
    if (dead) {
      throw new Dead();
    }
  }

  /** A store as a client has it who may die. Not to be closed: it outlives the client. */
  static final class MortalStore extends FilterBlockStore {

    private final Lifeline life;
    private final boolean countsReads;

    /**
     * Creates a store whose client can die.
     *
     * @param countsReads whether reads are counted; not if random labels decide how many there are
     */
    MortalStore(BlockStore delegate, Lifeline life, boolean countsReads) {
      super(delegate);
      this.life = life;
      this.countsReads = countsReads;
    }

    private void checkRead() throws Dead {
      if (countsReads) {
        life.check();
      } else {
        life.checkAlive();
      }
    }

    @Override
    protected UnitSink reading(ExtentBatch batch, UnitSink sink) throws IOException {
      checkRead();
      return sink;
    }

    @Override
    protected boolean letsReadsThrough() {
      return true;
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      life.check();
      delegate.write(batch, source);
    }

    @Override
    public void sync() throws IOException {
      life.check();
      delegate.sync();
    }

    @Override
    public void keepWatermark(byte[] watermark, boolean durably) throws IOException {
      life.check();
      delegate.keepWatermark(watermark, durably);
    }

    @Override
    public Optional<BucketStore> buckets(BucketTrees trees) {
      return delegate.buckets(trees).map(MortalBuckets::new);
    }

    @Override
    public void close() {
      throw new UnsupportedOperationException("the store outlives its client");
    }

    /** Its buckets, where they are objects. */
    private final class MortalBuckets extends FilterBucketStore {

      MortalBuckets(BucketStore delegate) {
        super(delegate);
      }

      @Override
      public void read(BucketRuns runs, UnitSink sink) throws IOException {
        checkRead();
        delegate.read(runs, sink);
      }

      @Override
      public void write(BucketRuns runs, UnitSource source) throws IOException {
        life.check();
        delegate.write(runs, source);
      }

      @Override
      public void discardOlder(int tree, long eviction) {
        if (!life.isDead()) {
          delegate.discardOlder(tree, eviction);
        }
      }

      @Override
      public void sync() throws IOException {
        life.check();
        delegate.sync();
      }
    }
  }

  /** A vault as a client has it who may die. */
  static final class MortalVault extends FilterClientVault {

    private final Lifeline life;

    MortalVault(ClientVault delegate, Lifeline life) {
      super(delegate);
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
      return new MortalLog(delegate.openLog(name), life);
    }

    @Override
    public Optional<Instant> savedAt(String name) throws IOException {
      life.check();
      return delegate.savedAt(name);
    }

    @Override
    public List<String> names() throws IOException {
      life.check();
      return delegate.names();
    }

    @Override
    public void confirm(boolean asks) throws IOException {
      life.check();
      delegate.confirm(asks);
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
  }

  /** A log of such a vault. */
  private record MortalLog(AppendLog delegate, Lifeline life) implements AppendLog {

    @Override
    public long bytes() throws IOException {
      life.check();
      return delegate.bytes();
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      life.check();
      delegate.append(bytes);
    }

    @Override
    public void sync() throws IOException {
      life.check();
      delegate.sync();
    }

    @Override
    public InputStream read() throws IOException {
      life.check();
      return delegate.read();
    }

    @Override
    public void truncate(long bytes) throws IOException {
      life.check();
      delegate.truncate(bytes);
    }

    @Override
    public void close() throws IOException {
      life.check();
      delegate.close();
    }
  }

  /**
   * A vault whose machine can lose power: data that was appended and not synced is withheld, and
   * then lost. A power failure can leave more than that, but not less.
   *
   * <p>A crash of any kind closes the open logs: their client is dead. Thread safety: safe.
   */
  static final class PowerVault extends FilterClientVault {

    private final Set<WithheldLog> open = new LinkedHashSet<>();

    PowerVault(ClientVault delegate) {
      super(delegate);
    }

    /** Simulates a power failure. */
    synchronized void losePower() throws IOException {
      for (WithheldLog log : List.copyOf(open)) {
        log.withheld.reset();
        log.close();
      }
    }

    /** Simulates the death of the client while the machine continues: appended data remain. */
    synchronized void loseClient() throws IOException {
      for (WithheldLog log : List.copyOf(open)) {
        log.close();
      }
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
}
