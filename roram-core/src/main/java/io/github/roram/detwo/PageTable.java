package io.github.roram.detwo;

import io.github.roram.IntegrityException;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.detwo.Areas.Area;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * Where the newest copy of each block is, and how far writing has come: all that the client must
 * remember. Its saved form is
 *
 * <pre>
 *   writes p u64 | settled s u64
 *   epochs of the holding area: count u32, each first number u64, epoch u32; those of the main area
 *   position map, packed: see {@link HoldingMap}
 * </pre>
 *
 * <p>Settled are the writes whose refreshes are done: all, but after a crash that may have lost
 * some of them.
 *
 * <p>Not thread safe.
 */
final class PageTable {

  private final Areas areas;
  private final HoldingMap map;
  private final Epochs holdingEpochs;
  private final Epochs mainEpochs;
  private long writes;
  private long settled;

  PageTable(Areas areas) {
    this.areas = areas;
    map = new HoldingMap(areas.blocks(), areas.heldWrites());
    holdingEpochs = new Epochs(areas.heldWrites());
    mainEpochs = new Epochs(areas.heldRefreshes());
  }

  /** p, the number of the next write. */
  long writes() {
    return writes;
  }

  /** The writes whose refreshes are done. */
  long settled() {
    return settled;
  }

  /** Refreshes that are done. */
  long refreshes() {
    return areas.refreshes(settled);
  }

  /** The first write whose page may still be needed. */
  long firstHeld() {
    return areas.firstHeld(settled);
  }

  /** The first refresh whose page may still be needed. */
  long firstRefreshed() {
    return Math.max(0, refreshes() - areas.blocks());
  }

  /** Names the page that has the newest content of a block. */
  Page locate(int block, Page page) {
    int slot = map.slot(block);
    if (slot >= 0) {
      return name(Area.HOLDING, areas.lastWrite(slot, writes), page);
    }
    long refresh = areas.lastRefresh(block, refreshes());
    return refresh < 0 ? page.setNone() : name(Area.MAIN, refresh, page);
  }

  /** Names a page by its number; none if a load left it out. */
  Page name(Area area, long number, Page page) {
    int epoch = (area == Area.MAIN ? mainEpochs : holdingEpochs).of(number);
    return epoch == Epochs.NEVER ? page.setNone() : page.set(area, number, epoch);
  }

  /**
   * Blocks were written by the next writes, all of an epoch, and what belongs to them refreshed.
   */
  void written(int firstBlock, int count, int epoch) {
    held(firstBlock, count, epoch, areas.refreshes(writes + count));
    settled = writes;
  }

  /** Blocks were written by the next writes; what belongs to them may not be refreshed. */
  void held(int firstBlock, int count, int epoch) {
    held(firstBlock, count, epoch, refreshes());
  }

  /**
   * What is refreshed here was refreshed as it was before these writes, so the blocks that they
   * wrote stay where they were put.
   */
  private void held(int firstBlock, int count, int epoch, long refreshedTo) {
    refreshed(refreshedTo, epoch);
    holdingEpochs.note(writes, epoch);
    for (int i = 0; i < count; i++) {
      map.setSlot(firstBlock + i, areas.slot(writes + i));
    }
    writes += count;
  }

  private void refreshed(long end, int epoch) {
    long first = refreshes();
    if (end > first) {
      mainEpochs.note(first, epoch);
    }
    for (long refresh = first; refresh < end; refresh++) {
      map.setSlot((int) (refresh % areas.blocks()), -1);
    }
  }

  /** The refreshes of all writes are done, in an epoch. */
  void settle(int epoch) {
    refreshed(areas.refreshes(writes), epoch);
    settled = writes;
  }

  /** Every block was put into the main area, in an epoch: as if all had been refreshed once. */
  void loaded(int epoch) {
    clear();
    writes = areas.holding();
    settled = writes;
    mainEpochs.note(0, epoch);
  }

  /** Nothing was ever written. */
  void clear() {
    map.clear();
    holdingEpochs.clear();
    mainEpochs.clear();
    writes = 0;
    settled = 0;
  }

  /** Every page that is needed was sealed again, in an epoch. */
  void resealed(int epoch) {
    holdingEpochs.resealed(epoch);
    mainEpochs.resealed(epoch);
  }

  /** How many blocks were ever written. */
  int blocksHeld() {
    int held = 0;
    Page page = new Page();
    for (int block = 0; block < areas.blocks(); block++) {
      held += locate(block, page).exists() ? 1 : 0;
    }
    return held;
  }

  void copyTo(StateCopy state) throws IOException {
    state.addNow(
        out -> {
          out.writeLong(writes);
          out.writeLong(settled);
          holdingEpochs.writeTo(out);
          mainEpochs.writeTo(out);
        });
    state.add(map.startCopy());
  }

  void readFrom(DataInput in) throws IOException {
    writes = in.readLong();
    settled = in.readLong();
    if (settled < 0 || writes < settled || writes - settled >= areas.heldWrites()) {
      throw new IntegrityException(
          "the client's state says that " + settled + " of " + writes + " writes are settled");
    }
    holdingEpochs.readFrom(in);
    mainEpochs.readFrom(in);
    map.readFrom(in);
  }

  /**
   * In which key epoch each page of an area was sealed, for the last pages of it. A write that
   * failed is done again in a new epoch: what the first try left is authentic, and only the epoch
   * says that it is not what the client has.
   *
   * <p>Holds an entry for each epoch of the last {@code span} pages: one for each opening or failed
   * write meanwhile, which is what everyone saw.
   */
  private static final class Epochs {

    /** The epoch of a page that was never sealed. */
    static final int NEVER = 0;

    private record Entry(long first, int epoch) {}

    private final long span;

    /** Newest first. */
    private final Deque<Entry> entries = new ArrayDeque<>();

    Epochs(long span) {
      this.span = span;
    }

    /** Pages from this number on are of that epoch. */
    void note(long first, int epoch) {
      Entry newest = entries.peekFirst();
      if (newest != null && newest.first <= first && newest.epoch == epoch) {
        return;
      }
      while (!entries.isEmpty() && entries.getFirst().first >= first) {
        entries.removeFirst();
      }
      newest = entries.peekFirst();
      if (newest == null || newest.epoch != epoch) {
        entries.addFirst(new Entry(first, epoch));
      }
      forgetBefore(first - span);
    }

    private void forgetBefore(long number) {
      boolean covered = false;
      for (Iterator<Entry> each = entries.iterator(); each.hasNext(); ) {
        Entry entry = each.next();
        if (covered) {
          each.remove();
        }
        covered |= entry.first <= number;
      }
    }

    /** The epoch of a page, or {@link #NEVER}. */
    int of(long number) {
      for (Entry entry : entries) {
        if (entry.first <= number) {
          return entry.epoch;
        }
      }
      return NEVER;
    }

    /** All pages that were sealed have been sealed again. */
    void resealed(int epoch) {
      if (!entries.isEmpty()) {
        long first = entries.getLast().first;
        clear();
        note(first, epoch);
      }
    }

    void clear() {
      entries.clear();
    }

    void writeTo(DataOutput out) throws IOException {
      out.writeInt(entries.size());
      for (Iterator<Entry> each = entries.descendingIterator(); each.hasNext(); ) {
        Entry entry = each.next();
        out.writeLong(entry.first);
        out.writeInt(entry.epoch);
      }
    }

    void readFrom(DataInput in) throws IOException {
      clear();
      for (int i = in.readInt(); i > 0; i--) {
        entries.addFirst(new Entry(in.readLong(), in.readInt()));
      }
    }
  }
}
