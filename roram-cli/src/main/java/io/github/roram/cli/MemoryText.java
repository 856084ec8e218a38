package io.github.roram.cli;

import io.github.roram.AccessCost;
import io.github.roram.ClientBudget;
import io.github.roram.ClientMemory;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Describes the memory of a client and the cost of its accesses. */
final class MemoryText {

  private MemoryText() {}

  /**
   * Returns what was chosen for a budget, one line each; nothing if the scheme has no such choice.
   */
  static List<String> chosen(OramConfig config, ClientBudget budget, boolean inObjects) {
    List<String> lines = new ArrayList<>();
    OpenOptions use = budget.opening();
    most(config, use, inObjects)
        .ifPresent(
            most ->
                lines.add(
                    "Client memory: at most "
                        + ByteSizeConverter.format(most.bytes())
                        + " of "
                        + ByteSizeConverter.format(budget.bytes())
                        + (budget.inFlight() == 1 ? "" : inFlight(budget.inFlight()))
                        + ", here: "
                        + items(most)));
    if (use.mapDirectory() != null) {
      lines.add(
          "That is with --map-directory at each opening, which has the copies of checkpoints");
    }
    if (budget.inFlight() < InFlightOption.DEFAULT) {
      overlapping(config, use.withInFlight(InFlightOption.DEFAULT), inObjects)
          .ifPresent(lines::add);
    }
    lines.addAll(costs(config));
    return lines;
  }

  /**
   * Returns the client's memory with this many accesses in flight; empty if the scheme does not
   * say, or makes one access after another.
   */
  static Optional<String> overlapping(OramConfig config, int accesses, boolean inObjects) {
    return overlapping(config, OpenOptions.defaults().withInFlight(accesses), inObjects);
  }

  /** Returns the client's memory with accesses in flight, for given options. */
  static Optional<String> overlapping(OramConfig config, OpenOptions use, boolean inObjects) {
    long one = most(config, use.withInFlight(1), inObjects).map(ClientMemory::bytes).orElse(0L);
    return most(config, use, inObjects)
        .filter(most -> most.bytes() > one)
        .map(
            most ->
                "Client memory: at most "
                    + ByteSizeConverter.format(most.bytes())
                    + inFlight(use.inFlight())
                    + ", "
                    + ByteSizeConverter.format(one)
                    + " with one at a time (roram info says for what)");
  }

  private static String inFlight(int accesses) {
    return " with " + accesses + " accesses in flight";
  }

  /** Returns the costs of accesses to one block and to a longest range. */
  static List<String> costs(OramConfig config) {
    Scheme scheme = Scheme.of(config.scheme());
    List<String> lines = new ArrayList<>();
    for (int blocks : new int[] {1, config.maxRangeBlocks()}) {
      Optional<AccessCost> reads = scheme.accessCost(config, blocks, false);
      Optional<AccessCost> writes = scheme.accessCost(config, blocks, true);
      if (reads.isEmpty() || writes.isEmpty() || (blocks == 1 && !lines.isEmpty())) {
        continue;
      }
      String read = cost(blocks, reads.get());
      String write = cost(blocks, writes.get());
      if (read.equals(write)) {
        lines.add("An access" + read);
      } else {
        lines.add("A read" + read);
        lines.add("A write" + write);
      }
    }
    scanPays(config, config.blocks()).ifPresent(lines::add);
    return lines;
  }

  /**
   * Returns a sentence with the range from which downloading everything is cheaper (rORAM, §IV-A);
   * empty if it never is.
   *
   * @param most longest range to consider, in blocks
   */
  static Optional<String> scanPays(OramConfig config, long most) {
    OptionalLong from = Scheme.of(config.scheme()).scanPaysFrom(config, AccessCost::bytes);
    if (from.isEmpty() || from.getAsLong() > Math.min(most, config.blocks())) {
      return Optional.empty();
    }
    long blocks = from.getAsLong();
    return Optional.of(
        "Reading "
            + blocks
            + (blocks == 1 ? " block (" : " blocks (")
            + ByteSizeConverter.format(blocks * config.blockBytes())
            + ") or more at once moves less by a scan of the whole store, as export makes it");
  }

  private static String cost(int blocks, AccessCost cost) {
    return String.format(
        Locale.ROOT,
        " of %d block%s moves %s in %.3g requests of %.3g extents on average",
        blocks,
        blocks == 1 ? "" : "s",
        ByteSizeConverter.format(Math.round(cost.bytes())),
        cost.requests(),
        cost.extents());
  }

  /** Returns the client's highest use of memory on this machine, with everything in memory. */
  static Optional<ClientMemory> most(OramConfig config, int inFlight, boolean inObjects) {
    return most(config, OpenOptions.defaults().withInFlight(inFlight), inObjects);
  }

  private static Optional<ClientMemory> most(
      OramConfig config, OpenOptions options, boolean inObjects) {
    Scheme scheme = Scheme.of(config.scheme());
    return inObjects ? scheme.objectMemory(config, options) : scheme.clientMemory(config, options);
  }

  private static String items(ClientMemory memory) {
    List<String> items = new ArrayList<>();
    for (ClientMemory.Item item : memory.items()) {
      if (item.bytes() > 0) {
        items.add(item.name() + " " + ByteSizeConverter.format(item.bytes()));
      }
    }
    return String.join("; ", items);
  }
}
