package io.github.roram.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Untrusted storage: one address space of bytes, read and written in vectored batches of extents.
 *
 * <p>Bytes that were never written read as zeros. A store keeps what it is given and returns it; it
 * owes the ORAM neither secrecy nor integrity, since all that it gets is sealed by the client.
 *
 * <h2>Obligations of an implementation</h2>
 *
 * <ul>
 *   <li>{@link #read} hands every unit of the batch to the sink exactly once, in the order of the
 *       batch, on the calling thread; {@link #write} asks the source for every unit in the same
 *       way. A piece holds one or more whole units ({@link ExtentBatch#unitBytes}) of one extent.
 *   <li>A batch is one request: an implementation may split it to fit its medium, but the order of
 *       extents and their sizes never depend on what the pieces hold.
 *   <li>When an extent does not lie within {@code [0, capacityBytes)}, {@link
 *       IndexOutOfBoundsException} is thrown before anything is transferred.
 *   <li>A failed {@link #write} may leave any part of the batch written; nothing outside of its
 *       extents is touched. A failed {@link #read} changes nothing.
 *   <li>What {@link #sync} returned after is on durable media, as far as the medium can promise.
 *   <li>Exceptions thrown by a sink or source pass through unchanged.
 *   <li>A store that keeps a watermark keeps it apart from the address space, for the next opener.
 *   <li>{@link #close} is idempotent; every other call after it throws {@link
 *       java.nio.channels.ClosedChannelException}. The opener of a store closes it.
 * </ul>
 *
 * <p>Thread safety: implementations are safe for use by several threads; calls may be serialised.
 */
public interface BlockStore extends Closeable {

  /** Bytes of a watermark. */
  int WATERMARK_BYTES = 64;

  /** Size of the address space in bytes. */
  long capacityBytes();

  /**
   * Reads all extents of the batch.
   *
   * @throws StoreDamagedException if the medium lacks bytes that must be there
   * @throws IOException if the medium fails; the call may be repeated
   */
  void read(ExtentBatch batch, UnitSink sink) throws IOException;

  /**
   * Writes all extents of the batch.
   *
   * @throws StoreFullException if the medium has no room left; the call may be repeated
   * @throws IOException if the medium fails; the call may be repeated
   */
  void write(ExtentBatch batch, UnitSource source) throws IOException;

  /**
   * Whether {@link #readXor} moves fewer bytes from the store than {@link #read}. By default it
   * does not.
   */
  default boolean computesXor() {
    return false;
  }

  /**
   * Reads all extents of the batch, and returns the XOR of the units of each group. The store may
   * see which units are in which group; all else is as {@link #read} has it.
   *
   * @param groups of all units of the batch
   * @param results takes each result exactly once, in order, as a piece: the number of its group,
   *     and its {@link XorGroups#bytes(int)} bytes
   */
  default void readXor(ExtentBatch batch, XorGroups groups, UnitSink results) throws IOException {
    read(batch, groups.into(results));
  }

  /**
   * Returns once everything written before is durable.
   *
   * @throws IOException if it is not; where the medium may have dropped what it could not write, as
   *     files do, every later call fails too, until the store is closed and opened again
   */
  void sync() throws IOException;

  /**
   * The same store, asked for many requests at a time. By default that is a pool of threads that
   * call this store; a store that needs no thread a request says so itself. Closing what is
   * returned does not close this store; it is to be closed first.
   *
   * @param requests most requests that are under way at the same time, at least 1; more wait
   * @throws IllegalArgumentException if there are less
   */
  default AsyncBlockStore async(int requests) {
    return new PooledBlockStore(this, requests);
  }

  /**
   * Whether a place of this machine is within the store, so that an observer of the store sees it.
   *
   * @param place a directory
   */
  default boolean isBeside(Path place) {
    return false;
  }

  /**
   * Whether an adversary sees which bytes are read, as on a server. Where this is false only the
   * content of the store, looked at now and then, shows what was done. Schemes that hide writes
   * alone refuse a store that shows reads; one that knows no better shows them.
   */
  default boolean showsReads() {
    return true;
  }

  /**
   * Makes the address space larger, durably; what is new reads as zeros. Requests for what was
   * there before may be under way meanwhile. A crash leaves it as large as it was, or as it is to
   * be.
   *
   * @param capacityBytes its size then, more than now
   * @return false if stores of this kind cannot be made larger; nothing was done
   * @throws IOException if it fails; the call may be repeated
   */
  default boolean extend(long capacityBytes) throws IOException {
    return false;
  }

  /**
   * Tells the store how what is on it is laid out. Each time a store was opened an ORAM tells it
   * the same, before it reads or writes beyond what comes before all parts. A store of one medium
   * has no use for it.
   */
  default void arrange(StoreParts parts) {}

  /**
   * Whether parts can be added behind those that it was told of. Not where their number says which
   * of several media each of them is on: what is there would be looked for elsewhere.
   */
  default boolean takesMoreParts() {
    return true;
  }

  /**
   * Whether the store keeps the tree engine's buckets by their names: see {@link #buckets}. Its
   * address space then has room for the superblock alone, and a scheme that overwrites what it
   * wrote cannot be on it.
   */
  default boolean keepsObjects() {
    return false;
  }

  /** Whether so many bytes fit into the address space; objects have room for what there is. */
  default boolean hasRoom(long bytes) {
    return keepsObjects() || capacityBytes() >= bytes;
  }

  /**
   * The buckets of an ORAM on the tree engine, where the store keeps them by their names and not in
   * its address space. Each ORAM that is opened asks once, or again when it has grown.
   *
   * @return empty unless the store {@linkplain #keepsObjects keeps objects}
   * @throws io.github.roram.ConfigurationException if it cannot keep buckets of such trees
   */
  default Optional<BucketStore> buckets(BucketTrees trees) {
    return Optional.empty();
  }

  /**
   * Keeps the client's watermark in place of the one before: sealed, it says how far the client's
   * own records have come, so that older ones which are put back are noticed. It may travel with
   * the next request. A process that is killed loses none that a request was made after; a power
   * failure leaves one that is no older than the last that was kept durably. A store of several
   * media keeps it on each. By default none is kept, and older records are not noticed.
   *
   * @param watermark {@link #WATERMARK_BYTES} bytes, copied
   * @param durably whether it is to be durable when this returns, where that takes no request to
   *     another machine
   * @throws IOException if it could not be kept; the one before is, and the call may be repeated
   */
  default void keepWatermark(byte[] watermark, boolean durably) throws IOException {}

  /**
   * The watermarks that are there, of each medium one at least; those of earlier calls may be among
   * them. Empty if none was kept.
   *
   * @throws IOException if the medium fails
   */
  default List<byte[]> watermarks() throws IOException {
    return List.of();
  }

  @Override
  void close() throws IOException;
}
