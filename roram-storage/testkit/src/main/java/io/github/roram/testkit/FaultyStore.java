package io.github.roram.testkit;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.StoreFullException;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.List;

/**
 * A store that fails on demand: like a medium (errors, torn writes, no room left) and like an
 * adversary (flipped bits, buckets moved or rolled back).
 *
 * <p>A fault that counts calls is armed for the n-th call from now on, 1 being the next one,
 * strikes once, and replaces an armed fault of its kind. Calls without extents count too. An
 * adversary's changes affect the delegate at once and for good; they are neither counted nor hit by
 * faults.
 *
 * <p>It also checks its user's obligations: see {@link #checkClosed} and {@link #callsAfterClose}.
 * The delegate is closed on {@link #close}; {@link #shield} keeps it open, so that a store can be
 * opened again after a crash.
 *
 * <p>Thread safety: safe; calls run one after another.
 */
public final class FaultyStore extends FilterBlockStore {

  private static final long NO_LIMIT = Long.MAX_VALUE;
  private static final long NO_TEAR = -1;

  private final Countdown readFault = new Countdown();
  private final Countdown writeFault = new Countdown();
  private final Countdown syncFault = new Countdown();
  private long tornAfterBytes = NO_TEAR;
  private long roomBytes = NO_LIMIT;
  private boolean shielded;
  private boolean closed;
  private int callsAfterClose;

  /** Passes everything to {@code delegate} until a fault is armed. */
  public FaultyStore(BlockStore delegate) {
    super(delegate);
  }

  /** Makes the n-th read from now on fail; its sink receives nothing. */
  public synchronized void failNthRead(int n) {
    readFault.arm(n);
  }

  /** Makes the n-th write from now on fail; it writes nothing. */
  public synchronized void failNthWrite(int n) {
    tearNthWrite(n, 0);
  }

  /**
   * Makes the n-th write from now on fail after its first bytes.
   *
   * @param keptBytes number of bytes of the batch, in its order, that reach the store; a batch that
   *     is not longer is written wholly and still fails
   */
  public synchronized void tearNthWrite(int n, long keptBytes) {
    if (keptBytes < 0) {
      throw new IllegalArgumentException("keptBytes is " + keptBytes + ", must not be negative");
    }
    writeFault.arm(n);
    tornAfterBytes = keptBytes;
  }

  /** Makes the n-th sync from now on fail. */
  public synchronized void failNthSync(int n) {
    syncFault.arm(n);
  }

  /** Disarms the faults of reads, writes and syncs that have not struck yet. */
  public synchronized void disarm() {
    readFault.disarm();
    writeFault.disarm();
    syncFault.disarm();
  }

