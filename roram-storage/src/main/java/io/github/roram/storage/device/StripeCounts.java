package io.github.roram.storage.device;

import io.github.roram.storage.striped.StripePlacement;
import io.github.roram.storage.striped.StripedSlice;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.StoreParts;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Counts the seeks that a striped store would make for the same requests, on each of its stripes
 * and in sequence (rORAM, §VIII-A). No data are moved: levels are placed, and requests cut into
 * slices, as a store with that many stripes does.
 *
 * <p>Within a slice the stripes work concurrently, and slices follow one another. So a slice's
 * seeks in sequence are those of the stripe with the most; those of a request, and of all requests,
 * are the sums over the slices.
 *
 * <p>Only successful calls are counted. Thread safety: safe; concurrent calls are counted as if
 * they were made one after another.
 */
public final class StripeCounts extends FilterBlockStore {

  private final int stripes;
  private final long topBytes;
  private final Object lock = new Object();
  private StripePlacement placement = new StripePlacement(new StoreParts(List.of()), 1);

  /** Where each stripe stands. */
  private final long[] positions;

  private final long[] seeks;
  private final long[] bytes;
  private final long[] savedByXor;
  private final long[] seeksInSlice;
  private final long[] bytesInSlice;
  private int usedInSlice;
  private long seeksInSequence;
  private long bytesInSequence;

  /** Counts as if {@code delegate} were striped over this many stores. */
  public StripeCounts(BlockStore delegate, int stripes) {
    this(delegate, stripes, 0);
  }

  /**
   * Counts for stripes of which the first has the top levels.
   *
   * @param topBytes most bytes of the top levels on the first stripe
   */
  public StripeCounts(BlockStore delegate, int stripes, long topBytes) {
    super(delegate);
    this.topBytes = topBytes;
    if (stripes < 1) {
      throw new IllegalArgumentException("there are " + stripes + " stripes, must be at least 1");
    }
    this.stripes = stripes;
    positions = new long[stripes];
    Arrays.fill(positions, -1);
    seeks = new long[stripes];
    bytes = new long[stripes];
    savedByXor = new long[stripes];
    seeksInSlice = new long[stripes];
    bytesInSlice = new long[stripes];
  }

  @Override
  public void arrange(StoreParts parts) {
    synchronized (lock) {
      placement = StripePlacement.withTop(parts, stripes, topBytes, capacityBytes());
    }
    super.arrange(parts);
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    delegate.read(batch, sink);
    count(batch);
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    delegate.write(batch, source);
    count(batch);
  }

  /** Returns the number of stripes. */
  public int stripes() {
    return stripes;
  }

  /** Seeks on a stripe. */
  public long seeks(int stripe) {
    synchronized (lock) {
      return seeks[stripe];
    }
  }

  /** Returns the bytes of a stripe. */
  public long bytes(int stripe) {
    synchronized (lock) {
      return bytes[stripe];
    }
  }

  /**
   * Returns the bytes of a stripe that it would not move if it returned the XOR of the units that
   * accesses read, as one group a request; heads and tails are not counted.
   */
  public long savedByXor(int stripe) {
    synchronized (lock) {
      return savedByXor[stripe];
    }
  }

  /** Seeks one after another, while the other stripes work. */
  public long seeksInSequence() {
    synchronized (lock) {
      return seeksInSequence;
    }
  }

  /** Bytes one after another, while the other stripes work. */
  public long bytesInSequence() {
    synchronized (lock) {
      return bytesInSequence;
    }
  }

  /** Sets all counts to zero. Where the stripes stand is remembered. */
  public void reset() {
    synchronized (lock) {
      Arrays.fill(seeks, 0);
      Arrays.fill(bytes, 0);
      Arrays.fill(savedByXor, 0);
      seeksInSequence = 0;
      bytesInSequence = 0;
    }
  }

  private void count(ExtentBatch batch) {
    synchronized (lock) {
      int unitBytes = batch.unitBytes();
      long[] before = bytes.clone();
      for (int extent = 0; extent < batch.extents(); extent++) {
        for (int unit = 0; unit < batch.units(extent); ) {
          int units = Math.min(batch.units(extent) - unit, room(unitBytes));
          if (units == 0) {
            endSlice();
            continue;
          }
          long offset = batch.offset(extent) + (long) unit * unitBytes;
          add(offset, offset + (long) units * unitBytes);
          unit += units;
        }
      }
      endSlice();
      for (int stripe = 0; batch.phase() == IoPhase.READ && stripe < stripes; stripe++) {
        savedByXor[stripe] += Math.max(0, bytes[stripe] - before[stripe] - unitBytes);
      }
    }
  }

  private int room(int unitBytes) {
    int units = (StripedSlice.usualBytes(stripes) - usedInSlice) / unitBytes;
    return usedInSlice == 0 ? Math.max(1, units) : units;
  }

  private void add(long from, long to) {
    usedInSlice += (int) (to - from);
    for (long at = from; at < to; ) {
      long end = Math.min(to, placement.end(at));
      int stripe = placement.stripe(at);
      if (positions[stripe] != at) {
        seeks[stripe]++;
        seeksInSlice[stripe]++;
      }
      bytes[stripe] += end - at;
      bytesInSlice[stripe] += end - at;
      positions[stripe] = end;
      at = end;
    }
  }

  private void endSlice() {
    seeksInSequence += most(seeksInSlice);
    bytesInSequence += most(bytesInSlice);
    Arrays.fill(seeksInSlice, 0);
    Arrays.fill(bytesInSlice, 0);
    usedInSlice = 0;
  }

  private static long most(long[] of) {
    return Arrays.stream(of).max().orElse(0);
  }
}
