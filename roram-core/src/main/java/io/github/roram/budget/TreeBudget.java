package io.github.roram.budget;

import io.github.roram.ClientBudget;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.SchemeParameters;
import io.github.roram.SchemeSettings;
import io.github.roram.parameters.TreeParameters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Divides a budget of client memory among its uses in schemes of trees: the place of the labels,
 * the treetop levels, and the paths of a chunk, which determine the window of waiting blocks. It
 * tries all combinations that fit.
 *
 * <p>Two other uses do not make accesses cheaper. The ring of buckets between the store and the
 * threads that open and seal lets several processors work; it gets up to an eighth of the budget.
 * The stash limit makes room for more blocks than any load has shown so far. It is the default if
 * that takes at most an eighth of the budget, otherwise as many blocks as fit in an eighth, and
 * never below 128 blocks for each tree, which is four times the largest stash seen with A at most
 * 3Z/4 (docs/reproducing.md). With a larger A it stays the default.
 */
public final class TreeBudget {

  private static final int LEAST_STASH_BLOCKS = 128;
  private static final int LEAST_RING_BYTES = 1 << 16;
  private static final int USUAL_RING_BYTES = 8 << 20;
  private static final int LEAST_TREETOP_BYTES = 1 << 15;
  private static final int MOST_CHUNK_PATHS = 256;
  private static final int SHARE = 8;
  private static final String PART = "treetopPart";

  /**
   * Memory of a block that is held and copied, in multiples of its bytes; {@link BudgetSearch}
   * counts the exact amount.
   */
  private static final int COPIES = 2;

  private final Scheme scheme;
  private final ClientBudget budget;
  private final long clientBytes;
  private final long blocks;
  private final int blockBytes;
  private final SchemeSettings given;
  private final boolean hasChunks;
  private final List<Map<String, String>> maps;

  /** The parameters of the scheme without a budget. */
  private final TreeParameters usual;

  /**
   * Creates a budget.
   *
   * @param hasChunks whether paths are evicted in chunks
   * @param maps settings of the position maps to try, in order of decreasing memory
   */
  public TreeBudget(
      Scheme scheme,
      ClientBudget budget,
      long blocks,
      int blockBytes,
      SchemeSettings given,
      boolean hasChunks,
      List<Map<String, String>> maps) {
    this.scheme = scheme;
    this.budget = budget;
    clientBytes = budget.bytes();
    this.blocks = blocks;
    this.blockBytes = blockBytes;
    this.given = given;
    this.hasChunks = hasChunks;
    this.maps = List.copyOf(maps);
    usual = TreeParameters.of(OramConfig.of(blocks, blockBytes, parameters(given)));
  }

  private SchemeParameters parameters(SchemeSettings settings) {
    return scheme.parameters(blocks, blockBytes, settings);
  }

  /**
   * Returns the cheapest parameters that fit.
   *
   * @throws io.github.roram.ConfigurationException if no parameters fit
   */
  public SchemeParameters cheapest() {
    BudgetSearch search = new BudgetSearch(scheme, budget, blocks, blockBytes, given);
    tryAll(search, fixed(ringBytes(), stashBlocks()));
    if (!search.found()) {
      tryAll(search, fixed(LEAST_RING_BYTES, leastStashBlocks()));
    }
    return search.cheapest();
  }

  private static Map<String, String> fixed(long ringBytes, long stashBlocks) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("ringBytes", String.valueOf(ringBytes));
    settings.put("stashLimitBlocks", String.valueOf(stashBlocks));
    return settings;
  }

  private void tryAll(BudgetSearch search, Map<String, String> fixed) {
    for (Map<String, String> map : maps) {
      for (int paths = 1; paths <= MOST_CHUNK_PATHS; paths *= 2) {
        Map<String, String> choice = new LinkedHashMap<>(fixed);
        choice.putAll(map);
        if (hasChunks) {
          choice.put("chunkPaths", String.valueOf(paths));
        }
        boolean fits = tryTreetops(search, choice);
        if (!hasChunks || given.has("chunkPaths") || !fits) {
          break;
        }
      }
    }
  }

  /** Tries a choice with treetops of increasing size; returns whether it fits without one. */
  private boolean tryTreetops(BudgetSearch search, Map<String, String> choice) {
    choice.put("treetopBytes", "0");
    boolean fits = search.tries(choice);
    // Each further level doubles the blocks held, so steps of √2 pass over no level.
    double bytes = LEAST_TREETOP_BYTES;
    String most = "0";
    boolean more = fits && !given.has("treetopBytes");
    while (more && bytes <= clientBytes) {
      choice.put("treetopBytes", String.valueOf((long) bytes));
      more = search.tries(choice);
      most = more ? choice.get("treetopBytes") : most;
      bytes *= Math.sqrt(2);
    }
    if (fits && scheme.parameterNames().contains(PART)) {
      choice.put("treetopBytes", most);
      tryParts(search, choice);
    }
    return fits;
  }

  /**
   * Finds, by halving, the largest part of the next level that fits, when the whole level does not.
   */
  private void tryParts(BudgetSearch search, Map<String, String> choice) {
    int part = 0;
    for (int step = TreeParameters.TREETOP_PARTS / 2; step > 0; step /= 2) {
      choice.put(PART, String.valueOf(part + step));
      part += search.tries(choice) ? step : 0;
    }
    choice.remove(PART);
  }

  private long ringBytes() {
    long share = Long.highestOneBit(Math.max(1, clientBytes / SHARE));
    return Math.max(LEAST_RING_BYTES, Math.min(USUAL_RING_BYTES, share));
  }

  /** Returns the lowest stash limit that is enough. */
  private long leastStashBlocks() {
    boolean tight = usual.evictionRate() > 0.75 * usual.bucketSlots();
    int most = usual.stashLimitBlocks();
    return tight ? most : Math.min(LEAST_STASH_BLOCKS, most);
  }

  private long stashBlocks() {
    long each = (long) COPIES * blockBytes * usual.trees().length;
    long share = Long.highestOneBit(Math.max(1, clientBytes / SHARE / each));
    return Math.max(leastStashBlocks(), Math.min(usual.stashLimitBlocks(), share));
  }
}
