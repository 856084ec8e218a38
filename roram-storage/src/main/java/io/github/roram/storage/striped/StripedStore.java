package io.github.roram.storage.striped;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.StoreParts;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * One store on several others, its stripes, which are read and written at the same time (rORAM,
 * §VIII-A). Which stripe has a byte follows from the layout of the ORAM ({@link #arrange}); the
 * byte is there at the same offset, after the stripe's {@link StripeDescriptor}. So a stripe has
 * holes, which take no room in files.
 *
 * <p>A request is done in slices of some megabytes: all stripes read theirs, then the caller gets
 * it in order. What is on one stripe alone goes there directly.
 *
 * <p>Security: who watches a stripe sees what is read and written on it, a part of what the watcher
 * of a single store sees. Nothing that is done depends on what the units hold.
 *
 * <p>Thread safety: safe.
 */
final class StripedStore implements BlockStore {

  private final List<BlockStore> stripes;
  private final long capacityBytes;
  private final Together together;
  private final Queue<Slice> slices = new ConcurrentLinkedQueue<>();
  private volatile Placement placement = new Placement();
  private volatile boolean closed;

  /**
   * Takes the stripes over.
   *
   * @param stripes each of {@code capacityBytes} and its descriptor
   */
  StripedStore(List<BlockStore> stripes, long capacityBytes) {
    this.stripes = List.copyOf(stripes);
    this.capacityBytes = capacityBytes;
    together = new Together(stripes.size());
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  /** Each stripe is told what of it there is. */
  @Override
  public void arrange(StoreParts parts) {
    Placement next = new Placement(parts, stripes.size());
    placement = next;
    for (int stripe = 0; stripe < stripes.size(); stripe++) {
      stripes.get(stripe).arrange(next.on(stripe, StripeDescriptor.BYTES));
    }
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
    Placement current = placement;
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

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    check(batch);
    Placement current = placement;
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

  /** The stripe that has all of a request; −1 if it takes several. */
  private static int only(ExtentBatch batch, Placement placement) {
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

  /** What is done with each slice. */
  private interface SliceTransfer {
    void run(Slice slice) throws IOException;
  }

  private void inSlices(ExtentBatch batch, Placement current, SliceTransfer transfer)
      throws IOException {
    Slice free = slices.poll();
    Slice slice = free == null ? new Slice(stripes) : free;
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
    slices.add(slice);
  }

  @Override
  public void sync() throws IOException {
    checkOpen();
    together.run(stripes, BlockStore::sync);
  }

  /** Each stripe keeps it, so that one that is put back is found out by the others. */
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
}
