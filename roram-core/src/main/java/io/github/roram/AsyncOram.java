package io.github.roram;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * An {@link Oram} that can have several accesses in flight: calls return at once, and their futures
 * complete in the order of the calls.
 *
 * <p>Each call does what the method of {@link Oram} with its name does, takes the same arguments
 * and shows the store the same requests. The call itself checks its arguments, and throws without
 * doing anything if they are out of bounds; later failures complete the future exceptionally. The
 * ORAM owns a buffer until it has completed the future, and does not move the buffer's position. If
 * the caller changes the buffer of a write before that, the old content, the new content, or parts
 * of both may be written.
 *
 * <p>Cancelling a future, completing it or letting it time out ({@link
 * CompletableFuture#orTimeout}) does not undo the call: the access is still made, and the ORAM
 * still owns the buffer. Do any of these on a {@linkplain CompletableFuture#copy copy} of the
 * future, and do not use the buffer again.
 *
 * <p>Accesses take effect one after another, in the order of the calls: a read that is called after
 * a write of the same block returns what was written, even if the write's future has not completed
 * yet. Calls of several threads take effect in some such order, and an access whose future
 * completed before another was called precedes it.
 *
 * <p>A call may wait for room, because the ORAM limits how many accesses are in flight. How long it
 * waits depends only on the number and lengths of the accesses and on the store's response times. A
 * caller that keeps at most {@link #mostUnderWay} calls in flight never waits.
 *
 * <p>Safe for use by several threads. A call may make the access itself where that takes no longer
 * than handing it over. Otherwise its future completes on a thread of the ORAM. Stages that depend
 * on the future must not block on that thread or close the ORAM; they may call the ORAM, and such
 * calls do not wait for room.
 */
public interface AsyncOram extends Closeable {

  /** Returns the configuration of this ORAM, as {@link Oram#config} does. */
  OramConfig config();

  /** Reads bytes into the target's room, position to limit, as {@link Oram#readBytes} does. */
  CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target);

  /** Writes the source's bytes, position to limit, as {@link Oram#updateBytes} does. */
  CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source);

  /** Accesses scattered blocks as {@link Oram#access(long[], int, BlockProgram)} does. */
  default CompletableFuture<Void> access(long[] blocks, int leastBlocks, BlockProgram program) {
    throw new ConfigurationException(
        "there are no accesses to scattered blocks here; use the ORAM itself");
  }

  /** Makes durable all accesses and trims that were called before, as {@link Oram#flush} does. */
  CompletableFuture<Void> flush();

  /**
   * Trims blocks as {@link Oram#trim} does, in the order of the calls: accesses called later find
   * zeros. The future completes with false, and nothing is done, if too many trims are in flight or
   * wait to be recorded; a {@link #flush} makes room. No access waits for a trim, and trims take no
   * room from accesses. After a crash a trim may therefore be present although an earlier access,
   * not yet acknowledged, is missing.
   *
   * @throws ConfigurationException if this ORAM has no trims
   */
  default CompletableFuture<Boolean> trim(long block, long count) {
    throw new ConfigurationException(
        "there are no trims here; write zeros, or open the store itself with"
            + " OpenOptions.withTrims(true)");
  }

  /**
   * Reads {@code count} blocks, as {@link Oram#read(long, int, ByteBuffer)} does.
   *
   * @param target has room for exactly {@code count} blocks
   */
  default CompletableFuture<Void> read(long block, int count, ByteBuffer target) {
    int blockBytes = config().blockBytes();
    if (target.remaining() != (long) count * blockBytes) {
      throw new IllegalArgumentException(
          "the buffer has room for "
              + target.remaining()
              + " bytes, but "
              + count
              + " blocks are "
              + (long) count * blockBytes
              + "; set its limit");
    }
    return readBytes(Math.multiplyExact(block, (long) blockBytes), count, target);
  }

  /** Writes whole blocks, as {@link Oram#write} does. */
  default CompletableFuture<Void> write(long block, ByteBuffer source) {
    int blockBytes = config().blockBytes();
    int count = source.remaining() / blockBytes;
    if (count == 0 || source.remaining() % blockBytes != 0) {
      throw new IllegalArgumentException(
          "the buffer holds "
              + source.remaining()
              + " bytes, must be whole blocks of "
              + blockBytes
              + "; use update for other bytes");
    }
    return updateBytes(Math.multiplyExact(block, (long) blockBytes), count, source);
  }

  /** Writes bytes from byte {@code offset} on, as {@link Oram#update} does. */
  default CompletableFuture<Void> update(long offset, ByteBuffer source) {
    return updateBytes(offset, 1, source);
  }

  /**
   * Returns how many accesses and flushes can be in flight, in all, before a further call waits for
   * room: at least 1.
   */
  default int mostUnderWay() {
    return 1;
  }

  /** Returns counters since this ORAM was opened, and what the client holds now. */
  OramStats stats();

  /** Returns what is in flight; {@link OverlapStats#NONE} if accesses do not overlap here. */
  default OverlapStats overlapStats() {
    return OverlapStats.NONE;
  }

  /** Returns what the client holds in memory now. */
  default ClientMemory clientMemory() {
    return ClientMemory.UNKNOWN;
  }

  /**
   * Waits for all accesses in flight, then closes the ORAM as {@link Oram#close} does. If that
   * fails, the ORAM has ended or stays open as described there. The futures of later calls fail
   * with {@link java.nio.channels.ClosedChannelException}.
   */
  @Override
  void close() throws IOException;
}
