package io.github.roram.auditor.workload;

import static io.github.roram.auditor.workload.Scripts.afterAll;
import static io.github.roram.auditor.workload.Scripts.afterBulkLoad;
import static io.github.roram.auditor.workload.Scripts.anywhere;
import static io.github.roram.auditor.workload.Scripts.backedUp;
import static io.github.roram.auditor.workload.Scripts.branches;
import static io.github.roram.auditor.workload.Scripts.bulkLoadInParts;
import static io.github.roram.auditor.workload.Scripts.bytes;
import static io.github.roram.auditor.workload.Scripts.channel;
import static io.github.roram.auditor.workload.Scripts.distinct;
import static io.github.roram.auditor.workload.Scripts.dying;
import static io.github.roram.auditor.workload.Scripts.faults;
import static io.github.roram.auditor.workload.Scripts.found;
import static io.github.roram.auditor.workload.Scripts.growing;
import static io.github.roram.auditor.workload.Scripts.hot;
import static io.github.roram.auditor.workload.Scripts.hotKeys;
import static io.github.roram.auditor.workload.Scripts.inserts;
import static io.github.roram.auditor.workload.Scripts.keys;
import static io.github.roram.auditor.workload.Scripts.places;
import static io.github.roram.auditor.workload.Scripts.same;
import static io.github.roram.auditor.workload.Scripts.scans;
import static io.github.roram.auditor.workload.Scripts.secondHalf;
import static io.github.roram.auditor.workload.Scripts.sectors;
import static io.github.roram.auditor.workload.Scripts.sequential;
import static io.github.roram.auditor.workload.Scripts.trims;
import static io.github.roram.auditor.workload.Scripts.twoBlocks;
import static io.github.roram.auditor.workload.Scripts.withReads;

import io.github.roram.Adversary;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.auditor.workload.Frontend.DirectCalls;
import io.github.roram.auditor.workload.Pair.Scope;
import io.github.roram.auditor.workload.Pair.Workload;
import io.github.roram.auditor.workload.ScriptedClient.Death;
import io.github.roram.auditor.workload.Scripts.Operation;
import io.github.roram.parameters.BatchedPathParameters;
import io.github.roram.parameters.RangeOramParameters;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Two workloads that must look alike to every observer.
 *
 * @param name on the command line and in reports
 * @param about what differs between the two and must not show: half a sentence that starts with
 *     whether, what, where or how
 * @param left one of them
 * @param right the other
 * @param countsWrites whether one of them writes more than the other: schemes that hide writes
 *     alone show how many there are
 * @param scope the frontends behind which it must look alike
 */
