package io.github.roram.bench.demo;

import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.report.Units;
import io.github.roram.storage.device.DeviceModel;
import java.util.List;
import java.util.stream.Collectors;

/** What the figures of a demo say, in sentences that are computed from them. */
final class Findings {

  private static final double MILLIS_PER_SECOND = 1000;

  private Findings() {}

  /** One paragraph for each trace: how rORAM compares with Path ORAM, and why. */
  static List<String> of(DemoReport report) {
    return report.traces().stream()
        .map(trace -> compare(report.baseline(trace), report.ours(trace)))
        .toList();
  }

  /** Whether all answers were right. */
  static String verdict(DemoReport report) {
    long queries = report.results().stream().mapToLong(ReplayResult::queries).sum();
    long wrong = report.mismatches();
    return wrong == 0
        ? "0 mismatches: every byte of every answer was checked, over "
            + Units.count(queries)
            + " counted queries and those before them."
        : Units.count(wrong) + " MISMATCHES: blocks were answered with wrong contents.";
  }

  /** What the measured times do and do not say. */
  static String caveat(DemoReport report) {
    String medium =
        switch (report.options().medium()) {
          case FILES ->
              report.options().directIo()
                  ? "Measured times are those of this machine's disk, past the page cache."
                  : "Measured times are those of files in the operating system's page cache, where a"
                      + " seek is nearly free and bytes decide; on a disk, seeks decide (the"
                      + " modelled hdd).";
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

  private static String compare(ReplayResult path, ReplayResult roram) {
    String modelled =
        DeviceModel.ALL.stream()
            .map(device -> device.id() + " " + modelledSpeedup(path, roram, device))
            .collect(Collectors.joining(", "));
    return String.format(
        "%s: measured here, rORAM takes %s ms a query and Path ORAM %s ms (%s). Why: per query it"
            + " asks for %s instead of %s seeks (%s), in %s instead of %s requests, and moves %s"
            + " instead of %s (%s). What these counts would take on the modelled devices: %s.",
        roram.trace(),
        Units.number(roram.secondsPerQuery() * MILLIS_PER_SECOND),
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

  private static String modelledSpeedup(ReplayResult path, ReplayResult roram, DeviceModel device) {
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
