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
 * the count) and nothing else: not the address, not the data, not whether it read or wrote. When
 * accesses happen is visible too.
 *
 * <p>Blocks never written read as zeros. Safe for use by several threads; accesses run one after
 * another. After {@link #close} every call throws {@link java.nio.channels.ClosedChannelException}.
 */
public interface Oram extends Closeable {

  /** The configuration that this ORAM was created with. */
  OramConfig config();

  /**
   * Reads {@code count} blocks from block {@code block} on, advancing the buffer's position unless
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

  /** As {@link #read(long, int, ByteBuffer)} into a new buffer, flipped for reading. */
  default ByteBuffer read(long block, int count) throws IOException {
    int maxRange = config().maxRangeBlocks();
    if (count < 1 || count > maxRange) {
      throw new IllegalArgumentException(
          "count is " + count + ", must be 1 to " + maxRange + "; split larger ranges");
    }
    ByteBuffer destination = ByteBuffer.allocate(count * config().blockBytes());
    read(block, count, destination);
    return destination.flip();
  }

  /**
   * Writes the remaining bytes of {@code source}, whole blocks, from block {@code block} on,
   * advancing the buffer's position unless it fails. With rORAM either all of them are written or
   * none; Path ORAMs, for which a range is many accesses, may have written some when they fail.
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
   * Writes the remaining bytes of {@code source} from byte {@code offset} on, advancing the
   * buffer's position unless it fails; bytes around them stay as they are. To the store this is a
   * {@link #read(long, int, ByteBuffer) read} of the blocks in which the bytes lie, and costs as
   * much. What a failure leaves is as with {@link #write}.
   *
   * @param offset first byte, 0 ≤ offset and offset + remaining bytes ≤ blocks · blockBytes; need
   *     not be the first of a block
   * @param source at least one byte, in at most {@link OramConfig#maxRangeBlocks} blocks
   * @throws IndexOutOfBoundsException if the bytes do not exist
   * @throws IllegalArgumentException if the buffer is empty or its bytes lie in too many blocks
   * @throws IntegrityException if the store returned anything but what was last written
   * @throws StashOverflowException if the stash limit was reached by an earlier access
   * @throws IOException if the store failed; the update may be repeated
   */
  void update(long offset, ByteBuffer source) throws IOException;

  /**
   * Reads as many bytes as {@code target} has room for, from byte {@code offset} on, by one access
   * that looks like one of at least {@code leastBlocks} blocks.
   *
   * @param offset first byte, 0 ≤ offset and offset + remaining bytes ≤ blocks · blockBytes
   * @param leastBlocks 1 … {@link OramConfig#maxRangeBlocks}; fewer than the bytes lie in is as
   *     many as they do, more than there are is all
   * @param target room for at least one byte, in at most {@link OramConfig#maxRangeBlocks} blocks
   * @throws IndexOutOfBoundsException if the bytes do not exist
   * @throws IllegalArgumentException if something else is out of bounds
   * @throws IOException as {@link #read(long, int, ByteBuffer)}, which it fails as
   */
  void readBytes(long offset, int leastBlocks, ByteBuffer target) throws IOException;

  /**
   * As {@link #update}, by one access that looks like one of at least {@code leastBlocks} blocks,
   * as {@link #readBytes} of the same bytes does.
   *
   * @param leastBlocks 1 … {@link OramConfig#maxRangeBlocks}
   */
  void updateBytes(long offset, int leastBlocks, ByteBuffer source) throws IOException;

  /**
   * One access to a few blocks, wherever they are: reads them, has a program say what they become,
   * and writes that; all or nothing, whatever fails. To the store it is an access to a range of as
   * many blocks, whether the program changed any or not. (Where a range is an access a block, as
   * with the schemes path, path-batched and tao, or one of more than 16 blocks is several reads, as
   * with ring, it is one that shows how many blocks.)
   *
   * <p>If it fails with an {@link IOException} the access may have been made or not: read before
   * repeating what must not be done twice.
   *
   * @param blocks 1 to 16 different blocks, each 0 … {@link OramConfig#blocks} − 1
   * @param leastBlocks 1 … {@link OramConfig#maxRangeBlocks}: of how many blocks it is to look at
   *     least
   * @param program is run once, on any thread; what it throws is thrown, and changes no block
   * @throws IndexOutOfBoundsException if there is no such block
   * @throws IllegalArgumentException if something else is out of bounds, or a block named twice
   * @throws ConfigurationException if the scheme makes no such accesses, or not of so many blocks:
   *     a class that is served by ranges is of few, and a position map on the store allows two
   * @throws IOException as {@link #write}
   */
  default void access(long[] blocks, int leastBlocks, BlockProgram program) throws IOException {
    throw new ConfigurationException(
        "there are no accesses to scattered blocks here; use the ORAM itself");
  }

  /**
   * Gives the store more blocks, behind those that it has, which read as zeros; calls of others
   * wait until it is done. For schemes {@code roram} and {@code path-batched}. To the store it
   * shows how many blocks there are now, and nothing else. A crash leaves the store as large as it
   * was, or as large as it is to be. The client's memory grows by what it holds of the map of the
   * new blocks, and for a moment holds both.
   *
   * @param blocks how many there are then, more than there are, at most {@link
   *     OramConfig#MAX_BLOCKS}
   * @throws ConfigurationException if the store cannot grow, with the reason and what to do
   *     instead; it is as it was
   * @throws IOException if it fails; where it is unknown whether the store has grown, this ORAM is
   *     closed, and opening the store anew tells
   */
  default void grow(long blocks) throws IOException {
    throw new ConfigurationException("this cannot grow; use the ORAM itself, where it is open");
  }

  /** As {@link #access(long[], int, BlockProgram)}, which looks like one of as many blocks. */
  default void access(long[] blocks, BlockProgram program) throws IOException {
    access(blocks, 1, program);
  }

  /** How many bytes there are: blocks · blockBytes. */
  default long size() {
    return config().bytes();
  }

  /**
   * Reads bytes, by as many accesses as {@link #channel} takes.
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
   * Writes bytes, by as many accesses as {@link #channel} takes; each of them as atomic as {@link
   * #update}.
   *
   * @param offset first byte, 0 ≤ offset and offset + the bytes ≤ {@link #size}
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
   * The bytes from {@code offset} on, to be read one after another. Each call of the stream is one
   * of {@link #channel}: put a {@link java.io.BufferedInputStream} over it where calls are for few
   * bytes.
   *
   * @param offset first byte, 0 to {@link #size}
   */
  default InputStream inputStream(long offset) throws IOException {
    return Channels.newInputStream(channel().position(offset));
  }

  /**
   * As {@link #inputStream}, to be written. It writes through to the ORAM, and fails at the end of
   * the ORAM.
   *
   * @param offset first byte, 0 to {@link #size}
   */
  default OutputStream outputStream(long offset) throws IOException {
    return Channels.newOutputStream(channel().position(offset));
  }

  /**
   * The same ORAM for callers that do not wait; always the same object. Both may be used at the
   * same time, and closing either closes both. Accesses overlap if this was opened for that ({@link
   * OpenOptions#withInFlight}) and its scheme can.
   */
  AsyncOram async();

  /**
   * Has whole blocks read as zeros from now on, as if those had been written, without an access.
   * The store sees nothing. It is recorded in the client's journal before the next access, or by
   * {@link #flush}, in a record that is there and as long whether blocks were trimmed or not; so it
   * is as durable as an access only once one of the two returned. The first trim after opening
   * begins the journal, as a first access does.
   *
   * @param block first block, 0 ≤ block and block + count ≤ {@link OramConfig#blocks}
   * @param count blocks, at least 1
   * @return false if 32 trims wait to be recorded already: nothing was done. How many wait depends
   *     on the number of calls alone
   * @throws IndexOutOfBoundsException if the blocks do not exist
   * @throws ConfigurationException if this was opened without {@link OpenOptions#withTrims trims}
   * @throws IOException if the client's disk failed; the call may be repeated
   */
  boolean trim(long block, long count) throws IOException;

  /**
   * A view of the blocks as bytes: any position, any length, {@link SeekableByteChannel#size()} =
   * blocks · blockBytes, fixed. A transfer is split into accesses of at most {@link
   * OramConfig#maxRangeBlocks} blocks, at the same places whether it reads or writes, and the store
   * cannot tell which; each access is as atomic as {@link #update}. Closing the view leaves the
   * ORAM open. What was written through it is as durable as other accesses: {@link #flush} covers
   * it, closing the view does not.
   */
  SeekableByteChannel channel();

  /**
   * Returns once every access that was acknowledged before this call is on durable media, also
   * those of an earlier process that died. Callers that flush at the same time share one sync. The
   * store sees nothing of it with {@link Durability#SYNC} and {@link Durability#FLUSH}, and a sync
   * with the others.
   *
   * <p>For a write that must be durable when it is acknowledged (FUA) flush after it: the client's
   * journal is one sequence, so a sync that reaches one access reaches all before it, and one that
   * were for a single access would cost as much.
   *
   * <ul>
   *   <li>{@link Durability#SYNC}: every access was durable when it was acknowledged. Nothing is
   *       done, but with {@linkplain OpenOptions#trims trims} those become durable.
   *   <li>{@link Durability#FLUSH}: what was flushed survives whatever comes after.
   *   <li>{@link Durability#OS}: store and journal are synced. What was flushed survives a power
   *       failure that comes before the next access; one that comes later may still leave a store
   *       that cannot be read.
   *   <li>{@link Durability#NONE}: the store is synced. The client's state is not, so nothing is
   *       promised before {@link #close}.
   * </ul>
   *
   * @throws IOException if it is not known to be durable; the call may be repeated
   */
  void flush() throws IOException;

  /**
   * Fills an ORAM that was never accessed with the bytes of {@code source}, from its position 0 on,
   * in a sequential pass over each tree. If the source is larger than {@code memoryBytes} it is
   * read several times. A last partial block is padded with zeros. The store sees requests that
   * follow from the configuration and {@code memoryBytes} alone.
   *
   * @param source at most blocks · blockBytes long
   * @param memoryBytes how much of the source may be held in memory at once; taken to be at least
   *     256 blocks
   * @param progressBytes receives, from time to time, the bytes written to the store since
   * @throws IllegalStateException if the ORAM was accessed before: write to it instead
   * @throws ConfigurationException if the scheme has no bulk load: write to it instead
   */
  void bulkLoad(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
      throws IOException;

  /** What opening this ORAM found: whether it had been closed, or what was recovered. */
  RecoveryReport recovery();

  /**
   * Makes durable what opening recovered and repeats the read that a crash cut short, as the first
   * access would; nothing if the store had been closed.
   *
   * @throws IOException if the store or the client's disk failed; the call may be repeated
   */
  void completeRecovery() throws IOException;

  /**
   * Reads the whole store and checks it: every bucket must be the one that was last written there,
   * every block must stand where a read finds it, and all trees must have the same blocks with the
   * same data. Changes nothing, also where the store needs recovery; accesses wait until it is
   * done. The store sees one pass over all that was ever written.
   *
   * <p>It cannot tell that a block is missing from every tree; that takes a forged bucket, which is
   * found.
   *
   * @param progress receives how far it is
   * @throws IllegalStateException if the last access failed and the scheme cannot be checked before
   *     one succeeds (scheme path)
   * @throws ConfigurationException if the scheme has no such check
   * @throws IOException if the store was closed; other failures of the store are findings
   */
  VerifyReport verify(VerifyProgress progress) throws IOException;

  /**
   * Reads all blocks at once: one pass over all that was ever written of one tree, the one where
   * that is least, besides the blocks that the client holds. Changes nothing, also where the store
   * needs recovery: the blocks are those that accesses would read. Calls of other threads wait
   * until it is done.
   *
   * <p>The store sees that everything was read, in requests that follow from the configuration and
   * from the accesses that it saw, and nothing else. Besides the sink's, it takes a bit of memory a
   * block.
   *
   * @param sink gets each block that was ever written once, in no particular order, on this thread;
   *     others, which read as zeros, it gets or not. What it throws ends the scan, and is thrown.
   *     It must not call this ORAM, but for {@link #config} and {@link #stats}
   * @throws IntegrityException if the store returned anything but what was last written; what the
   *     sink got before is right, but not all
   * @throws IllegalStateException if called by a sink of a scan, or if the last access failed and
   *     the scheme cannot be scanned before one succeeds (scheme path)
   * @throws ConfigurationException if the scheme cannot be scanned: read it
   * @throws IOException if the store or the sink failed; the scan may be repeated
   */
  void scan(BlockSink sink) throws IOException;

  /**
   * Whether a {@link #scan} has the store move less than reading so many bytes by accesses of the
   * longest ranges would; false where the scheme cannot be scanned. Follows from the configuration,
   * {@code bytes} and the accesses made so far, so a choice that depends on it shows nothing.
   *
   * @param bytes 0 … blocks · blockBytes
   */
  boolean scanPays(long bytes);

  /** Counters since this ORAM was opened, and what the client holds now. */
  OramStats stats();

  /** What the client holds in memory now. */
  default ClientMemory clientMemory() {
    return ClientMemory.UNKNOWN;
  }

  /**
   * Saves the client's state, ends the ORAM's threads and wipes its keys. It closes the store only
   * if it opened it (as {@code Roram} does); otherwise the caller closes it. Closing again does
   * nothing.
   *
   * <p>If it throws, that depends on the durability. With a journal the ORAM has ended all the
   * same: the journal has what was acknowledged, and the next opening recovers it. With {@link
   * Durability#NONE} nothing else has the state, so the ORAM stays open, and closing may be tried
   * again; to give it up, close the store and then the ORAM, which throws {@link
   * java.nio.channels.ClosedChannelException} once and has ended.
   *
   * @throws IOException if the state could not be saved
   */
  @Override
  void close() throws IOException;
}
