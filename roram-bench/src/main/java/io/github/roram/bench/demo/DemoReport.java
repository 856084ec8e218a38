package io.github.roram.bench.demo;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.demo.DemoOptions.DemoWorkload;
import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.bench.report.Report.Machine;
import io.github.roram.bench.report.Units;
import io.github.roram.storage.device.DeviceModel;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The results of the demo.
 *
 * @param options its scale
 * @param machine the machine
 * @param folded whether addresses were taken modulo a device smaller than that of the traces
 * @param schemes one entry for each scheme, in the order in which they ran: the baseline first,
 *     ours last
 * @param results one entry for each scheme and workload, in the order in which they ran
 */
public record DemoReport(
    DemoOptions options,
    Machine machine,
    boolean folded,
    List<SchemeRun> schemes,
    List<ReplayResult> results) {

  /**
   * A scheme and how its store came to be.
   *
   * @param scheme which
   * @param config its parameters
   * @param storeBytes address space of its store
   * @param fill the bulk load
   */
  public record SchemeRun(
      Contender scheme, OramConfig config, long storeBytes, StoredTarget.Fill fill) {}

  /** Copies the lists. */
  public DemoReport {
    schemes = List.copyOf(schemes);
    results = List.copyOf(results);
  }

  /** Returns the names of the traces, in order. */
  public List<String> traces() {
    return options.workloads().stream().map(DemoWorkload::trace).toList();
  }

  /** Returns what a scheme needed for a trace. */
  public ReplayResult result(String trace, SchemeRun run) {
    return results.stream()
        .filter(r -> r.trace().equals(trace) && r.config().equals(run.config()))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no result of " + run.scheme() + " for " + trace));
  }

  /** Returns the scheme of a result. */
  Contender scheme(ReplayResult result) {
    return schemes.stream()
        .filter(run -> run.config().equals(result.config()))
        .findFirst()
        .map(SchemeRun::scheme)
        .orElseThrow(() -> new IllegalArgumentException("no run of " + result.config()));
  }

  /** Returns what the scheme that the others are compared with needed for a trace. */
  public ReplayResult baseline(String trace) {
    return result(trace, schemes.get(0));
  }

  /** Returns what that scheme is called in a sentence. */
  String baselineName() {
    String id = schemes.get(0).scheme().id();
    return id.equals("path") ? "Path ORAM" : id;
  }

  /** Returns our scheme. */
  SchemeRun ours() {
    return schemes.get(schemes.size() - 1);
  }

  /** Returns what our scheme needed for a trace. */
  public ReplayResult ours(String trace) {
    return result(trace, ours());
  }

  /** Blocks answered wrongly, over all results. */
  public long mismatches() {
    return results.stream().mapToLong(ReplayResult::mismatches).sum();
  }

  /** What the figures of a demo say, in sentences that are computed from them. */
  static final class DemoSentences {

    private static final double MILLIS_PER_SECOND = 1000;

    private DemoSentences() {}

    /** Returns a paragraph for each trace: how rORAM compares with Path ORAM, and why. */
    static List<String> of(DemoReport report) {
      return report.traces().stream()
          .map(trace -> compare(report.baselineName(), report.baseline(trace), report.ours(trace)))
          .toList();
    }

    /** Returns a sentence that tells whether all answers were right. */
    static String verdict(DemoReport report) {
      long queries = report.results().stream().mapToLong(ReplayResult::queries).sum();
      long wrong = report.mismatches();
      return wrong == 0
          ? "0 mismatches: every byte of every answer was checked, over "
              + Units.count(queries)
              + " counted queries and those before them."
          : Units.count(wrong) + " MISMATCHES: blocks were answered with wrong contents.";
    }

    /** Returns what the measured times do and do not say. */
    static String caveat(DemoReport report) {
      String medium =
          switch (report.options().medium()) {
            case FILES ->
                report.options().directIo()
                    ? "Measured times are those of this machine's disk, past the page cache."
                    : "Measured times are those of files in the operating system's page cache, where a"
                        + " seek is nearly free and bytes decide; on a disk, seeks decide (the"
                        + " modelled hdd).";
            case OBJECTS ->
                "Measured times are those of objects in a directory, each a file that is written"
                    + " once and forced to the disk; in a store over a network each object that is"
                    + " met costs a request (the modelled network and wan). Schemes that overwrite"
                    + " what they wrote cannot be on objects, and are left out.";
            case TCP -> overLoopback("without TLS");
            case TLS -> overLoopback("over TLS 1.3 with certificates on both sides");
          };
      return medium
          + " No scheme kept a journal (durability NONE), so that the ORAMs alone are compared.";
    }

    private static String overLoopback(String how) {
      return "Measured times are those of a block server on this machine, over loopback, "
          + how
          + ", with its files in the page cache: a round trip is nearly free and bytes decide. Over a"
          + " real link round trips cost too (the modelled network and wan).";
    }

    private static String compare(String name, ReplayResult path, ReplayResult roram) {
      String modelled =
          DeviceModel.ALL.stream()
              .map(device -> device.id() + " " + modelledSpeedup(path, roram, device))
              .collect(Collectors.joining(", "));
      return String.format(
          "%s: measured here, rORAM takes %s ms a query and %s %s ms (%s). Why: per query it"
              + " asks for %s instead of %s seeks (%s), in %s instead of %s requests, and moves %s"
              + " instead of %s (%s). What these counts would take on the modelled devices: %s.",
          roram.trace(),
          Units.number(roram.secondsPerQuery() * MILLIS_PER_SECOND),
          name,
          Units.number(path.secondsPerQuery() * MILLIS_PER_SECOND),
          faster(path.secondsPerQuery() / roram.secondsPerQuery()),
          Units.number(roram.perQuery(roram.io().seeks())),
          Units.number(path.perQuery(path.io().seeks())),
          fraction(path.io().seeks(), roram.io().seeks(), "fewer"),
          Units.number(roram.perQuery(roram.io().requests())),
          Units.number(path.perQuery(path.io().requests())),
          Units.bytes(roram.perQuery(roram.io().bytes())),
          Units.bytes(path.perQuery(path.io().bytes())),
          fraction(path.io().bytes(), roram.io().bytes(), "less"),
          modelled);
    }

    private static String modelledSpeedup(
        ReplayResult path, ReplayResult roram, DeviceModel device) {
      return faster(path.modelledSecondsPerQuery(device) / roram.modelledSecondsPerQuery(device));
    }

    private static String faster(double ratio) {
      return ratio >= 1
          ? Units.number(ratio) + " times faster"
          : Units.number(1 / ratio) + " times slower";
    }

    private static String fraction(long before, long after, String less) {
      return before >= after
          ? Units.number((double) before / after) + " times " + less
          : Units.number((double) after / before) + " times more";
    }
  }
}
