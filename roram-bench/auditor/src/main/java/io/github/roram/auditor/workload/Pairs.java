package io.github.roram.auditor.workload;

import static io.github.roram.auditor.workload.Scripts.afterAll;
import static io.github.roram.auditor.workload.Scripts.afterBulkLoad;
import static io.github.roram.auditor.workload.Scripts.anywhere;
import static io.github.roram.auditor.workload.Scripts.bulkLoadInParts;
import static io.github.roram.auditor.workload.Scripts.bytes;
import static io.github.roram.auditor.workload.Scripts.channel;
import static io.github.roram.auditor.workload.Scripts.distinct;
import static io.github.roram.auditor.workload.Scripts.dying;
import static io.github.roram.auditor.workload.Scripts.faults;
import static io.github.roram.auditor.workload.Scripts.hot;
import static io.github.roram.auditor.workload.Scripts.same;
import static io.github.roram.auditor.workload.Scripts.secondHalf;
import static io.github.roram.auditor.workload.Scripts.sequential;
import static io.github.roram.auditor.workload.Scripts.withReads;

import io.github.roram.ConfigurationException;
import io.github.roram.auditor.workload.Pair.Scope;
import io.github.roram.auditor.workload.Scripts.Operation;
import io.github.roram.auditor.workload.Session.Death;
import java.util.List;
import java.util.stream.Collectors;

/** All pairs of workloads. A new one is one more entry. */
public final class Pairs {

  static final String TRIMS = "trims";
  static final String BULK = "bulk";

  private static final List<Pair> ALL =
      List.of(
          writing(
              "reads-writes",
              "whether blocks are read or written",
              Workload.living("reads", anywhere(Operation.READ)),
              Workload.living("writes", anywhere(Operation.WRITE))),
          pair(
              "same-distinct",
              "whether an access goes to a block that was accessed before",
              Workload.living("one block", same(Operation.ALTERNATE)),
              Workload.living("distinct blocks", distinct(Operation.ALTERNATE))),
          pair(
              "sequential-random",
              "whether ranges follow one another",
              Workload.living("sequential ranges", sequential(Operation.ALTERNATE)),
              Workload.living("random ranges", anywhere(Operation.ALTERNATE))),
          new Pair(
              "unaligned-aligned",
              "where in a block a transfer begins and ends",
              Workload.living("parts of blocks", channel(false)),
              Workload.living("whole blocks", channel(true)),
              false,
              Scope.CALLS),
          pair(
              "hot-cold",
              "how often a block is accessed",
              Workload.living("hot blocks", hot(Operation.ALTERNATE)),
              Workload.living("random blocks", anywhere(Operation.ALTERNATE))),
          pair(
              "first-later",
              "whether blocks are accessed for the first time",
              Workload.living("first accesses", secondHalf(Operation.ALTERNATE, false)),
              Workload.living("later accesses", secondHalf(Operation.ALTERNATE, true))),
          writing(
              "full-empty",
              "whether blocks were ever written",
              Workload.living("all blocks written, then reads", afterAll(Operation.WRITE)),
              Workload.living("all blocks read, then reads", afterAll(Operation.READ))),
          pair(
              "contents",
              "what blocks hold",
              Workload.living("loaded with noise", afterBulkLoad(false)),
              Workload.living("loaded with zeros", afterBulkLoad(true))),
          writing(
              "channel",
              "whether bytes are read or written",
              Workload.living("bytes read", bytes(false)),
              Workload.living("bytes written", bytes(true))),
          pair(
              BULK,
              "what a bulk load with little memory loads, and where it puts it",
              Workload.living("noise", bulkLoadInParts(false)),
              Workload.living("zeros", bulkLoadInParts(true))),
          writing(
              "crash",
              "whether a client that was killed had read or written",
              Workload.dying("reads and kills", dying(Operation.READ, Death.KILL)),
              Workload.dying("writes and kills", dying(Operation.WRITE, Death.KILL))),
          writing(
              "power",
              "whether a client that lost power had read or written",
              Workload.dying("reads, power failures", dying(Operation.READ, Death.POWER_FAILURE)),
              Workload.dying(
                  "writes, power failures", dying(Operation.WRITE, Death.POWER_FAILURE))),
          new Pair(
              "sectors",
              "whether a part of a block is written or a block is read",
              Workload.living("parts of blocks written", DeviceScripts.sectors(true)),
              Workload.living("blocks read", DeviceScripts.sectors(false)),
              true,
              Scope.DEVICES),
          new Pair(
              "places",
              "where on the device requests of the same lengths lie",
              Workload.living("at its start", DeviceScripts.places(true)),
              Workload.living("anywhere", DeviceScripts.places(false)),
              false,
              Scope.DEVICES),
          new Pair(
              TRIMS,
              "whether and which blocks are trimmed between accesses",
              Workload.living("accesses and trims", DeviceScripts.trims(true)),
              Workload.living("accesses alone", DeviceScripts.trims(false)),
              false,
              Scope.DEVICES),
          new Pair(
              "reads-none",
              "whether anything is read between writes",
              Workload.living("writes and reads", withReads(true)),
              Workload.living("writes alone", withReads(false)),
              false,
              Scope.SNAPSHOTS),
          new Pair(
              "pages",
              "which pages faults are of",
              Workload.living("pages in order", faults(true, Operation.ALTERNATE)),
              Workload.living("any pages", faults(false, Operation.ALTERNATE)),
              false,
              Scope.PAGES),
          new Pair(
              "clean-dirty",
              "whether pages that go were changed",
              Workload.living("pages read", faults(false, Operation.READ)),
              Workload.living("pages written", faults(false, Operation.WRITE)),
              false,
              Scope.PAGES));

  private Pairs() {}

  private static Pair pair(String name, String about, Workload left, Workload right) {
    return new Pair(name, about, left, right, false, Scope.ANY);
  }

  /** Of which one writes more than the other. */
  private static Pair writing(String name, String about, Workload left, Workload right) {
    return new Pair(name, about, left, right, true, Scope.ANY);
  }

  /** Every pair there is. */
  public static List<Pair> all() {
    return ALL;
  }

  /**
   * The pair of that name.
   *
   * @throws ConfigurationException if there is none, naming those that there are
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
