package io.github.roram.storage.file;

import io.github.roram.storage.file.Alignment.BufferPool;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSource;
import io.github.roram.threads.DaemonThreads;
import io.github.roram.threads.Futures;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes batches in whole blocks of the medium, past the page cache. An extent's first and last
 * block keep what they hold of their neighbours, and are read first; the pieces between hand on the
 * bytes that do not fill a block.
 *
 * <p>A long piece is written by another thread while the next one is filled, so that neither the
 * medium nor the source waits for the other. Pieces are written in order, one at a time.
 *
 * <p>Security: which blocks are read and written, and in which order, follows from the batch alone.
 *
 * <p>Thread safety: safe. Interrupts break no call; the thread's flag is kept.
 */
final class DirectWrites implements Closeable {

  /** Name of the thread that writes; it ends after some seconds without work. */
  static final String THREAD_NAME = "roram-write-behind";

  /** Shorter pieces are written before another thread would have woken up. */
  private static final int LEAST_HANDED_OVER = 256 << 10;

  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final SegmentFiles files;
  private final Alignment alignment;
  private final BufferPool buffers;
  private final ThreadPoolExecutor writer;

  /** Held while a block that another extent has a part of is read and written. */
  private final ReentrantLock edges = new ReentrantLock();

  /** One block, guarded by {@link #edges}. */
  private final ByteBuffer edge;

  DirectWrites(SegmentFiles files, Alignment alignment, BufferPool buffers) {
    this.files = files;
    this.alignment = alignment;
    this.buffers = buffers;
    edge = BufferPool.allocate(alignment, alignment.bytes());
    writer = DaemonThreads.pool(THREAD_NAME, 1);
  }

  /**
   * Bytes in a buffer that are to be written.
   *
   * @param buffer they follow {@code lead} bytes
   * @param lead bytes before them in their block: of the neighbour, or handed on
   * @param offset where they go in the store
   * @param bytes how many
   * @param starts whether they start their extent
   * @param ends whether they end their extent
   */
  private record Piece(
      ByteBuffer buffer, int lead, long offset, int bytes, boolean starts, boolean ends) {

    static Piece of(Pieces pieces, ByteBuffer buffer, int lead) {
      return new Piece(
          buffer,
          lead,
          pieces.offset(),
          pieces.bytes(),
          pieces.startsExtent(),
          pieces.endsExtent());
    }

    int end() {
      return lead + bytes;
    }
  }

  void write(ExtentBatch batch, UnitSource source) throws IOException {
    Pieces pieces = new Pieces(batch);
    int room = alignment.room(Pieces.mostBytes(batch));
    ByteBuffer filled = buffers.take(room);
    ByteBuffer other = buffers.take(room);
    CompletableFuture<Void> before = DONE;
    try {
      while (pieces.next()) {
        int lead = alignment.lead(pieces.offset());
        source.fill(pieces.firstUnit(), filled.clear().limit(lead + pieces.bytes()).position(lead));
        Piece piece = Piece.of(pieces, filled, lead);
        Futures.join(before);
        if (!piece.ends()) {
          int handedOn = alignment.lead(piece.end());
          other.clear().put(0, filled.clear(), piece.end() - handedOn, handedOn);
        }
        before = writeOrHandOver(piece, pieces.isLast());
        filled = other;
        other = piece.buffer();
      }
      Futures.join(before);
    } finally {
      before.exceptionally(failure -> null).join(); // it was told, or something came first
      buffers.give(filled);
      buffers.give(other);
    }
  }

  private CompletableFuture<Void> writeOrHandOver(Piece piece, boolean last) throws IOException {
    if (last || piece.bytes() < LEAST_HANDED_OVER) {
      write(piece);
      return DONE;
    }
    try {
      return CompletableFuture.runAsync(() -> writeUnchecked(piece), writer);
    } catch (RejectedExecutionException e) {
      throw new ClosedChannelException();
    }
  }

  private void writeUnchecked(Piece piece) {
    try {
      write(piece);
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private void write(Piece piece) throws IOException {
    boolean startsInBlock = piece.starts() && piece.lead() > 0;
    boolean endsInBlock = piece.ends() && alignment.lead(piece.end()) > 0;
    long start = piece.offset() - piece.lead();
    int length = piece.ends() ? alignment.roundUp(piece.end()) : alignment.down(piece.end());
    ByteBuffer blocks = piece.buffer().clear().limit(length);
    if (!startsInBlock && !endsInBlock) {
      files.write(blocks, start);
      return;
    }
    edges.lock();
    try {
      if (startsInBlock) {
        files.read(edge.clear(), start);
        blocks.put(0, edge, 0, piece.lead());
      }
      if (endsInBlock) {
        int lastBlock = length - alignment.bytes();
        if (lastBlock > 0 || !startsInBlock) {
          files.read(edge.clear(), start + lastBlock);
        }
        blocks.put(piece.end(), edge, piece.end() - lastBlock, length - piece.end());
      }
      files.write(blocks, start);
    } finally {
      edges.unlock();
    }
  }

  /** Ends the thread once it has written what it was given. */
  @Override
  public void close() {
    writer.shutdown();
  }
}
