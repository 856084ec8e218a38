package io.github.roram.detwo;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** One vectored request for pages. Not thread safe. */
final class PageRequest {

  /** The tree of all requests: DetWoORAM has no trees. */
  private static final int TREE = 0;

  /**
   * The most pages that are read along between two wanted ones: two refreshed pages may have one
   * holding page between them, and reading it costs less than another extent.
   */
  private static final int MOST_BETWEEN = 1;

  private static final int BETWEEN = -1;
  private static final long NOWHERE = -1;

  private final BlockStore store;
  private final Areas areas;
  private final ExtentBatch batch = new ExtentBatch();

  /** The number of the page in each unit of the batch; {@link #BETWEEN} for pages read along. */
  private int[] numbers = new int[16];

  private int units;
  private int pages;

  /** Byte offset of the end of the last page. */
  private long end = NOWHERE;

  PageRequest(BlockStore store, Areas areas) {
    this.store = store;
    this.areas = areas;
  }

  /** Begins a request. */
  PageRequest reset(IoPhase phase) {
    batch.reset(phase, TREE, areas.pageBytes());
    units = 0;
    pages = 0;
    end = NOWHERE;
    return this;
  }

  /** Adds a page to be read. */
  void add(Page page) {
    long offset = areas.offset(page.area(), page.number());
    while (isNear(offset) && end < offset) {
      addUnit(end, BETWEEN);
    }
    addUnit(offset, pages++);
  }

  /** Returns whether a page lies so little behind the last one that one extent has both. */
  boolean isNear(Page page) {
    return isNear(areas.offset(page.area(), page.number()));
  }

  private boolean isNear(long offset) {
    return end != NOWHERE
        && offset >= end
        && offset <= end + MOST_BETWEEN * (long) areas.pageBytes();
  }

  private void addUnit(long offset, int number) {
    if (units == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * units);
    }
    numbers[units++] = number;
    batch.add(offset, 1);
    end = offset + areas.pageBytes();
  }

  /** Returns how many pages were added. */
  int pages() {
    return pages;
  }

  /** Takes pages that were read. */
  @FunctionalInterface
  interface Taker {
    /** Takes all bytes of the page that was added with this number out of a buffer. */
    void take(int number, ByteBuffer bytes);
  }

  /** Reads the pages that were added, and passes them on in that order. */
  void read(Taker taker) throws IOException {
    if (pages == 0) {
      return;
    }
    store.read(
        batch,
        (firstUnit, bytes) -> {
          for (int unit = firstUnit; bytes.hasRemaining(); unit++) {
            if (numbers[unit] == BETWEEN) {
              bytes.position(bytes.position() + areas.pageBytes());
            } else {
              taker.take(numbers[unit], bytes);
            }
          }
        });
  }

  /**
   * Writes the targets of jobs, of which there is at least one.
   *
   * @param before called with each job before its target is taken
   */
  void writeTargets(List<PageJob> of, IoPhase phase, Consumer<PageJob> before) throws IOException {
    reset(phase);
    for (PageJob job : of) {
      addAlone(job.target());
    }
    write(
        (firstUnit, bytes) -> {
          for (int unit = firstUnit; bytes.hasRemaining(); unit++) {
            PageJob job = of.get(unit);
            before.accept(job);
            job.give(bytes);
          }
        });
  }

  /** Adds a page to be written. */
  void addAlone(Page page) {
    addUnit(areas.offset(page.area(), page.number()), pages++);
  }

  /** Writes the pages that were added with {@link #addAlone}. */
  void write(UnitSource source) throws IOException {
    store.write(batch, source);
  }
}
