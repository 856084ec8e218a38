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
 * owes the ORAM neither secrecy nor integrity, since the client seals everything that it stores.
 *
 * <h2>Obligations of an implementation</h2>
 *
 * <ul>
 *   <li>{@link #read} passes every unit of the batch to the sink exactly once, in the order of the
 *       batch, on the calling thread; {@link #write} asks the source for every unit in the same
 *       way. A piece holds one or more whole units ({@link ExtentBatch#unitBytes}) of one extent.
 *   <li>A batch is one request: an implementation may split it to fit its medium, but the order of
 *       extents and their sizes never depend on the content of pieces.
 *   <li>If an extent is not within {@code [0, capacityBytes)}, they throw {@link
 *       IndexOutOfBoundsException} before anything is transferred.
 *   <li>A failed {@link #write} may leave any part of the batch written; nothing outside its
 *       extents changes. A failed {@link #read} changes nothing.
 *   <li>When {@link #sync} returns, earlier writes are durable, as far as the medium can guarantee.
 *   <li>Exceptions thrown by a sink or source pass through unchanged.
 *   <li>A store that keeps a watermark keeps it apart from the address space, for the next opener.
 *   <li>{@link #close} is idempotent; every other call after it throws {@link
 *       java.nio.channels.ClosedChannelException}. The opener of a store closes it.
 * </ul>
 *
 * <p>Thread safety: implementations are safe for use by several threads; calls may be serialised.
 */
public interface BlockStore extends Closeable {

  /** Size of a watermark in bytes. */
  int WATERMARK_BYTES = 64;

  /** Returns the size of the address space in bytes. */
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
   * Returns whether {@link #readXor} moves fewer bytes from the store than {@link #read}. By
   * default it does not.
   */
  default boolean computesXor() {
    return false;
  }

  /**
   * Reads all extents of the batch, and passes on the XOR of the units of each group. The store may
   * see which units are in which group; otherwise this is like {@link #read}.
   *
   * @param groups groups that cover all units of the batch
   * @param results receives each result exactly once, in order, as a piece: the number of the
   *     group, and its {@link XorGroups#bytes(int)} bytes
   */
  default void readXor(ExtentBatch batch, XorGroups groups, UnitSink results) throws IOException {
    read(batch, groups.into(results));
  }

  /**
   * Returns once everything written before is durable.
   *
   * @throws IOException if it is not; if the medium may have dropped bytes that it could not write,
   *     as files do, every later call fails too, until the store is closed and opened again
   */
  void sync() throws IOException;

  /**
   * Returns an asynchronous view of this store, for many requests at a time. By default a pool of
   * threads calls this store; a store that needs no thread per request overrides this. Closing the
   * view does not close this store; close the view first.
   *
   * @param requests most requests in flight at the same time, at least 1; further ones wait
   * @throws IllegalArgumentException if {@code requests} is less than 1
   */
  default AsyncBlockStore async(int requests) {
    return RequestPool.of(this, requests);
  }

  /**
   * Returns whether a directory is within the store, so that an observer of the store sees it.
   *
   * @param place a directory of this machine
   */
  default boolean isBeside(Path place) {
    return false;
  }

  /**
   * Returns whether an adversary sees which bytes are read, as on a server. If not, the adversary
   * sees only the store's content, at some moments. Schemes that hide only writes refuse a store
   * that shows reads. By default a store shows them.
   */
  default boolean showsReads() {
    return true;
  }

  /**
   * Makes the address space larger, durably; new bytes read as zeros. Requests to the old bytes may
   * be in flight. After a crash the store has its old size or its new one.
   *
   * @param capacityBytes the new size in bytes, more than now
   * @return false if stores of this kind cannot grow; nothing was done
   * @throws IOException if it fails; the call may be repeated
   */
  default boolean extend(long capacityBytes) throws IOException {
    return false;
  }

  /**
   * Tells the store how its content is laid out. After each opening of the store, the ORAM tells it
   * the same before it reads or writes anything within a part. A store of one medium ignores it.
   */
  default void arrange(StoreParts parts) {}

  /**
   * Returns whether {@link #arrange} may name more parts than before. A store of several media that
   * places parts by their number cannot take more: it would look elsewhere for existing parts.
   */
  default boolean takesMoreParts() {
    return true;
  }

  /**
   * Returns whether the store keeps the tree engine's buckets by their names: see {@link #buckets}.
   * Its address space then has room for the superblock alone, and a scheme that overwrites what it
   * wrote cannot use it.
   */
  default boolean keepsObjects() {
    return false;
  }

  /** Returns whether the address space has that many bytes; a store of objects always has room. */
  default boolean hasRoom(long bytes) {
    return keepsObjects() || capacityBytes() >= bytes;
  }

  /**
   * Returns the store of the tree engine's buckets, if this store keeps them by name and not in its
   * address space. Each ORAM asks once when it is opened, and again when it has grown.
   *
   * @return empty unless the store {@linkplain #keepsObjects keeps objects}
   * @throws io.github.roram.ConfigurationException if it cannot keep buckets of such trees
   */
  default Optional<BucketStore> buckets(BucketTrees trees) {
    return Optional.empty();
  }

  /**
   * Replaces the client's watermark: a sealed note of how far the client's own records have come,
   * which detects older records that are put back. It may be sent with the next request. A kill of
   * the process loses no watermark that a request followed; after a power failure the watermark is
   * no older than the last one kept durably. A store of several media keeps it on each. By default
   * no watermark is kept, and older records are not detected.
   *
   * @param watermark {@link #WATERMARK_BYTES} bytes, copied
   * @param durably whether it must be durable when this returns, if that takes no request to
   *     another machine
   * @throws IOException if it failed and the old one is still kept; the call may be repeated
   */
  default void keepWatermark(byte[] watermark, boolean durably) throws IOException {}

  /**
   * Returns the watermarks that are kept, at least one per medium; some may be of earlier calls.
   * Empty if none was kept.
   *
   * @throws IOException if the medium fails
   */
  default List<byte[]> watermarks() throws IOException {
    return List.of();
  }

  @Override
  void close() throws IOException;
}
