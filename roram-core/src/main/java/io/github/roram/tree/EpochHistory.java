package io.github.roram.tree;

import io.github.roram.engine.StoreLog;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The key epoch of each eviction of a tree, or of each page of an area.
 *
 * <p>A chunk that failed, or that a crash tore, is done again under a new epoch. The buckets of the
 * first attempt are authentic but unknown to the client: only the epoch distinguishes the two.
 *
 * <p>Only evictions whose buckets can still be read matter, the last 2^h of a tree. Among these
 * there is one entry for each opening and each failed write, which every observer has seen.
 */
public final class EpochHistory {

  private final long span;
  private long[] starts = new long[4];
  private int[] epochs = new int[4];
  private int entries;

  /**
   * Creates an empty history.
   *
   * @param span number of the latest evictions that matter
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

  /** Returns the first eviction whose epoch is known; the largest number if none is. */
  public long first() {
    return entries == 0 ? Long.MAX_VALUE : starts[0];
  }

  /** Returns the epoch of a completed eviction. */
  public int epochOf(long eviction) {
    int entry = entries - 1;
    while (entry > 0 && starts[entry] > eviction) {
      entry--;
    }
    return entry < 0 ? 0 : epochs[entry];
  }

  /** Returns the first later eviction of another epoch; the largest number if there is none. */
  public long endOfEpoch(long eviction) {
    for (int entry = 1; entry < entries; entry++) {
      if (starts[entry] > eviction) {
        return starts[entry];
      }
    }
    return Long.MAX_VALUE;
  }

  /** Returns the epochs of the completed evictions from {@code first} to {@code end}. */
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

  /** Records that every completed eviction has been sealed again in one epoch. */
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
