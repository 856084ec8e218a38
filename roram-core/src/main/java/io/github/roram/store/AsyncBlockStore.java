package io.github.roram.store;

import java.io.Closeable;
import java.util.concurrent.CompletableFuture;

/**
 * A {@link BlockStore} whose requests return at once and complete later, with many in flight at the
 * same time. {@link BlockStore#async} makes one of any store.
 *
 * <h2>Obligations of an implementation</h2>
 *
 * <ul>
 *   <li>{@link #read}, {@link #write} and {@link #sync} never wait: neither for the medium, nor for
 *       other requests, nor for a sink or source. They report everything, including errors of the
 *       caller, through the future that they return.
 *   <li>From the call to the completion of its future the store owns the batch and the sink or
 *       source. After that it touches neither.
 *   <li>Pieces follow the rules of {@link BlockStore}: every unit exactly once, in the order of the
 *       batch. One thread at a time calls the sink or source of a request, possibly a different one
 *       each time. Each call sees the effects of the previous one; so does the thread that waits
 *       for the future.
 *   <li>A request that fails completes exceptionally, with the exception of the blocking store, or
 *       of the sink or source. It does not affect earlier or later requests.
 *   <li>The store was made for a number of requests in flight; further requests wait. Requests
 *       begin in the order of the calls.
 *   <li>{@link #close} is idempotent. Requests in flight finish or fail, and waiting requests fail,
 *       with {@link java.nio.channels.ClosedChannelException}; so does every later request. When it
 *       returns, all futures are complete, and no sink or source is called any more. A write that
 *       failed so may have been made in part.
 * </ul>
 *
 * <h2>Order</h2>
 *
 * A request sees, or covers, what completed before it was called; nothing else is guaranteed:
 *
 * <ul>
 *   <li>a read sees every write of the same place that completed before the read was called;
 *   <li>of two writes of the same place the later one stays, if it was called after the earlier one
 *       completed;
 *   <li>a {@link #sync} makes durable what completed before the sync was called.
 * </ul>
 *
 * Requests in flight at the same time are processed in any order and in pieces. Where they overlap,
 * a read may see some units from before a write and some from after it, or torn ones; a sync may
 * cover the write or not. If order matters, wait for the first before requesting the second.
 *
 * <h2>For users</h2>
 *
 * Sinks, sources and stages that depend on a future (but for the {@code …Async} ones) may run on a
 * thread of the store. They may make requests, but must neither wait for a request of the same
 * store nor close it, and should be quick, since others wait for the thread. Users must not
 * complete or cancel a future: that would not end the request.
 *
 * <p>Security: the medium sees what it would see of the same requests to a {@link BlockStore}. The
 * order of requests in flight depends on the machine's scheduling and on how fast the medium
 * answers, never on the content of pieces.
 *
 * <p>Thread safety: safe.
 */
public interface AsyncBlockStore extends Closeable {

  /** Returns the size of the address space in bytes. */
  long capacityBytes();

  /** Reads all extents of the batch; fails as {@link BlockStore#read} does. */
  CompletableFuture<Void> read(ExtentBatch batch, UnitSink sink);

  /** Reads the XOR of the units of each group, as {@link BlockStore#readXor} does. */
  default CompletableFuture<Void> readXor(ExtentBatch batch, XorGroups groups, UnitSink results) {
    return read(batch, groups.into(results));
  }

  /** Writes all extents of the batch; fails as {@link BlockStore#write} does. */
  CompletableFuture<Void> write(ExtentBatch batch, UnitSource source);

  /** Completes once everything written before is durable; fails as {@link BlockStore#sync} does. */
  CompletableFuture<Void> sync();

  /** Ends all requests, as described above. The store below stays open; its opener closes it. */
  @Override
  void close();
}
