package io.github.roram;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.Objects;
import java.util.function.LongConsumer;

/**
 * An array of blocks whose storage learns neither the blocks nor which of them are accessed. Get
 * one from {@link io.github.roram.open.Orams}, or from {@code Roram} of artifact {@code
 * roram-storage}.
 *
 * <h2>Security</h2>
 *
 * The store sees, for each access, its size class (the smallest configured 2^i ≥ count; Path ORAM:
 * the count), when it happens, and nothing else: not the address, not the data, not whether it read
 * or wrote.
 *
 * <p>Blocks never written read as zeros. Safe for use by several threads; accesses run one after
 * another. After {@link #close} every call throws {@link java.nio.channels.ClosedChannelException}.
 */
public interface Oram extends Closeable {

  /** Returns the configuration of this ORAM. */
  OramConfig config();

  /**
   * Reads {@code count} blocks from block {@code block} on. Advances the buffer's position unless
   * it fails.
   *
   * @param block first block, 0 ≤ block and block + count ≤ {@link OramConfig#blocks}
   * @param count blocks, 1 … {@link OramConfig#maxRangeBlocks}
   * @param destination has room for {@code count} blocks
   * @throws IndexOutOfBoundsException if the range does not exist
   * @throws IllegalArgumentException if count or the buffer's room is out of bounds
   * @throws IntegrityException if the store returned anything but what was last written
   * @throws StashOverflowException if the stash limit was reached by an earlier access
   * @throws IOException if the store failed; the access may be repeated
   */
  void read(long block, int count, ByteBuffer destination) throws IOException;

