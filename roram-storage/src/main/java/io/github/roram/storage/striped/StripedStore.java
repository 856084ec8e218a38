package io.github.roram.storage.striped;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.StoreParts;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.store.XorGroups;
import io.github.roram.threads.DaemonThreads;
import io.github.roram.threads.Futures;
import io.github.roram.threads.Uninterrupted;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One store on several others, its stripes, which are read and written concurrently (rORAM,
 * §VIII-A). The stripe of a byte follows from the layout of the ORAM ({@link #arrange}); the byte
 * has the same offset there, after the stripe's {@link StripeDescriptor}. So a stripe has holes,
 * which take no space in files.
 *
 * <p>A request is carried out in slices of some megabytes: all stripes read their parts, then the
 * caller receives the slice in order. A request to a single stripe goes to it directly.
 *
 * <p>Security: an observer of a stripe sees its reads and writes, which are part of what an
 * observer of a single store sees. Nothing depends on the units' content.
 *
 * <p>Thread safety: safe.
 */
final class StripedStore implements BlockStore {

  private static final Logger LOG = LoggerFactory.getLogger(StripedStore.class);

  private final List<BlockStore> stripes;
  private final long capacityBytes;
  private final long topBytes;
  private final StripeThreads together;

  /**
   * Free slices by their number of halvings: many short concurrent requests do not take long
   * slices.
   */
  private final List<Queue<StripedSlice>> slices =
      Stream.<Queue<StripedSlice>>generate(ConcurrentLinkedQueue::new)
          .limit(StripedSlice.MOST_HALVINGS + 1)
          .toList();

  private volatile StripePlacement placement = new StripePlacement();
  private volatile boolean closed;

  /**
   * Takes the stripes over.
   *
   * @param stripes each of {@code capacityBytes} and its descriptor
   * @param topBytes most bytes of top levels that the first stripe has by itself; 0 if it has its
   *     share of all levels
   */
  StripedStore(List<BlockStore> stripes, long capacityBytes, long topBytes) {
    this(stripes, capacityBytes, topBytes, StripeThreads.pool(stripes.size()));
  }

  /**
   * Creates a store with a pool of its own.
   *
   * @param pool reads and writes stripes concurrently; ended when this is closed
   */
  StripedStore(List<BlockStore> stripes, long capacityBytes, long topBytes, ExecutorService pool) {
    this.stripes = List.copyOf(stripes);
    this.capacityBytes = capacityBytes;
    this.topBytes = topBytes;
    together = new StripeThreads(pool);
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  /** Tells each stripe which parts it has. */
  @Override
  public void arrange(StoreParts parts) {
    StripePlacement next = StripePlacement.withTop(parts, stripes.size(), topBytes, capacityBytes);
    if (next.lacksTop()) {
      LOG.warn(
          "no level of a tree fits in the {} bytes of the first stripe: it stays empty", topBytes);
    }
    placement = next;
    for (int stripe = 0; stripe < stripes.size(); stripe++) {
      stripes.get(stripe).arrange(next.on(stripe, StripeDescriptor.BYTES));
    }
  }

  /** With one more level, each level would be on the next stripe. */
  @Override
  public boolean takesMoreParts() {
    return false;
  }

  @Override
  public boolean isBeside(Path place) {
    return stripes.stream().anyMatch(stripe -> stripe.isBeside(place));
  }

  @Override
  public boolean showsReads() {
    return stripes.stream().anyMatch(BlockStore::showsReads);
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    check(batch);
    StripePlacement current = placement;
    int only = only(batch, current);
    if (only >= 0) {
      stripes.get(only).read(shifted(batch), sink);
      return;
    }
    inSlices(
        batch,
        current,
        slice -> {
          together.run(slice.lanes(), lane -> lane.read(batch, slice.bytes()));
          slice.give(sink);
        });
  }

  /** A stripe computes the XOR of units that it has alone; across stripes it is computed here. */
  @Override
  public boolean computesXor() {
    return stripes.stream().anyMatch(BlockStore::computesXor);
  }

  @Override
  public void readXor(ExtentBatch batch, XorGroups groups, UnitSink results) throws IOException {
    check(batch);
    StripePlacement current = placement;
    int only = only(batch, current);
    if (only >= 0) {
      stripes.get(only).readXor(shifted(batch), groups, results);
    } else if (hasUnitOnTwo(batch, current)) {
      read(batch, groups.into(results));
    } else {
      for (int group = 0; group < groups.groups(); ) {
        StripedXor next = new StripedXor(stripes, current, batch, groups, group);
        together.run(next.lanes(), StripedXor.Lane::read);
        next.give(results);
        group = next.end();
      }
    }
  }

  private static boolean hasUnitOnTwo(ExtentBatch batch, StripePlacement placement) {
    for (int extent = 0; extent < batch.extents(); extent++) {
      long offset = batch.offset(extent);
      long end = offset + batch.bytes(extent);
      while (placement.end(offset) < end) {
        if ((placement.end(offset) - batch.offset(extent)) % batch.unitBytes() != 0) {
          return true;
        }
        offset = placement.end(offset);
      }
    }
    return false;
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    check(batch);
    StripePlacement current = placement;
    int only = only(batch, current);
    if (only >= 0) {
      stripes.get(only).write(shifted(batch), source);
      return;
    }
    inSlices(
        batch,
        current,
        slice -> {
          slice.take(source);
          together.run(slice.lanes(), lane -> lane.write(batch, slice.bytes()));
        });
  }

  private void check(ExtentBatch batch) throws ClosedChannelException {
    checkOpen();
    batch.checkWithin(capacityBytes);
  }

  private void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  /** Returns the stripe that has a whole request; −1 if it spans several. */
  private static int only(ExtentBatch batch, StripePlacement placement) {
    int stripe = batch.extents() == 0 ? 0 : placement.stripe(batch.offset(0));
    for (int i = 0; i < batch.extents(); i++) {
      long offset = batch.offset(i);
      if (placement.stripe(offset) != stripe || placement.end(offset) - offset < batch.bytes(i)) {
        return -1;
      }
    }
    return stripe;
  }

  private static ExtentBatch shifted(ExtentBatch batch) {
    ExtentBatch shifted = new ExtentBatch().reset(batch.phase(), batch.tree(), batch.unitBytes());
    for (int i = 0; i < batch.extents(); i++) {
      shifted.add(StripeDescriptor.BYTES + batch.offset(i), batch.units(i));
    }
    return shifted;
  }

  /** An operation on each slice. */
  private interface SliceTransfer {
    void run(StripedSlice slice) throws IOException;
  }

  private void inSlices(ExtentBatch batch, StripePlacement current, SliceTransfer transfer)
      throws IOException {
    int halvings = StripedSlice.halvings(stripes.size(), batch.bytes());
    Queue<StripedSlice> alike = slices.get(halvings);
    StripedSlice free = alike.poll();
    StripedSlice slice = free == null ? new StripedSlice(stripes, halvings) : free;
    slice.clear();
    int unitBytes = batch.unitBytes();
    for (int extent = 0; extent < batch.extents(); extent++) {
      for (int unit = 0; unit < batch.units(extent); ) {
        int units = Math.min(batch.units(extent) - unit, slice.room(unitBytes));
        if (units == 0) {
          transfer.run(slice);
          slice.clear();
          continue;
        }
        long offset = batch.offset(extent) + (long) unit * unitBytes;
        slice.add(batch.firstUnit(extent) + unit, offset, units, unitBytes, current);
        unit += units;
      }
    }
    transfer.run(slice);
    alike.add(slice);
  }

  @Override
  public void sync() throws IOException {
    checkOpen();
    together.run(stripes, BlockStore::sync);
  }

  /** Each stripe keeps the watermark, so that the others reveal a stripe that was rolled back. */
  @Override
  public void keepWatermark(byte[] watermark, boolean durably) throws IOException {
    checkOpen();
    for (BlockStore stripe : stripes) {
      stripe.keepWatermark(watermark, durably);
    }
  }

  @Override
  public List<byte[]> watermarks() throws IOException {
    checkOpen();
    List<byte[]> all = new ArrayList<>();
    for (BlockStore stripe : stripes) {
      all.addAll(stripe.watermarks());
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      together.run(stripes, BlockStore::close);
    } finally {
      together.close();
    }
  }

  @Override
  public String toString() {
    return stripes.stream()
        .map(Object::toString)
        .collect(Collectors.joining(", ", "striped(", ")"));
  }

  /**
   * Does something with several stripes at the same time. Returns when all are done, also where one
   * failed: then nothing of the request is still under way.
   */
  private static final class StripeThreads implements AutoCloseable {

    /** Number of concurrent requests that have threads of their own for their stripes. */
    private static final int REQUESTS = 4;

    private final ExecutorService pool;

    StripeThreads(ExecutorService pool) {
      this.pool = pool;
    }

    static ExecutorService pool(int stripes) {
      return DaemonThreads.pool("roram-stripe", REQUESTS * Math.max(1, stripes - 1));
    }

    /** An operation on each stripe. */
    interface Action<T> {
      void run(T one) throws IOException;
    }

    /** Does it with all, with the last one on the calling thread. */
    <T> void run(List<T> all, Action<T> action) throws IOException {
      List<Future<?>> others = new ArrayList<>();
      @Nullable Throwable failure = null;
      for (int i = 0; i < all.size() && failure == null; i++) {
        T one = all.get(i);
        try {
          if (i == all.size() - 1 || !handOver(() -> call(one, action), others)) {
            action.run(one);
          }
        } catch (RejectedExecutionException e) {
          failure = new ClosedChannelException();
        } catch (IOException | RuntimeException | Error e) {
          failure = e;
        }
      }
      for (Future<?> other : others) {
        failure = first(failure, await(other));
      }
      Futures.rethrow(failure);
    }

    /**
     * Runs a task on the pool; returns false if no thread is available, so that the caller must run
     * it.
     */
    private boolean handOver(Callable<?> task, List<Future<?>> others) {
      try {
        others.add(pool.submit(task));
        return true;
      } catch (OutOfMemoryError e) {
        return false;
      }
    }

    private static <T> @Nullable Void call(T one, Action<T> action) throws IOException {
      action.run(one);
      return null;
    }

    /** Waits for a task; returns its failure, or null. Interrupts are restored afterwards. */
    private static @Nullable Throwable await(Future<?> task) {
      try {
        Uninterrupted.await(task::get);
        return null;
      } catch (ExecutionException e) {
        return e.getCause();
      }
    }

    private static @Nullable Throwable first(@Nullable Throwable one, @Nullable Throwable other) {
      if (one == null || other == null) {
        return one == null ? other : one;
      }
      one.addSuppressed(other);
      return one;
    }

    @Override
    public void close() {
      pool.shutdown();
    }
  }
}
