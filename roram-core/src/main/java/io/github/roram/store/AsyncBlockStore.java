package io.github.roram.store;

import java.io.Closeable;
import java.util.concurrent.CompletableFuture;

/**
 * A {@link BlockStore} whose requests return at once and complete later, many at the same time.
 * {@link BlockStore#async} makes one of any store.
 *
 * <h2>Obligations of an implementation</h2>
 *
 * <ul>
 *   <li>{@link #read}, {@link #write} and {@link #sync} never wait: neither for the medium, nor for
 *       other requests, nor for a sink or source. What they have to tell, errors of the caller
 *       included, they tell by the future that they return.
 *   <li>From the call to the completion of its future the batch, and the sink or source, belong to
 *       the store. After that the store touches neither.
 *   <li>Pieces are as {@link BlockStore} has them: every unit exactly once, in the order of the
 *       batch. One thread at a time calls the sink or source of a request, and each call sees what
 *       the one before did; so does the thread that waits for the future. It may be another thread
 *       each time.
 *   <li>A request that fails completes exceptionally, with what the blocking store throws or what
 *       the sink or source threw. Nothing that was asked before or after it is disturbed by it.
 *   <li>As many requests as it was made for are under way at the same time, more wait. They are
 *       begun in the order in which they were asked for.
 *   <li>{@link #close} is idempotent. Requests under way are finished or fail, those that wait
 *       fail, both with {@link java.nio.channels.ClosedChannelException}; so does every request
 *       after it. When it returns, all futures are complete, and no sink or source is called any
 *       more. Nothing is said of whether a write that failed so was made in part.
 * </ul>
 *
 * <h2>Order</h2>
 *
 * A request sees, or covers, what completed before it was asked for, and nothing else is promised:
 *
 * <ul>
 *   <li>a read sees every write of the same place that completed before the read was asked for;
 *   <li>of two writes of the same place the later one stays, if it was asked for after the earlier
 *       one completed;
 *   <li>a {@link #sync} makes durable what completed before the sync was asked for.
 * </ul>
 *
 * Requests that are under way at the same time are done in any order and in pieces. Where they
 * meet, a read may see some units from before a write and some from after it, or torn ones; a sync
 * may cover the write or not. If order matters, wait for the first before requesting the second.
 *
 * <h2>For users</h2>
 *
 * Sinks, sources and stages that depend on a future (but for the {@code …Async} ones) may run on a
 * thread of the store. They may ask for more, but must neither wait for a request of the same store
 * nor close it, and should be quick, since others wait for the thread. A future is not to be
 * completed or cancelled by its user: that would not end the request.
 *
 * <p>Security: what the medium sees is what the same requests show of a {@link BlockStore}. The
 * order of those under way at the same time depends on the machine's scheduling and on how fast the
 * medium answers, never on what the pieces hold.
 *
 * <p>Thread safety: safe.
 */
public interface AsyncBlockStore extends Closeable {

  /** Size of the address space in bytes. */
  long capacityBytes();

  /** Reads all extents of the batch; fails as {@link BlockStore#read} does. */
  CompletableFuture<Void> read(ExtentBatch batch, UnitSink sink);

  /** Reads the XOR of the units of each group: as {@link BlockStore#readXor}. */
  default CompletableFuture<Void> readXor(ExtentBatch batch, XorGroups groups, UnitSink results) {
    return read(batch, groups.into(results));
  }

  /** Writes all extents of the batch; fails as {@link BlockStore#write} does. */
  CompletableFuture<Void> write(ExtentBatch batch, UnitSource source);

  /** Completes once everything written before is durable; fails as {@link BlockStore#sync} does. */
  CompletableFuture<Void> sync();

  /** Ends all requests, as said above. The store below stays open; its opener closes it. */
  @Override
  void close();
}