  /** Reads as {@link #read(long, int, ByteBuffer)} does, into a new buffer, flipped for reading. */
  default ByteBuffer read(long block, int count) throws IOException {
    int maxRange = config().maxRangeBlocks();
    if (count < 1 || count > maxRange) {
      throw new IllegalArgumentException(
          "count is " + count + ", must be 1 to " + maxRange + "; split larger ranges");
    }
    long bytes = (long) count * config().blockBytes();
    if (bytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "count is "
              + count
              + " blocks, whose "
              + bytes
              + " bytes are more than the "
              + Integer.MAX_VALUE
              + " of a buffer; split the range");
    }
    ByteBuffer destination = ByteBuffer.allocate((int) bytes);
    read(block, count, destination);
    return destination.flip();
  }

  /**
   * Writes the remaining bytes of {@code source}, which are whole blocks, from block {@code block}
   * on. Advances the buffer's position unless it fails. rORAM writes either all blocks or none;
   * Path ORAMs, for which a range is many accesses, may have written some of them when they fail.
   *
   * @param block first block, 0 ≤ block and block + count ≤ {@link OramConfig#blocks}
   * @param source 1 … {@link OramConfig#maxRangeBlocks} blocks
   * @throws IndexOutOfBoundsException if the range does not exist
   * @throws IllegalArgumentException if the buffer does not hold 1 … maximum whole blocks
   * @throws IntegrityException if the store returned anything but what was last written
   * @throws StashOverflowException if the stash limit was reached by an earlier access
   * @throws IOException if the store failed; the write may be repeated
   */
  void write(long block, ByteBuffer source) throws IOException;

  /**
   * Writes the remaining bytes of {@code source} from byte {@code offset} on, and leaves the bytes
   * around them as they are. Advances the buffer's position unless it fails. To the store this
   * looks like a {@link #read(long, int, ByteBuffer) read} of the blocks that contain the bytes,
   * and costs as much. A failure leaves the same state as a failed {@link #write}.
   *
   * @param offset first byte, 0 ≤ offset and offset + remaining bytes ≤ blocks · blockBytes; it
   *     need not be the first byte of a block
   * @param source at least one byte, in at most {@link OramConfig#maxRangeBlocks} blocks
   * @throws IndexOutOfBoundsException if the bytes do not exist
   * @throws IllegalArgumentException if the buffer is empty or its bytes lie in too many blocks
   * @throws IntegrityException if the store returned anything but what was last written
   * @throws StashOverflowException if the stash limit was reached by an earlier access
   * @throws IOException if the store failed; the update may be repeated
   */
  void update(long offset, ByteBuffer source) throws IOException;

  /**
   * Reads as many bytes as {@code target} has room for, from byte {@code offset} on, in one access
   * that looks like an access to at least {@code leastBlocks} blocks.
   *
   * @param offset first byte, 0 ≤ offset and offset + remaining bytes ≤ blocks · blockBytes
   * @param leastBlocks 1 … {@link OramConfig#maxRangeBlocks}; raised to the number of blocks that
   *     contain the bytes, and capped at the number of blocks of the ORAM
   * @param target room for at least one byte, in at most {@link OramConfig#maxRangeBlocks} blocks
   * @throws IndexOutOfBoundsException if the bytes do not exist
   * @throws IllegalArgumentException if something else is out of bounds
   * @throws IOException if the store failed; otherwise as {@link #read(long, int, ByteBuffer)}
   */
  void readBytes(long offset, int leastBlocks, ByteBuffer target) throws IOException;

  /**
   * Writes bytes as {@link #update} does, in one access that looks like an access to at least
   * {@code leastBlocks} blocks, just as {@link #readBytes} of the same bytes does.
   *
   * @param leastBlocks 1 … {@link OramConfig#maxRangeBlocks}
   */
  void updateBytes(long offset, int leastBlocks, ByteBuffer source) throws IOException;

  /**
   * Makes one access to a few blocks, wherever they are: reads them, lets a program change them,
   * and writes the result; all of it or nothing, whatever fails. To the store it looks like an
   * access to a range of as many blocks, whether or not the program changed any. (It shows the
   * number of blocks where a range is one access per block, as with schemes path, path-batched and
   * tao, or where a range of more than 16 blocks is several reads, as with ring.)
   *
   * <p>If it fails with an {@link IOException}, the access may or may not have been made: read the
   * blocks before repeating a change that must not be made twice.
   *
   * @param blocks 1 to 16 different blocks, each 0 … {@link OramConfig#blocks} − 1
   * @param leastBlocks the least number of blocks that the access looks like, 1 … {@link
   *     OramConfig#maxRangeBlocks}
   * @param program runs once, on any thread; an exception is passed on, and no block changes
   * @throws IndexOutOfBoundsException if a block does not exist
   * @throws IllegalArgumentException if something else is out of bounds, or a block is named twice
   * @throws ConfigurationException if the scheme has no such accesses, or none to so many blocks: a
   *     size class that is served by ranges allows few, and a position map on the store allows two
   * @throws IOException if the store failed, as with {@link #write}
   */
  default void access(long[] blocks, int leastBlocks, BlockProgram program) throws IOException {
    throw new ConfigurationException(
        "there are no accesses to scattered blocks here; use the ORAM itself");
  }

  /**
   * Appends blocks, which read as zeros, to the store; calls of other threads wait until it is
   * done. Schemes {@code roram} and {@code path-batched} can grow. The store learns the new number
   * of blocks and nothing else. After a crash the store has either its old size or its new one. The
   * client's memory grows by the position map of the new blocks; during the call it holds both
   * maps.
   *
   * @param blocks the new number of blocks: more than now, at most {@link OramConfig#MAX_BLOCKS}
   * @throws ConfigurationException if the store cannot grow, and is unchanged; the message gives
   *     the reason and the remedy
   * @throws IOException if it failed; {@link #config} tells whether the store has grown all the
   *     same
   */
  default void grow(long blocks) throws IOException {
    throw new ConfigurationException("this cannot grow; use the ORAM itself, where it is open");
  }

  /** Accesses as {@link #access(long[], int, BlockProgram)} does, as a range of as many would. */
  default void access(long[] blocks, BlockProgram program) throws IOException {
    access(blocks, 1, program);
  }

  /** Returns the size in bytes: blocks · blockBytes. */
  default long size() {
    return config().bytes();
  }

  /**
   * Reads bytes, in as many accesses as a read from {@link #channel} takes.
   *
   * @param offset first byte, 0 ≤ offset and offset + length ≤ {@link #size}
   * @param length bytes, at least 0
   * @throws IndexOutOfBoundsException if the bytes do not exist
   * @throws IOException as {@link #read(long, int, ByteBuffer)}
   */
  default byte[] readBytes(long offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, size());
    byte[] bytes = new byte[length];
    ByteBuffer target = ByteBuffer.wrap(bytes);
    SeekableByteChannel channel = channel().position(offset);
    while (target.hasRemaining()) {
      channel.read(target);
    }
    return bytes;
  }

  /**
   * Writes bytes, in as many accesses as a write to {@link #channel} takes; each access is as
   * atomic as {@link #update}.
   *
   * @param offset first byte, 0 ≤ offset and offset + bytes.length ≤ {@link #size}
   * @throws IndexOutOfBoundsException if there is no room for the bytes
   * @throws IOException as {@link #write}
   */
  default void writeBytes(long offset, byte[] bytes) throws IOException {
    Objects.checkFromIndexSize(offset, bytes.length, size());
    ByteBuffer source = ByteBuffer.wrap(bytes);
    SeekableByteChannel channel = channel().position(offset);
    while (source.hasRemaining()) {
      channel.write(source);
    }
  }

  /**
   * Returns a stream that reads the bytes from {@code offset} on. Each read of the stream is a read
   * of {@link #channel}: wrap it in a {@link java.io.BufferedInputStream} if you read few bytes at
   * a time.
   *
   * @param offset first byte, 0 to {@link #size}
   */
  default InputStream inputStream(long offset) throws IOException {
    return Channels.newInputStream(channel().position(offset));
  }

  /**
   * Returns a stream that writes the bytes from {@code offset} on. It does not buffer, and fails at
   * the end of the ORAM.
   *
   * @param offset first byte, 0 to {@link #size}
   */
  default OutputStream outputStream(long offset) throws IOException {
    return Channels.newOutputStream(channel().position(offset));
  }

  /**
   * Returns the asynchronous view of this ORAM; always the same object. Both may be used at the
   * same time, and closing either closes both. Accesses overlap if this ORAM was opened for that
   * ({@link OpenOptions#withInFlight}) and its scheme supports it.
   */
  AsyncOram async();

  /**
   * Makes whole blocks read as zeros, as if zeros had been written, without an access. The store
   * sees nothing. The next access, or {@link #flush}, records the trim in the client's journal, in
   * a record that is written, and has the same length, whether or not blocks were trimmed. A trim
   * is therefore as durable as an access only once one of these two has returned. The first trim
   * after opening begins the journal, as a first access does.
   *
   * @param block first block, 0 ≤ block and block + count ≤ {@link OramConfig#blocks}
   * @param count blocks, at least 1
   * @return false, having done nothing, if 32 trims already wait to be recorded; how many wait
   *     depends on the number of calls alone
   * @throws IndexOutOfBoundsException if the blocks do not exist
   * @throws ConfigurationException if this was opened without {@link OpenOptions#withTrims trims}
   * @throws IOException if the client's disk failed; the call may be repeated
   */
  boolean trim(long block, long count) throws IOException;

  /**
   * Returns a view of the blocks as bytes: any position, any length, with the fixed {@link
   * SeekableByteChannel#size()} blocks · blockBytes. A transfer is split into accesses of at most
   * {@link OramConfig#maxRangeBlocks} blocks, at the same places for reads and writes, so the store
   * cannot tell which it is; each access is as atomic as {@link #update}. Closing the view leaves
   * the ORAM open. Writes through the view are as durable as other accesses: {@link #flush} covers
   * them, closing the view does not.
   */
  SeekableByteChannel channel();

  /**
   * Returns once every access that was acknowledged before this call is on durable media, including
   * those of an earlier process that died. Callers that flush at the same time share one sync. With
   * {@link Durability#SYNC} and {@link Durability#FLUSH} the store sees nothing of it; with the
   * others it sees a sync.
   *
   * <p>For a write that must be durable when it is acknowledged (FUA), flush after it: the client's
   * journal is one sequence, so syncing one access syncs all accesses before it, and a sync for a
   * single access would cost as much.
   *
   * <ul>
   *   <li>{@link Durability#SYNC}: every access was durable when it was acknowledged. Does nothing,
   *       except that {@linkplain OpenOptions#trims trims} become durable.
   *   <li>{@link Durability#FLUSH}: what was flushed survives any later failure.
   *   <li>{@link Durability#OS}: store and journal are synced. What was flushed survives a power
   *       failure before the next access; a later one may still leave a store that cannot be read.
   *   <li>{@link Durability#NONE}: the store is synced. The client's state is not, so nothing is
   *       durable before {@link #close}.
   * </ul>
   *
   * @throws IOException if the accesses are not known to be durable; the call may be repeated
   */
  void flush() throws IOException;

  /**
   * Fills an ORAM that was never accessed with the bytes of {@code source}, from the source's
   * position 0 on, in a sequential pass over each tree. A source larger than {@code memoryBytes} is
   * read several times. A last partial block is padded with zeros. The requests that the store sees
   * depend on the configuration and {@code memoryBytes} alone.
   *
   * @param source at most blocks · blockBytes long
   * @param memoryBytes bytes of the source that may be held in memory at once; values below 256
   *     blocks count as 256 blocks
   * @param progressBytes receives, from time to time, the bytes written since its last call
   * @throws IllegalStateException if the ORAM was accessed before: write to it instead
   * @throws ConfigurationException if the scheme has no bulk load: write to it instead
   */
  void bulkLoad(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
      throws IOException;

  /** Returns what opening this ORAM found: that it had been closed, or what was recovered. */
  RecoveryReport recovery();

  /**
   * Makes durable what opening recovered and repeats the read that a crash cut short, as the first
   * access would. Does nothing if the store had been closed.
   *
   * @throws IOException if the store or the client's disk failed; the call may be repeated
   */
  void completeRecovery() throws IOException;

  /**
   * Reads the whole store and checks it: every bucket must be the one that was last written there,
   * every block must be where a read finds it, and all trees must have the same blocks with the
   * same data. Changes nothing, even if the store needs recovery; accesses wait until it is done.
   * The store sees one pass over everything ever written.
   *
   * <p>It cannot detect a block that is missing from every tree; but that takes a forged bucket,
   * which it does detect.
   *
   * @param progress is told from time to time how far the check is
   * @throws IllegalStateException if the last access failed and the scheme cannot be checked before
   *     one succeeds (scheme path)
   * @throws ConfigurationException if the scheme has no such check
   * @throws IOException if the store was closed; other failures of the store are findings
   */
  VerifyReport verify(VerifyProgress progress) throws IOException;

  /**
   * Reads all blocks at once: the blocks that the client holds, and one pass over everything ever
   * written of one tree, namely the tree with the least of that. Changes nothing, even if the store
   * needs recovery: the blocks are those that accesses would read. Calls of other threads wait
   * until it is done.
   *
   * <p>The store sees that everything was read, in requests that depend on the configuration and on
   * the accesses that it saw, and nothing else. It takes one bit of memory per block.
   *
   * @param sink receives each block that was ever written once, in no particular order, on this
   *     thread; it may or may not receive the others, which read as zeros. An exception that it
   *     throws ends the scan and is passed on. It must not call this ORAM, except {@link #config}
   *     and {@link #stats}
   * @throws IntegrityException if the store returned anything but what was last written; the blocks
   *     that the sink received before are right, but incomplete
   * @throws IllegalStateException if called by a sink of a scan, or if the last access failed and
   *     the scheme cannot be scanned before one succeeds (scheme path)
   * @throws ConfigurationException if the scheme cannot be scanned: read the blocks instead
   * @throws IOException if the store or the sink failed; the scan may be repeated
   */
  void scan(BlockSink sink) throws IOException;

  /**
   * Returns whether a {@link #scan} moves fewer bytes at the store than reading {@code bytes} bytes
   * by accesses of the longest ranges; false if the scheme cannot be scanned. It depends only on
   * the configuration, {@code bytes} and the accesses so far, so a choice based on it reveals
   * nothing.
   *
   * @param bytes bytes to read, 0 … blocks · blockBytes
   */
  boolean scanPays(long bytes);

  /** Returns counters since this ORAM was opened, and what the client holds now. */
  OramStats stats();

  /** Returns what the client holds in memory now. */
  default ClientMemory clientMemory() {
    return ClientMemory.UNKNOWN;
  }

  /**
   * Saves the client's state, ends the ORAM's threads and wipes its keys. Closes the store only if
   * the ORAM opened it (as {@code Roram} does); otherwise the caller closes the store. Closing
   * again does nothing.
   *
   * <p>If it throws, the outcome depends on the durability. With a journal the ORAM has ended all
   * the same: the journal holds what was acknowledged, and the next opening recovers it. With
   * {@link Durability#NONE} nothing else holds the state, so the ORAM stays open and closing may be
   * tried again. To abandon the state, close the store and then the ORAM, which throws {@link
   * java.nio.channels.ClosedChannelException} once and has then ended.
   *
   * @throws IOException if the state could not be saved
   */
  @Override
  void close() throws IOException;
}
