package io.github.roram.budget;

import io.github.roram.AccessCost;
import io.github.roram.ClientBudget;
import io.github.roram.ClientMemory;
import io.github.roram.ConfigurationException;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.SchemeParameters;
import io.github.roram.SchemeSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds, among given choices, the parameters of a scheme whose client fits a budget and whose
 * accesses cost least. The user's settings take precedence over a choice.
 *
 * <p>A cost has bytes, extents and requests, and their weights depend on the device. Here an extent
 * costs as much as {@value #EXTENT_BYTES} bytes (for a scheme that is not for hard disks, {@value
 * #SOLID_EXTENT_BYTES}, as on an SSD), and a request as much as {@value #REQUEST_BYTES}, as on an
 * SSD and a nearby server. All range sizes up to the longest have the same weight, per block.
 * ({@code roram plan} is for users who know their device and their load.)
 */
public final class BudgetSearch {

  private static final int EXTENT_BYTES = 16 << 10;
  private static final int SOLID_EXTENT_BYTES = 5 << 10;
  private static final int REQUEST_BYTES = 64 << 10;

  /** The most threads that may open the store, perhaps on another machine. */
  private static final int MOST_THREADS = 256;

  private final Scheme scheme;
  private final ClientBudget budget;
  private final long blocks;
  private final int blockBytes;
  private final SchemeSettings given;
  private int extentBytes = EXTENT_BYTES;
  private @Nullable SchemeParameters best;
  private double bestCost = Double.POSITIVE_INFINITY;
  private long leastBytes = Long.MAX_VALUE;
  private @Nullable ConfigurationException refusal;

  /**
   * Creates a search.
   *
   * @param given the user's settings
   */
  public BudgetSearch(
      Scheme scheme, ClientBudget budget, long blocks, int blockBytes, SchemeSettings given) {
    this.scheme = scheme;
    this.budget = budget;
    this.blocks = blocks;
    this.blockBytes = blockBytes;
    this.given = given;
  }

  /** Returns a search for a scheme that is not intended for hard disks. */
  public BudgetSearch withoutHardDisks() {
    extentBytes = SOLID_EXTENT_BYTES;
    return this;
  }

  /**
   * Tries a choice.
   *
   * @return whether the choice fits
   */
  public boolean tries(Map<String, String> choice) {
    Map<String, String> all = new LinkedHashMap<>(choice);
    given.names().forEach(name -> all.put(name, given.text(name, "")));
    SchemeParameters parameters;
    try {
      parameters = scheme.parameters(blocks, blockBytes, new SchemeSettings(all));
    } catch (ConfigurationException e) {
      // The next choice may agree with the user's settings.
      refusal = e;
      return false;
    }
    OramConfig config = OramConfig.of(blocks, blockBytes, parameters);
    OpenOptions opening = budget.opening().withThreads(MOST_THREADS);
    Optional<ClientMemory> most =
        budget.inObjects()
            ? scheme.objectMemory(config, opening)
            : scheme.clientMemory(config, opening);
    long bytes = most.map(ClientMemory::bytes).orElse(Long.MAX_VALUE);
    leastBytes = Math.min(leastBytes, bytes);
    if (bytes > budget.bytes()) {
      return false;
    }
    double cost = cost(config);
    if (cost < bestCost) {
      bestCost = cost;
      best = parameters;
    }
    return true;
  }

  private double cost(OramConfig config) {
    double sum = 0;
    for (int range = 1; range <= config.maxRangeBlocks(); range *= 2) {
      AccessCost cost = scheme.accessCost(config, range).orElse(AccessCost.NONE);
      double bytes = cost.bytes() + extentBytes * cost.extents() + REQUEST_BYTES * cost.requests();
      sum += bytes / range;
    }
    return sum;
  }

  /** Returns whether a choice that was tried fits. */
  boolean found() {
    return best != null;
  }

  /**
   * Returns the cheapest parameters that fit.
   *
   * @throws ConfigurationException if no choice fits
   */
  public SchemeParameters cheapest() {
    if (best != null) {
      return best;
    }
    if (leastBytes == Long.MAX_VALUE && refusal != null) {
      throw refusal;
    }
    throw new ConfigurationException(
        "client memory is given as "
            + budget.bytes()
            + " bytes"
            + overlapping()
            + ", scheme "
            + scheme.id()
            + " with "
            + blocks
            + " blocks of "
            + blockBytes
            + " bytes needs at least "
            + leastBytes
            + (given.names().isEmpty() ? "" : " with what else was set (" + names() + ")")
            + "; give as much, or choose a smaller maxRangeBlocks"
            + (budget.inFlight() == 1 ? " or fewer trees" : ", fewer trees or fewer accesses"));
  }

  private String overlapping() {
    int accesses = budget.inFlight();
    return accesses == 1 ? "" : " for " + accesses + " accesses that overlap";
  }

  private String names() {
    return String.join(", ", given.names().stream().sorted().toList());
  }
}
