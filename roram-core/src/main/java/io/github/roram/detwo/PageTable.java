package io.github.roram.detwo;

import io.github.roram.IntegrityException;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.detwo.Areas.Area;
import io.github.roram.tree.EpochHistory;
import java.io.DataInput;
import java.io.IOException;

/**
 * The place of the newest copy of each block, and the progress of writing: all that the client must
 * remember. Its saved form is
 *
 * <pre>
 *   writes p u64 | settled s u64
 *   epochs of the holding area: count u32, each first number u64, epoch u32; those of the main area
 *   position map, packed: see {@link HoldingMap}
 * </pre>
 *
 * <p>A write is settled once its refreshes are done: all writes are, except after a crash that may
 * have lost some refreshes.
 *
 * <p>Not thread safe.
 */
final class PageTable {

  private final Areas areas;
  private final HoldingMap map;

  /** Epochs of the pages of an area, which are numbered as evictions are. */
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

  /** Returns p, the number of the next write. */
  long writes() {
    return writes;
  }

  /** Returns the number of writes whose refreshes are done. */
  long settled() {
    return settled;
  }

  /** Returns the number of refreshes that are done. */
  long refreshes() {
    return areas.refreshes(settled);
  }

  /** Returns the first write whose page may still be needed. */
  long firstHeld() {
    return areas.firstHeld(settled);
  }

  /** Returns the first refresh whose page may still be needed. */
  long firstRefreshed() {
    return Math.max(0, refreshes() - areas.blocks());
  }

  /** Names the page with the newest content of a block. */
  Page locate(int block, Page page) {
    int slot = map.slot(block);
    if (slot >= 0) {
      return name(Area.HOLDING, areas.lastWrite(slot, writes), page);
    }
    long refresh = areas.lastRefresh(block, refreshes());
    return refresh < 0 ? page.setNone() : name(Area.MAIN, refresh, page);
  }

  /** Names a page by its number; names none if a load left that page out. */
  Page name(Area area, long number, Page page) {
    EpochHistory epochs = area == Area.MAIN ? mainEpochs : holdingEpochs;
    return number < epochs.first()
        ? page.setNone()
        : page.set(area, number, epochs.epochOf(number));
  }

  /** Notes that the next writes wrote blocks, all in one epoch, and did their refreshes. */
  void written(int firstBlock, int count, int epoch) {
    held(firstBlock, count, epoch, areas.refreshes(writes + count));
    settled = writes;
  }

  /** Notes that the next writes wrote blocks; their refreshes may not be done. */
  void held(int firstBlock, int count, int epoch) {
    held(firstBlock, count, epoch, refreshes());
  }

  /**
   * Notes refreshes and then writes: the refreshes used the state before these writes, so the
   * blocks that the writes wrote stay in the holding area.
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

  /** Notes that the refreshes of all writes are done, in an epoch. */
  void settle(int epoch) {
    refreshed(areas.refreshes(writes), epoch);
    settled = writes;
  }

  /** Notes that every block is in the main area, in an epoch, as if all had been refreshed once. */
  void loaded(int epoch) {
    clear();
    writes = areas.holding();
    settled = writes;
    mainEpochs.note(0, epoch);
  }

  /** Notes that nothing was ever written. */
  void clear() {
    map.clear();
    holdingEpochs.clear();
    mainEpochs.clear();
    writes = 0;
    settled = 0;
  }

  /** Notes that every needed page was sealed again, in an epoch. */
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
