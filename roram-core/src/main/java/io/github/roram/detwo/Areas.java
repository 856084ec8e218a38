package io.github.roram.detwo;

import io.github.roram.OramConfig;
import io.github.roram.store.StoreParts;
import java.util.ArrayList;
import java.util.List;

/**
 * The places of pages (Roche et al., section 4; construction, section 11.1). Write p puts its block
 * into the holding area, and then does the refreshes from ⌊pN/M⌋ to ⌊(p+1)N/M⌋ − 1; refresh u puts
 * block u mod N into the main area. Both areas share one ring: the pages of a write, its stripe,
 * lie behind those of the write before, the holding page first. So p alone determines which page
 * and version is at each place, and S writes go by before one overwrites a page that is needed.
 *
 * <p>S is two ranges of L writes longer than what may be unsynced. One is for the access that
 * exceeds that bound. The other is for refreshes, which use the state before their access: a block
 * that one access both writes and refreshes stays in the holding area for M writes and up to L
 * more.
 *
 * <p>Immutable.
 */
final class Areas {

  /** Bytes of the superblock, at the start of the store. */
  private static final long SUPERBLOCK_BYTES = 4096;

  /**
   * Most writes between two syncs of store and journal if nobody flushes, but for durability OS.
   */
  private static final int MOST_UNSYNCED = 256;

  /** Divisor of M for that bound in small holding areas, whose pages must stay in a cache. */
  private static final int UNSYNCED_SHARE = 8;

  /** Parts of the ring, which a store may have on different media. */
  private static final int BANDS = 16;

  /** An area. */
  enum Area {
    /** No page: the block was never written. */
    NONE,
    /** The area where blocks are put in turn, each once in M writes. */
    MAIN,
    /** The area of what was written last. */
    HOLDING
  }

  private final int blocks;
  private final int holding;
  private final int pageBytes;
  private final int unsynced;
  private final int longest;
  private final int heldWrites;
  private final long heldRefreshes;

  /** Creates the areas of a new store. */
  Areas(OramConfig config) {
    this(config, newUnsynced(holding(config)));
  }

  /** Creates the areas of a store whose layout says how many writes may be unsynced. */
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

  /** Returns N. */
  int blocks() {
    return blocks;
  }

  /** Returns M. */
  int holding() {
    return holding;
  }

  /** Returns the bytes of a sealed page. */
  int pageBytes() {
    return pageBytes;
  }

  /** Returns the most writes between two syncs, if a power failure must leave some state intact. */
  int mostUnsynced() {
    return unsynced;
  }

  /** Returns the first write whose page may be needed once {@code settled} writes are refreshed. */
  long firstHeld(long settled) {
    return Math.max(0, settled - holding - longest);
  }

  /** Returns M + S: the pages of that many last writes are intact. */
  int heldWrites() {
    return heldWrites;
  }

  /** Returns N + S': the pages of that many last refreshes are intact. */
  long heldRefreshes() {
    return heldRefreshes;
  }

  /** Returns the places of the ring, as many as M + S writes take, or more. */
  private long places() {
    return heldWrites + heldRefreshes;
  }

  /** Returns the size of the address space, superblock included. */
  long bytes() {
    return SUPERBLOCK_BYTES + places() * pageBytes;
  }

  /** Returns ⌊pN/M⌋, the number of refreshes that belong to the first p writes. */
  long refreshes(long writes) {
    return writes / holding * blocks + writes % holding * blocks / holding;
  }

  /**
   * Returns the write that a refresh belongs to: the last p with ⌊pN/M⌋ no more than its number.
   */
  long writeOf(long refresh) {
    return refresh / blocks * holding + ((refresh % blocks + 1) * holding - 1) / blocks;
  }

  /** Returns the byte offset of a page. */
  long offset(Area area, long number) {
    long before = area == Area.MAIN ? number + writeOf(number) + 1 : number + refreshes(number);
    return SUPERBLOCK_BYTES + before % places() * pageBytes;
  }

  /** Returns bands of the ring, which a store on several media may spread over them in turn. */
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

  /** Returns the last write before write {@code writes} that has a slot. */
  long lastWrite(int slot, long writes) {
    return writes - 1 - Math.floorMod(writes - 1 - slot, heldWrites);
  }
}
