package io.github.roram.paging;

import com.carrotsearch.hppc.LongIntHashMap;
import io.github.roram.paging.Replacement.ReplacementPolicy;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * The pages held in the clear, and the faults that bring in others (Keystone paging paper, section
 * 3, steps 2 to 5): if no frame is empty, the victim is written; then the requested page is read.
 *
 * <p>The victim is written whether or not it was changed, so that a fault is one write and one read
 * whatever the program does. While frames are empty, it is only a read; how long that lasts depends
 * only on the number of faults. A failed fault leaves every page either here or in the store. Not
 * thread safe.
 */
final class WorkingSet {

  private static final long NO_PAGE = -1;

  private final PageStore store;
  private final boolean writeClean;
  private final ReplacementPolicy policy;
  private final LongSupplier nanoClock;
  private final LongIntHashMap frameOf;
  private final byte[][] frames;
  private final long[] pageOf;
  private final boolean[] dirty;
  private final int[] pins;
  // The frame accessed last: the next access mostly goes there, and then changes no policy.
  private long latestPage = NO_PAGE;
  private int latestFrame;

  /** The first empty frame. */
  private int firstEmpty;

  private long faults;
  private long pageReads;
  private long pageWrites;
  private long faultNanos;

  WorkingSet(PageStore store, PagingOptions options, LongSupplier nanoClock) {
    int count = (int) Math.min(options.workingSetPages(), store.pages());
    this.store = store;
    this.nanoClock = nanoClock;
    writeClean = !options.revealCleanPages();
    policy = options.replacement().policy(count);
    frameOf = new LongIntHashMap(count);
    frames = new byte[count][store.pageBytes()];
    pageOf = new long[count];
    Arrays.fill(pageOf, NO_PAGE);
    dirty = new boolean[count];
    pins = new int[count];
  }

  /** Returns the bytes of a page, for reading. They belong to the page until the next call. */
  byte[] read(long page) throws IOException {
    return frames[frame(page)];
  }

  /** Returns the bytes of a page, for writing. They belong to the page until the next call. */
  byte[] write(long page) throws IOException {
    int frame = frame(page);
    dirty[frame] = true;
    return frames[frame];
  }

  /** Keeps a page here until it has been unpinned as often as pinned. */
  void pin(long page) throws IOException {
    pins[frame(page)]++;
  }

  void unpin(long page) {
    pins[frameOf.get(page)]--;
  }

  private int frame(long page) throws IOException {
    if (page == latestPage) {
      return latestFrame;
    }
    int frame = frameOf.getOrDefault(page, ReplacementPolicy.NONE);
    if (frame == ReplacementPolicy.NONE) {
      long start = nanoClock.getAsLong();
      try {
        frame = fault(page);
      } finally {
        faultNanos += nanoClock.getAsLong() - start;
      }
    } else {
      policy.touched(frame);
    }
    latestPage = page;
    latestFrame = frame;
    return frame;
  }

  private int fault(long page) throws IOException {
    int frame = emptyFrame();
    store.read(page, frames[frame]);
    pageReads++;
    faults++;
    pageOf[frame] = page;
    frameOf.put(page, frame);
    policy.loaded(frame);
    return frame;
  }

  private int emptyFrame() throws IOException {
    if (frameOf.size() < frames.length) {
      while (pageOf[firstEmpty] != NO_PAGE) {
        firstEmpty++;
      }
      return firstEmpty;
    }
    int victim = policy.victim(frame -> pins[frame] == 0);
    if (victim == ReplacementPolicy.NONE) {
      throw new IllegalStateException(
          "all "
              + frames.length
              + " pages of the working set are pinned; close a pin, or take a larger working set");
    }
    writeBack(victim);
    empty(victim);
    return victim;
  }

  private void writeBack(int frame) throws IOException {
    if (dirty[frame] || writeClean) {
      store.write(pageOf[frame], frames[frame]);
      pageWrites++;
      dirty[frame] = false;
    }
  }

  private void empty(int frame) {
    if (pageOf[frame] == latestPage) {
      latestPage = NO_PAGE;
    }
    frameOf.remove(pageOf[frame]);
    pageOf[frame] = NO_PAGE;
    firstEmpty = Math.min(firstEmpty, frame);
    policy.emptied(frame);
  }

  /** Writes all pages held here, changed or not, and makes them durable. */
  void flush() throws IOException {
    for (int frame = 0; frame < frames.length; frame++) {
      if (pageOf[frame] != NO_PAGE) {
        writeBack(frame);
      }
    }
    store.flush();
  }

  /** Overwrites the pages held in the clear. */
  void wipe() {
    for (byte[] frame : frames) {
      Arrays.fill(frame, (byte) 0);
    }
  }

  PagingStats stats() {
    return new PagingStats(faults, pageReads, pageWrites, faultNanos);
  }
}