  /**
   * Limits the medium's room to {@code bytes} more written bytes. The write that exceeds it writes
   * what fits, then throws {@link StoreFullException}, as does every later one until {@link
   * #addRoom}.
   */
  public synchronized void fullAfter(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes is " + bytes + ", must not be negative");
    }
    roomBytes = bytes;
  }

  /** Removes the limit on the medium's room. */
  public synchronized void addRoom() {
    roomBytes = NO_LIMIT;
  }

  /** Makes {@link #close} leave the delegate open from now on. */
  public synchronized void shield() {
    shielded = true;
  }

  /**
   * Flips one stored bit.
   *
   * @param offset offset of the byte
   * @param bit number of the bit, 0 (lowest) to 7
   */
  public synchronized void flipBit(long offset, int bit) throws IOException {
    if (bit < 0 || bit > 7) {
      throw new IllegalArgumentException("bit is " + bit + ", must be 0 to 7");
    }
    byte[] content = snapshot(offset, 1);
    content[0] ^= (byte) (1 << bit);
    restore(offset, content);
  }

  /** Returns {@code bytes} stored bytes from {@code offset} on, for a later rollback. */
  public synchronized byte[] snapshot(long offset, int bytes) throws IOException {
    return RawBytes.read(delegate, offset, bytes);
  }

  /** Overwrites stored bytes from {@code offset} on, as a rollback does. */
  public synchronized void restore(long offset, byte[] content) throws IOException {
    RawBytes.write(delegate, offset, content, 0, content.length);
  }

  /** Overwrites the bytes from {@code to} on with those from {@code from} on, as a move does. */
  public synchronized void copy(long from, long to, int bytes) throws IOException {
    restore(to, snapshot(from, bytes));
  }

  /** Returns the number of calls made, and refused, after the store was closed. */
  public synchronized int callsAfterClose() {
    return callsAfterClose;
  }

  /**
   * Throws unless the store was closed and not used afterwards.
   *
   * @throws IllegalStateException if it was not closed, or was used afterwards
   */
  public synchronized void checkClosed() {
    if (!closed) {
      throw new IllegalStateException("the store was not closed");
    }
    if (callsAfterClose > 0) {
      throw new IllegalStateException(
          "the store was called " + callsAfterClose + " times after it was closed");
    }
  }

  @Override
  public synchronized void read(ExtentBatch batch, UnitSink sink) throws IOException {
    checkOpen();
    if (readFault.strikes()) {
      throw new IOException("injected: read failed, " + batch);
    }
    delegate.read(batch, sink);
  }

  @Override
  public synchronized void write(ExtentBatch batch, UnitSource source) throws IOException {
    checkOpen();
    batch.checkWithin(capacityBytes());
    if (writeFault.strikes()) {
      writeFirst(batch, source, Math.min(tornAfterBytes, batch.bytes()));
      throw new IOException("injected: write failed after " + tornAfterBytes + " bytes, " + batch);
    }
    if (batch.bytes() > roomBytes) {
      long fits = roomBytes;
      roomBytes = 0;
      writeFirst(batch, source, fits);
      throw new StoreFullException(
          "injected: no room after " + fits + " bytes, " + batch,
          new IOException("No space left on device"));
    }
    delegate.write(batch, source);
    if (roomBytes != NO_LIMIT) {
      roomBytes -= batch.bytes();
    }
  }

  @Override
  public synchronized void sync() throws IOException {
    checkOpen();
    if (syncFault.strikes()) {
      throw new IOException("injected: sync failed");
    }
    delegate.sync();
  }

  @Override
  public synchronized void keepWatermark(byte[] watermark, boolean durably) throws IOException {
    checkOpen();
    delegate.keepWatermark(watermark, durably);
  }

  @Override
  public synchronized List<byte[]> watermarks() throws IOException {
    checkOpen();
    return delegate.watermarks();
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (!shielded) {
      delegate.close();
    }
  }

  private void checkOpen() throws ClosedChannelException {
    if (closed) {
      callsAfterClose++;
      throw new ClosedChannelException();
    }
  }

  /** Writes the first bytes of a batch, which may end within a unit. */
  private void writeFirst(ExtentBatch batch, UnitSource source, long bytes) throws IOException {
    byte[] unit = new byte[batch.unitBytes()];
    long left = bytes;
    for (int extent = 0; extent < batch.extents() && left > 0; extent++) {
      for (int i = 0; i < batch.units(extent) && left > 0; i++) {
        source.fill(batch.firstUnit(extent) + i, ByteBuffer.wrap(unit));
        int kept = (int) Math.min(unit.length, left);
        long offset = batch.offset(extent) + (long) i * unit.length;
        RawBytes.write(delegate, offset, unit, 0, kept);
        left -= kept;
      }
    }
  }

  /** Strikes once, at the n-th call after it was armed. */
  private static final class Countdown {
    private int left;

    void arm(int n) {
      if (n < 1) {
        throw new IllegalArgumentException("n is " + n + ", must be at least 1, the next call");
      }
      left = n;
    }

    void disarm() {
      left = 0;
    }

    boolean strikes() {
      return left > 0 && --left == 0;
    }
  }

  /** Reads and writes single ranges of a store's bytes, regardless of units. */
  private static final class RawBytes {

    private RawBytes() {}

    static byte[] read(BlockStore store, long offset, int bytes) throws IOException {
      byte[] content = new byte[bytes];
      store.read(
          range(offset, bytes), (first, units) -> units.get(content, first, units.remaining()));
      return content;
    }

    static void write(BlockStore store, long offset, byte[] content, int from, int bytes)
        throws IOException {
      store.write(
          range(offset, bytes),
          (first, units) -> units.put(content, from + first, units.remaining()));
    }

    private static ExtentBatch range(long offset, int bytes) {
      ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, ExtentBatch.NO_TREE, 1);
      batch.add(offset, bytes);
      return batch;
    }
  }
}