public record Pair(
    String name, String about, Workload left, Workload right, boolean countsWrites, Scope scope) {

  /** Schemes whose stores can grow. */
  private static final Set<String> GROW =
      Set.of(RangeOramParameters.SCHEME, BatchedPathParameters.SCHEME);

  /** Schemes whose stores can be backed up. */
  private static final List<String> LOGS =
      List.of(RangeOramParameters.SCHEME, BatchedPathParameters.SCHEME, "ring");

  /** The frontends for which a pair is. */
  public enum Scope {
    /** All. */
    ANY,
    /** Calls of the library alone: a device shows the difference, and says so. */
    CALLS,
    /** Devices alone. */
    DEVICES,
    /** Paging alone: its faults are as many on both sides. */
    PAGES,
    /** Maps alone. */
    MAPS,
    /** Maps in order alone. */
    SORTED_MAPS,
    /** Calls of the library that access scattered blocks. */
    SCATTERED,
    /** Calls of the library, before who sees writes alone. */
    SNAPSHOTS,
    /** Calls of the library that have the store grow. */
    GROWING,
    /** Calls of the library, with backups between them. */
    BACKED_UP
  }

  /** Returns the same behind some frontends alone. */
  private Pair within(Scope other) {
    return new Pair(name, about, left, right, countsWrites, other);
  }

  /** Returns why this pair cannot be run with these settings, in a sentence; empty if it can. */
  public Optional<String> objection(RunSettings settings) {
    Optional<String> first = objectionToFrontend(settings);
    return first.isPresent() ? first : objectionToScheme(settings);
  }

  /**
   * Returns whether all that is seen of the two sides must be equal: nothing is left to a
   * distinguisher.
   */
  public boolean isExact() {
    return name.equals(Pairs.BULK);
  }

  private Optional<String> objectionToFrontend(RunSettings settings) {
    boolean device = settings.frontend().isDevice();
    if ((scope == Scope.PAGES) != settings.frontend().isPaging()) {
      return Optional.of(
          scope == Scope.PAGES
              ? name + " is for paging: give --through paging"
              : name + " is not for paging: how many faults there are is no secret there");
    }
    boolean ofMaps = scope == Scope.MAPS || scope == Scope.SORTED_MAPS;
    if (ofMaps != settings.frontend().isMap()) {
      return Optional.of(
          ofMaps
              ? name + " is for maps: give --through map, sorted-map, values, values-keys or index"
              : name + " is of blocks, and a map has keys: leave --through out");
    }
    if (scope == Scope.SORTED_MAPS && !settings.frontend().isSortedMap()) {
      return Optional.of(name + " is for maps in order: give --through sorted-map");
    }
    if (ofMaps && countsWrites && settings.frontend().showsWrites()) {
      return Optional.of(
          name
              + " shows at an index: what is added is a secret,"
              + " that something is added is not");
    }
    boolean ofLibrary =
        scope == Scope.SCATTERED
            || scope == Scope.SNAPSHOTS
            || scope == Scope.GROWING
            || scope == Scope.BACKED_UP;
    if (ofLibrary && !(settings.frontend() instanceof DirectCalls)) {
      return Optional.of(name + " is of calls of the library: leave --through out");
    }
    if (scope == Scope.CALLS && device) {
      return Optional.of(
          name + " shows at a device: whether requests are aligned is no secret there");
    }
    if (scope == Scope.DEVICES && !device) {
      return Optional.of(name + " is for block devices: give --through nbd");
    }
    return name.equals(Pairs.TRIMS) && !settings.config().has(Scheme.Trait.TRIMS)
        ? Optional.of(
            name + " needs trims, which scheme " + settings.config().scheme() + " has not")
        : Optional.empty();
  }

  private static boolean canGrow(RunSettings settings) {
    OramConfig config = settings.config();
    return GROW.contains(config.scheme())
        && settings.place().canExtend()
        && settings.options().durability() != Durability.NONE;
  }

  private Optional<String> objectionToScheme(RunSettings settings) {
    OramConfig config = settings.config();
    boolean snapshots = config.parameters().adversary() == Adversary.SNAPSHOTS;
    if (scope == Scope.GROWING && !canGrow(settings)) {
      return Optional.of(
          name
              + " is of stores that can grow: of schemes roram and path-batched, in memory or files");
    }
    boolean backsUp = LOGS.contains(config.scheme()) && !settings.place().keepsObjects();
    if (scope == Scope.BACKED_UP && (!backsUp || settings.isProvoked())) {
      return Optional.of(
          name
              + " is of stores that keep logs, which can be backed up: of schemes "
              + String.join(", ", LOGS)
              + ", not on objects, and nobody fails their requests");
    }
    boolean scatters = scope == Scope.SCATTERED || settings.frontend().isMap();
    if (scatters && !config.scheme().equals(RangeOramParameters.SCHEME)) {
      return Optional.of(
          name
              + " is judged of scheme roram alone: what a scattered access of scheme "
              + config.scheme()
              + " shows is for the tests of maps");
    }
    if (scope == Scope.SNAPSHOTS && !snapshots) {
      return Optional.of(
          name + " is of who sees writes alone: give --adversary snapshots, of scheme detwo");
    }
    if (snapshots && settings.isProvoked()) {
      return Optional.of(name + " of who sees snapshots: he cannot fail requests, nor tamper");
    }
    if (countsWrites && config.has(Scheme.Trait.HIDES_WRITES_ALONE) && snapshots) {
      return Optional.of(
          name
              + " writes more on one side: scheme "
              + config.scheme()
              + " shows how much is written");
    }
    if ((left.dies() || right.dies()) && settings.isProvoked()) {
      return Optional.of(
          name + " is of clients that are killed: an active store makes it too much");
    }
    Durability durability = settings.options().durability();
    return (left.dies() || right.dies()) && durability == Durability.NONE
        ? Optional.of(
            name + " needs durability os, flush or sync: with none, nothing is left after a crash")
        : Optional.empty();
  }

  /**
   * What a client does with a store: one side of a {@link Pair}.
   *
   * <p>How many accesses there are, how long they are and when the client dies follows from the
   * number of accesses alone, so that it is the same on both sides of a run. Which blocks, and what
   * they hold, comes from {@link ScriptedClient#random}.
   */
  @FunctionalInterface
  public interface Workload {
    /**
     * Does it.
     *
     * @param session of a store that nobody accessed before
     * @param accesses how many to make
     */
    void run(ScriptedClient session, int accesses) throws IOException;

    /** Returns whether the client dies and is started again. */
    default boolean dies() {
      return false;
    }
  }

  /** All pairs of workloads. A new one is one more entry. */
  public static final class Pairs {

    static final String TRIMS = "trims";
    static final String BULK = "bulk";

    private static final List<Pair> ALL =
        List.of(
            writing(
                "reads-writes",
                "whether blocks are read or written",
                anywhere(Operation.READ),
                anywhere(Operation.WRITE)),
            pair(
                "same-distinct",
                "whether an access goes to a block that was accessed before",
                same(Operation.ALTERNATE),
                distinct(Operation.ALTERNATE)),
            pair(
                "sequential-random",
                "whether ranges follow one another",
                sequential(Operation.ALTERNATE),
                anywhere(Operation.ALTERNATE)),
            pair(
                    "unaligned-aligned",
                    "where in a block a transfer begins and ends",
                    channel(false),
                    channel(true))
                .within(Scope.CALLS),
            pair(
                "hot-cold",
                "how often a block is accessed",
                hot(Operation.ALTERNATE),
                anywhere(Operation.ALTERNATE)),
            pair(
                "first-later",
                "whether blocks are accessed for the first time",
                secondHalf(Operation.ALTERNATE, false),
                secondHalf(Operation.ALTERNATE, true)),
            writing(
                "full-empty",
                "whether blocks were ever written",
                afterAll(Operation.WRITE),
                afterAll(Operation.READ)),
            pair("contents", "what blocks hold", afterBulkLoad(false), afterBulkLoad(true)),
            writing("channel", "whether bytes are read or written", bytes(false), bytes(true)),
            pair(
                BULK,
                "what a bulk load with little memory loads, and where it puts it",
                bulkLoadInParts(false),
                bulkLoadInParts(true)),
            writing(
                "crash",
                "whether a client that was killed had read or written",
                dying(Operation.READ, Death.KILL),
                dying(Operation.WRITE, Death.KILL)),
            writing(
                "power",
                "whether a client that lost power had read or written",
                dying(Operation.READ, Death.POWER_FAILURE),
                dying(Operation.WRITE, Death.POWER_FAILURE)),
            writing(
                    "sectors",
                    "whether a part of a block is written or a block is read",
                    sectors(true),
                    sectors(false))
                .within(Scope.DEVICES),
            pair(
                    "places",
                    "where on the device requests of the same lengths lie",
                    places(true),
                    places(false))
                .within(Scope.DEVICES),
            pair(
                    TRIMS,
                    "whether and which blocks are trimmed between accesses",
                    trims(true),
                    trims(false))
                .within(Scope.DEVICES),
            pair(
                    "reads-none",
                    "whether anything is read between writes",
                    withReads(true),
                    withReads(false))
                .within(Scope.SNAPSHOTS),
            pair(
                    "pages",
                    "which pages faults are of",
                    faults(true, Operation.ALTERNATE),
                    faults(false, Operation.ALTERNATE))
                .within(Scope.PAGES),
            pair(
                    "clean-dirty",
                    "whether pages that go were changed",
                    faults(false, Operation.READ),
                    faults(false, Operation.WRITE))
                .within(Scope.PAGES),
            pair(
                    "secret-branch",
                    "which way a program took at a secret, as its page loads and evictions tell",
                    branches(true),
                    branches(false))
                .within(Scope.PAGES),
            writing(
                    "scattered",
                    "where the two blocks of an access lie, and whether it changes them",
                    twoBlocks(true),
                    twoBlocks(false))
                .within(Scope.SCATTERED),
            writing(
                    "growth",
                    "which blocks are accessed, and whether they are written, while a store grows",
                    growing(Operation.READ, true),
                    growing(Operation.WRITE, false))
                .within(Scope.GROWING),
            writing(
                    "backups",
                    "which blocks are accessed, and whether they are written, between backups",
                    backedUp(Operation.READ, true),
                    backedUp(Operation.WRITE, false))
                .within(Scope.BACKED_UP),
            writing(
                    "get-put",
                    "whether keys are got or put",
                    keys(Operation.READ),
                    keys(Operation.WRITE))
                .within(Scope.MAPS),
            pair("hit-miss", "whether keys that are got are there", found(true), found(false))
                .within(Scope.MAPS),
            pair("hot-keys", "how often a key is used", hotKeys(), keys(Operation.ALTERNATE))
                .within(Scope.MAPS),
            pair("splits", "whether leaves are split", inserts(true), inserts(false))
                .within(Scope.SORTED_MAPS),
            pair("scans", "where scans begin", scans(true), scans(false))
                .within(Scope.SORTED_MAPS));

    private Pairs() {}

    private static Pair pair(String name, String about, Workload left, Workload right) {
      return new Pair(name, about, left, right, false, Scope.ANY);
    }

    /** Returns a pair of which one side writes more than the other. */
    private static Pair writing(String name, String about, Workload left, Workload right) {
      return new Pair(name, about, left, right, true, Scope.ANY);
    }

    /** Returns all pairs. */
    public static List<Pair> all() {
      return ALL;
    }

    /**
     * Returns the pair of that name.
     *
     * @throws ConfigurationException if there is none; the message names all pairs
     */
    public static Pair named(String name) {
      for (Pair pair : ALL) {
        if (pair.name().equals(name)) {
          return pair;
        }
      }
      throw new ConfigurationException(
          "there is no pair \""
              + name
              + "\"; use one of "
              + ALL.stream().map(Pair::name).collect(Collectors.joining(", ")));
    }
  }
}
