package io.github.roram.tree;

import io.github.roram.engine.StoreLog;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * In which key epoch each eviction of a tree was done, or each page of an area written.
 *
 * <p>A chunk that failed, or that a crash tore, is done again under a new epoch. What the first try
 * left behind is authentic but not what the client has: only the epoch tells the two apart.
 *
 * <p>Only those matter that can still be read, the last 2^h evictions of a tree. There is an entry
 * for each opening or failed write meanwhile, which is what everyone saw.
 */
public final class EpochHistory {

  private final long span;
  private long[] starts = new long[4];
  private int[] epochs = new int[4];
  private int entries;

  /**
   * An empty history.
   *
   * @param span how many of the last ones matter
   */
  public EpochHistory(long span) {
    this.span = span;
  }

  /** Records that evictions from {@code eviction} on are done in {@code epoch}. */
  public void note(long eviction, int epoch) {
    while (entries > 0 && starts[entries - 1] >= eviction) {
      entries--;
    }
    if (entries > 0 && epochs[entries - 1] == epoch) {
      return;
    }
    forgetBefore(eviction - span);
    if (entries == starts.length) {
      starts = Arrays.copyOf(starts, 2 * entries);
      epochs = Arrays.copyOf(epochs, 2 * entries);
    }
    starts[entries] = eviction;
    epochs[entries++] = epoch;
  }

  /** Drops what only concerns evictions before {@code eviction}. */
  private void forgetBefore(long eviction) {
    int drop = 0;
    while (drop + 1 < entries && starts[drop + 1] <= eviction) {
      drop++;
    }
    System.arraycopy(starts, drop, starts, 0, entries - drop);
    System.arraycopy(epochs, drop, epochs, 0, entries - drop);
    entries -= drop;
  }

  /** The first eviction whose epoch is known; the largest number if none is. */
  public long first() {
    return entries == 0 ? Long.MAX_VALUE : starts[0];
  }

  /** The epoch of an eviction that was done. */
  public int epochOf(long eviction) {
    int entry = entries - 1;
    while (entry > 0 && starts[entry] > eviction) {
      entry--;
    }
    return entry < 0 ? 0 : epochs[entry];
  }

  /** The first eviction after this one that is of another epoch; the largest number if none is. */
  public long endOfEpoch(long eviction) {
    for (int entry = 1; entry < entries; entry++) {
      if (starts[entry] > eviction) {
        return starts[entry];
      }
    }
    return Long.MAX_VALUE;
  }

  /** The epochs of the evictions from {@code first} to {@code end}, which were done. */
  public List<StoreLog.Span> spans(long first, long end) {
    List<StoreLog.Span> spans = new ArrayList<>();
    for (long start = first; start < end; ) {
      long next = Math.min(end, endOfEpoch(start));
      spans.add(new StoreLog.Span(start, next, epochOf(start)));
      start = next;
    }
    return spans;
  }

  /** Records all that another history of the same tree has. */
  void noteAll(EpochHistory other) {
    for (int i = 0; i < other.entries; i++) {
      note(other.starts[i], other.epochs[i]);
    }
  }

  /** All that was done has been sealed again, in an epoch. */
  public void resealed(int epoch) {
    if (entries > 0) {
      epochs[0] = epoch;
      entries = 1;
    }
  }

  /** Forgets all. */
  public void clear() {
    entries = 0;
  }

  /** Saves it. */
  public void writeTo(DataOutput out) throws IOException {
    out.writeInt(entries);
    for (int i = 0; i < entries; i++) {
      out.writeLong(starts[i]);
      out.writeInt(epochs[i]);
    }
  }

  /** Loads what {@link #writeTo} saved. */
  public void readFrom(DataInput in) throws IOException {
    clear();
    for (int i = in.readInt(); i > 0; i--) {
      note(in.readLong(), in.readInt());
    }
  }
}
