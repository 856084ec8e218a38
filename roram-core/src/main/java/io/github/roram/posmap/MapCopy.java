package io.github.roram.posmap;

import com.carrotsearch.hppc.IntObjectHashMap;
import io.github.roram.checkpoint.GradualCopy;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The copy of a {@link LocalPositionMap}: its length, then pages of {@value #PAGE_RANGES} ranges,
 * each behind a boolean that says whether any of them has a remembered label. Pages without are
 * left out.
 */
final class MapCopy implements GradualCopy {

  static final int PAGE_RANGES = 1024;

  /** Stands for a page without a remembered label, which is left out. */
  private static final int[] UNTOUCHED = {};

  private final MapArray labels;
  private final long mostLabels;
  private final ByteBuffer bytes = ByteBuffer.allocate(PAGE_RANGES * Integer.BYTES);

  /** Pages that changed before they were written, as they were. */
  private final IntObjectHashMap<int[]> aside = new IntObjectHashMap<>();

  /** The next page; −1 before the length is written. */
  private int next = -1;

  MapCopy(MapArray labels, long mostLabels) {
    this.labels = labels;
    this.mostLabels = mostLabels;
  }

  /** As if each label that was asked for were in a page of its own. */
  @Override
  public long mostBytes() {
    int pages = (labels.length() + PAGE_RANGES - 1) / PAGE_RANGES;
    long touched = Math.min(pages, mostLabels);
    return Integer.BYTES + pages + Math.min(labels.length(), touched * PAGE_RANGES) * Integer.BYTES;
  }

  /** A label of this range is about to change. */
  void beforeChange(int range) {
    int page = range / PAGE_RANGES;
    if (page >= next && !aside.containsKey(page)) {
      aside.put(page, page(page));
    }
  }

  /** A label is about to be remembered: a page that is left out now is so later. */
  void beforeNoted(int range) {
    int page = range / PAGE_RANGES;
    if (page >= next && !aside.containsKey(page) && !isTouched(page(page))) {
      aside.put(page, UNTOUCHED);
    }
  }

  private int[] page(int page) {
    int[] copied = new int[ranges(page)];
    labels.get(page * PAGE_RANGES, copied, copied.length);
    return copied;
  }

  private int ranges(int page) {
    return Math.min(PAGE_RANGES, labels.length() - page * PAGE_RANGES);
  }

  @Override
  public boolean step(DataOutput out) throws IOException {
    if (next < 0) {
      out.writeInt(labels.length());
    } else {
      int[] page = aside.remove(next);
      write(page == null ? page(next) : page, out);
    }
    next++;
    return (long) next * PAGE_RANGES < labels.length();
  }

  private void write(int[] page, DataOutput out) throws IOException {
    boolean touched = isTouched(page);
    out.writeBoolean(touched);
    if (touched) {
      bytes.asIntBuffer().put(page);
      out.write(bytes.array(), 0, page.length * Integer.BYTES);
    }
  }

  private static boolean isTouched(int[] page) {
    for (int label : page) {
      if (label != 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void end() {
    labels.copyEnded();
  }
}
