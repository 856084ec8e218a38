package io.github.roram;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * An {@link Oram} that can have several accesses under way: calls return at once, and their futures
 * complete in the order of the calls.
 *
 * <p>Each call does what the method of {@link Oram} with its name does, takes the same arguments
 * and shows the store the same. Arguments are checked by the call itself, which throws and does
 * nothing if they are out of bounds; what comes later completes the future exceptionally. A buffer
 * is the ORAM's until it has completed the future; its position is not moved. If the buffer of a
 * write changes before that, either content, or parts of both, may be written.
 *
 * <p>A future that its user cancels, completes or has time out ({@link
 * CompletableFuture#orTimeout}) takes nothing back: the access is made, and the buffer is still the
 * ORAM's. Do so with a {@linkplain CompletableFuture#copy copy}, and give up the buffer.
 *
 * <p>Accesses are one after another in the order of the calls: a read that is called after a write
 * of the same block gets what was written, before the write's future has completed as well. What
 * several threads call is in some order of this kind, and an access whose future completed before
 * another was called comes before it.
 *
 * <p>A call may wait for room: no more is under way than the ORAM was told to allow. How long it
 * waits follows from the number and the lengths of accesses and from the store's times. A caller
 * that keeps no more than {@link #mostUnderWay} calls under way never waits.
 *
 * <p>Safe for use by several threads. A call may make the access itself, where that takes no longer
 * than handing it over. Otherwise its future completes on a thread of the ORAM; what depends on it
 * must not block there, nor close the ORAM. It may make calls, which do not wait for room.
 */
public interface AsyncOram extends Closeable {

  /** The configuration that this ORAM was created with. */
  OramConfig config();

  /** As {@link Oram#readBytes}, from the target's position to its limit. */
  CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target);

  /** As {@link Oram#updateBytes}, from the source's position to its limit. */
  CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source);

  /** As {@link Oram#access(long[], int, BlockProgram)}. */
  default CompletableFuture<Void> access(long[] blocks, int leastBlocks, BlockProgram program) {
    throw new ConfigurationException(
        "there are no accesses to scattered blocks here; use the ORAM itself");
  }

  /** As {@link Oram#flush}: covers all accesses and trims that were called before it. */
  CompletableFuture<Void> flush();

  /**
   * As {@link Oram#trim}, in the order of the calls: accesses that are called later find zeros. The
   * future has false if so many trims are under way or wait to be recorded that nothing was done; a
   * {@link #flush} makes room. No access waits for it, and it takes the room of none; so after a
   * crash it may be there without an access that was called before it and not answered.
   *
   * @throws ConfigurationException if this has no trims
   */
  default CompletableFuture<Boolean> trim(long block, long count) {
    throw new ConfigurationException(
        "there are no trims here; write zeros, or open the store itself with"
            + " OpenOptions.withTrims(true)");
  }

  /**
   * As {@link Oram#read(long, int, ByteBuffer)}.
   *
   * @param target room for exactly {@code count} blocks
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

  /** As {@link Oram#write}. */
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

  /** As {@link Oram#update}. */
  default CompletableFuture<Void> update(long offset, ByteBuffer source) {
    return updateBytes(offset, 1, source);
  }

  /**
   * Accesses and flushes that may be under way, if nobody else makes any, before a further call
   * waits for room: at least 1.
   */
  default int mostUnderWay() {
    return 1;
  }

  /** Counters since this ORAM was opened, and what the client holds now. */
  OramStats stats();

  /** What is under way; {@link OverlapStats#NONE} where accesses do not overlap here. */
  default OverlapStats overlapStats() {
    return OverlapStats.NONE;
  }

  /** What the client holds in memory now. */
  default ClientMemory clientMemory() {
    return ClientMemory.UNKNOWN;
  }

  /**
   * Waits for what is under way, then closes as {@link Oram#close} does; if that fails, the ORAM
   * has ended, or stays open, as it says there. The futures of later calls fail with {@link
   * java.nio.channels.ClosedChannelException}.
   */
  @Override
  void close() throws IOException;
}
