package io.github.roram.detwo;

import io.github.roram.OramConfig;
import io.github.roram.store.StoreParts;
import java.util.List;

/**
 * Where pages lie (Roche et al., section 4; "Areas" in docs/detwo.md). Write p puts its block at
 * place p mod (M + S) of the holding area, and then refreshes u from ⌊pN/M⌋ to ⌊(p+1)N/M⌋: refresh
 * u puts block u mod N at place u mod (N + S') of the main area. So p alone says what is where, and
 * which version of it; S writes and S' refreshes go by before a page overwrites one that is needed.
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

  /** An area. */
  enum Area {
    /** No page: the block was never written. */
    NONE,
    /** Every block has a place, refreshed in turn. */
    MAIN,
    /** What was written last. */
    HOLDING
  }

  private final int blocks;
  private final int holding;
  private final int pageBytes;
  private final int unsynced;
  private final int longest;
  private final long mainRing;
  private final int holdingRing;

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
    holdingRing = Math.addExact(holding, slackWrites);
    mainRing = blocks + ((long) slackWrites * blocks + holding - 1) / holding + 1;
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

  /** Bytes of a sealed page. */
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

  /** M + S, places of the holding area. */
  int holdingRing() {
    return holdingRing;
  }

  /** N + S', places of the main area. */
  long mainRing() {
    return mainRing;
  }

  /** Size of the address space, superblock included. */
  long bytes() {
    return SUPERBLOCK_BYTES + (mainRing + holdingRing) * pageBytes;
  }

  /** ⌊pN/M⌋, how many refreshes belong to the first p writes. */
  long refreshes(long writes) {
    return writes / holding * blocks + writes % holding * blocks / holding;
  }

  /** The place of a page in its area. */
  long place(Area area, long number) {
    return number % (area == Area.MAIN ? mainRing : holdingRing);
  }

  /** Byte offset of a page. */
  long offset(Area area, long number) {
    long before = area == Area.MAIN ? 0 : mainRing;
    return SUPERBLOCK_BYTES + (before + place(area, number)) * pageBytes;
  }

  /** Where the areas begin, for a store of several media. */
  StoreParts parts() {
    long holdingStart = SUPERBLOCK_BYTES + mainRing * pageBytes;
    return new StoreParts(List.of(List.of(SUPERBLOCK_BYTES, holdingStart)));
  }

  /** How many pages from this one on lie one behind the other. */
  long untilWrap(Area area, long number) {
    return (area == Area.MAIN ? mainRing : holdingRing) - place(area, number);
  }

  /** The last refresh of a block before refresh number {@code refreshes}; −1 if there was none. */
  long lastRefresh(int block, long refreshes) {
    return refreshes <= block ? -1 : refreshes - 1 - (refreshes - 1 - block) % blocks;
  }

  /** The last write before write number {@code writes} that put its page at a place. */
  long lastWrite(int place, long writes) {
    return writes - 1 - Math.floorMod(writes - 1 - place, holdingRing);
  }
}
