package io.github.roram.detwo;

import io.github.roram.OramConfig;
import io.github.roram.store.StoreParts;
import java.util.ArrayList;
import java.util.List;

/**
 * Where pages lie (Roche et al., section 4; construction, section 11.1). Write p puts its block
 * into the holding area, and then refreshes u from ⌊pN/M⌋ to ⌊(p+1)N/M⌋: refresh u puts block u mod
 * N into the main area. Both areas share one ring: the pages of a write, its stripe, lie behind
 * those of the write before, the holding page first. So p alone says what is where, and which
 * version of it; S writes go by before a page overwrites one that is needed.
 *
 * <p>S is two ranges of L writes longer than what may be unsynced. One is the access that goes
 * beyond that. The other is what an access leaves behind: its refreshes are of the state before it,
 * so a block that it writes and refreshes stays in the holding area for M writes and up to L more.
 *
 * <p>Immutable.
 */
final class Areas {

  /** Bytes at the start of the store that are the superblock's. */
  private static final long SUPERBLOCK_BYTES = 4096;

  /** With durability flush the store is synced after so many writes, should nobody flush. */
  private static final int MOST_UNSYNCED = 256;

  /** Small areas get that part of themselves more for it, as pages must stay in a cache. */
  private static final int UNSYNCED_SHARE = 8;

  /** Parts of the ring that a store may have on different media. */
  private static final int BANDS = 16;

  /** An area. */
  enum Area {
    /** No page: the block was never written. */
    NONE,
    /** Blocks are put there in turn, each once in M writes. */
    MAIN,
    /** What was written last. */
    HOLDING
  }

  private final int blocks;
  private final int holding;
  private final int pageBytes;
  private final int unsynced;
  private final int longest;
  private final int heldWrites;
  private final long heldRefreshes;

  /** Those of a new store. */
  Areas(OramConfig config) {
    this(config, newUnsynced(holding(config)));
  }

  /** Those of a store with as much slack as its layout says. */
  Areas(OramConfig config, int unsynced) {
    DetWoParameters parameters = (DetWoParameters) config.parameters();
    this.unsynced = unsynced;
    blocks = (int) config.blocks();
    holding = parameters.holdingBlocks();
    pageBytes = PageCodec.pageBytes(config.blockBytes());
    longest = parameters.maxRangeBlocks();
    int slackWrites = unsynced + 2 * longest + 1;
    heldWrites = Math.addExact(holding, slackWrites);
    heldRefreshes = blocks + ((long) slackWrites * blocks + holding - 1) / holding + 1;
  }

  private static int holding(OramConfig config) {
    return ((DetWoParameters) config.parameters()).holdingBlocks();
  }

  private static int newUnsynced(int holding) {
    return Math.min((holding - 1) / UNSYNCED_SHARE + 1, MOST_UNSYNCED);
  }

  /** N. */
  int blocks() {
    return blocks;
  }

  /** M. */
  int holding() {
    return holding;
  }

  /** Returns the bytes of a sealed page. */
  int pageBytes() {
    return pageBytes;
  }

  /**
   * The most writes that may be done without a sync, when a power failure must leave some state.
   */
  int mostUnsynced() {
    return unsynced;
  }

  /** The first write whose page may be needed once the refreshes of these writes are done. */
  long firstHeld(long settled) {
    return Math.max(0, settled - holding - longest);
  }

  /** M + S: so many of the last writes have their pages. */
  int heldWrites() {
    return heldWrites;
  }

  /** N + S': so many of the last refreshes have theirs. */
  long heldRefreshes() {
    return heldRefreshes;
  }

  /** Places of the ring: no fewer than M + S writes take. */
  private long places() {
    return heldWrites + heldRefreshes;
  }

  /** Returns the size of the address space, superblock included. */
  long bytes() {
    return SUPERBLOCK_BYTES + places() * pageBytes;
  }

  /** ⌊pN/M⌋, how many refreshes belong to the first p writes. */
  long refreshes(long writes) {
    return writes / holding * blocks + writes % holding * blocks / holding;
  }

  /**
   * Returns the write that a refresh belongs to: the last p with ⌊pN/M⌋ no more than its number.
   */
  long writeOf(long refresh) {
    return refresh / blocks * holding + ((refresh % blocks + 1) * holding - 1) / blocks;
  }

  /** Byte offset of a page. */
  long offset(Area area, long number) {
    long before = area == Area.MAIN ? number + writeOf(number) + 1 : number + refreshes(number);
    return SUPERBLOCK_BYTES + before % places() * pageBytes;
  }

  /** Bands of the ring, for a store of several media to have them in turn. */
  StoreParts parts() {
    List<Long> starts = new ArrayList<>();
    long bandPages = (places() + BANDS - 1) / BANDS;
    for (long place = 0; place < places(); place += bandPages) {
      starts.add(SUPERBLOCK_BYTES + place * pageBytes);
    }
    return new StoreParts(List.of(starts));
  }

  /**
   * Returns the last refresh of a block before refresh number {@code refreshes}; −1 if there was
   * none.
   */
  long lastRefresh(int block, long refreshes) {
    return refreshes <= block ? -1 : refreshes - 1 - (refreshes - 1 - block) % blocks;
  }

  /**
   * Returns what the map holds of a write: its number as far as it tells those that have their
   * pages.
   */
  int slot(long write) {
    return (int) (write % heldWrites);
  }

  /** The last write before write number {@code writes} that has a slot. */
  long lastWrite(int slot, long writes) {
    return writes - 1 - Math.floorMod(writes - 1 - slot, heldWrites);
  }
}
