package io.github.roram.detwo;

import io.github.roram.IntegrityException;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.detwo.Areas.Area;
import io.github.roram.tree.EpochHistory;
import java.io.DataInput;
import java.io.IOException;

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

  /** Of the pages of each area, which are numbered as evictions are. */
  private final EpochHistory holdingEpochs;

  private final EpochHistory mainEpochs;
  private long writes;
  private long settled;

  PageTable(Areas areas) {
    this.areas = areas;
    map = new HoldingMap(areas.blocks(), areas.heldWrites());
    holdingEpochs = new EpochHistory(areas.heldWrites());
    mainEpochs = new EpochHistory(areas.heldRefreshes());
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
    EpochHistory epochs = area == Area.MAIN ? mainEpochs : holdingEpochs;
    return number < epochs.first()
        ? page.setNone()
        : page.set(area, number, epochs.epochOf(number));
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

  /** Returns how many blocks were ever written. */
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
}
