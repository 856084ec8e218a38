package io.github.roram.storage.file;

import io.github.roram.storage.file.Alignment.BufferPool;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.threads.DaemonThreads;
import io.github.roram.threads.Futures;
import io.github.roram.threads.Uninterrupted;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads the pieces of a batch on several threads and hands them over in order, because a medium
 * that gets one request at a time spends most of its time idle.
 *
 * <p>Pieces are started in the order of the batch, in a window of a few slots. The calling thread
 * hands them over, and reads itself whenever its next piece has not arrived; helper threads read
 * ahead. While {@link ReadPace} finds that reads do not wait for a medium, no helper runs, and the
 * calling thread reuses one slot.
 *
 * <h2>Security</h2>
 *
 * The extents to read follow from the batch alone. The order of concurrent reads, and how much of a
 * failed batch was read, depend on the machine's scheduling and on the medium's speed, never on the
 * content.
 *
 * <p>Memory: {@value #WINDOW_BYTES} bytes, or two units if that is more, for the whole store,
 * allocated at the first use. Helpers end after some seconds without work.
 *
 * <p>Thread safety: safe. One batch at a time is read ahead.
 */
final class ReadAhead implements Closeable {

  /** Name of the helpers. */
  static final String THREAD_NAME = "roram-read-ahead";

  private static final int WINDOW_BYTES = 8 << 20;

  /** Number of consecutive fast reads after which no helper is called. */
  private static final int FAST_FOR_SLOW = 8;

  private final SegmentFiles files;
  private final Alignment alignment;
  private final int depth;
  private final ThreadPoolExecutor helpers;

  /** Whether a batch has the window. */
  private final AtomicBoolean taken = new AtomicBoolean();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition pieceRead = lock.newCondition();

  // All below is guarded by the lock.

  /** The one used last is used next: its memory is in the processor's cache. */
  private final ArrayDeque<ReadSlot> free;

  /** Slots of pieces begun, in the order of the batch. */
  private final ArrayDeque<ReadSlot> begun;

  private final ReadPace pace = new ReadPace(FAST_FOR_SLOW, false);
  private @Nullable Pieces pieces;
  private int piecesLeft;
  private int mostBegun;
  private int reading;
  private int helpersCalled;
  private boolean closed;

  /**
   * Creates a reader.
   *
   * @param depth most concurrent reads, at least 2, including that of the calling thread
   */
  ReadAhead(SegmentFiles files, Alignment alignment, int depth) {
    this.files = files;
    this.alignment = alignment;
    this.depth = depth;
    free = new ArrayDeque<>(2 * depth);
    begun = new ArrayDeque<>(2 * depth);
    for (int i = 0; i < 2 * depth; i++) {
      free.addLast(new ReadSlot(alignment));
    }
    helpers = DaemonThreads.pool(THREAD_NAME, depth - 1);
  }

  /** Reads a batch; false, with nothing done, if another one is being read. */
  boolean tryRead(ExtentBatch batch, UnitSink sink) throws IOException {
    if (!taken.compareAndSet(false, true)) {
      return false;
    }
    try {
      begin(batch);
      try {
        for (ReadSlot slot = awaitNext(); slot != null; slot = awaitNext()) {
          sink.accept(slot.firstUnit(), slot.units());
          giveBackFirst();
        }
      } finally {
        end();
      }
    } finally {
      taken.set(false);
    }
    return true;
  }

  private void begin(ExtentBatch batch) {
    lock.lock();
    try {
      pieces = new Pieces(batch);
      piecesLeft = pieces.left();
      int slotBytes = alignment.room(Pieces.mostBytes(batch));
      mostBegun = Math.max(2, Math.min(2 * depth, WINDOW_BYTES / slotBytes));
    } finally {
      lock.unlock();
    }
  }

  /** Returns the next piece in order, after it was read; null after the last one. */
  private @Nullable ReadSlot awaitNext() throws IOException {
    lock.lock();
    try {
      while (true) {
        ReadSlot next = begun.peekFirst();
        if (next != null && next.isDone()) {
          next.throwFailure();
          return next;
        }
        if (canBegin(1)) {
          readNext();
        } else if (next != null) {
          pieceRead.awaitUninterruptibly();
        } else {
          return null;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Frees the slot that {@link #awaitNext} returned. */
  private void giveBackFirst() {
    lock.lock();
    try {
      free.addLast(begun.removeFirst());
      callHelpers(0);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the batch: afterwards no thread uses the slots or the batch. */
  private void end() {
    lock.lock();
    try {
      pieces = null;
      while (reading > 0) {
        pieceRead.awaitUninterruptibly();
      }
      free.addAll(begun);
      begun.clear();
    } finally {
      lock.unlock();
    }
  }

  private boolean canBegin(int count) {
    return pieces != null && piecesLeft >= count && begun.size() + count <= mostBegun;
  }

  /** Begins the next piece, and reads it while the lock is free. */
  private void readNext() {
    callHelpers(1);
    Pieces next = pieces;
    if (next == null || !next.next()) {
      return;
    }
    piecesLeft--;
    reading++;
    ReadSlot slot = free.removeLast();
    slot.begin(next.firstUnit(), next.offset(), next.bytes());
    begun.addLast(slot);
    lock.unlock();
    long nanos;
    try {
      nanos = slot.read(files);
    } finally {
      lock.lock();
    }
    slot.end();
    reading--;
    pace.add(slot.bytes(), nanos);
    if (slot.hasFailed()) {
      piecesLeft = 0;
    }
    if (reading == 0 || slot.equals(begun.peekFirst())) {
      pieceRead.signal();
    }
  }

  /**
   * Calls helpers for the pieces that can be begun, but for the first {@code own}. Each one called
   * calls others: all are awake sooner than if one thread had to wake them.
   */
  private void callHelpers(int own) {
    for (int i = own + 1; i <= own + 2; i++) {
      if (closed || !pace.isSlow() || helpersCalled == depth - 1 || !canBegin(i)) {
        return;
      }
      try {
        helpers.execute(this::help);
        helpersCalled++;
      } catch (OutOfMemoryError e) {
        return; // no more threads to be had: those that run do the work
      }
    }
  }

  private void help() {
    lock.lock();
    try {
      while (canBegin(1) && pace.isSlow()) {
        readNext();
      }
    } finally {
      helpersCalled--;
      lock.unlock();
    }
  }

  /** Ends the helpers. To be called when reads fail, as the files are closed. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    helpers.shutdown();
    Uninterrupted.await(() -> helpers.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS));
  }

  /**
   * One piece that is read ahead, and the memory it is read into.
   *
   * <p>One thread reads at a time; who asks for the outcome must have seen it done.
   */
  private static final class ReadSlot {

    private final Alignment alignment;
    private ByteBuffer buffer = ByteBuffer.allocateDirect(0);
    private int firstUnit;
    private long offset;
    private int bytes;
    private boolean done;
    private @Nullable Throwable failure;

    ReadSlot(Alignment alignment) {
      this.alignment = alignment;
    }

    /** Says what to read. */
    void begin(int newFirstUnit, long newOffset, int newBytes) {
      firstUnit = newFirstUnit;
      offset = newOffset;
      bytes = newBytes;
      done = false;
      failure = null;
    }

    /** Reads, and keeps a failure for later; returns how long it took. */
    @SuppressWarnings("CatchingUnchecked")
    long read(SegmentFiles files) {
      long start = System.nanoTime();
      try {
        int room = alignment.room(bytes);
        if (buffer.capacity() < room) {
          buffer = BufferPool.allocate(alignment, room);
          start = System.nanoTime();
        }
        alignment.read(files, buffer, offset, bytes);
      } catch (Throwable e) { // whatever it is, the calling thread throws it
        failure = e;
      }
      return System.nanoTime() - start;
    }

    /** Marks the piece as read, or failed. */
    void end() {
      done = true;
    }

    boolean isDone() {
      return done;
    }

    boolean hasFailed() {
      return failure != null;
    }

    void throwFailure() throws IOException {
      Futures.rethrow(failure);
    }

    int firstUnit() {
      return firstUnit;
    }

    int bytes() {
      return bytes;
    }

    /** Returns the units that were read. */
    ByteBuffer units() {
      return buffer.order(ByteOrder.BIG_ENDIAN);
    }
  }
}
