package io.github.roram.bench.demo;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.demo.DemoOptions.DemoWorkload;
import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.bench.report.Report.Machine;
import io.github.roram.storage.device.IoCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A report with made-up figures of about the right size. */
final class SampleReport {

  private SampleReport() {}

  static DemoReport of(long mismatches) {
    DemoOptions options = DemoOptions.defaults();
    List<DemoReport.SchemeRun> schemes = new ArrayList<>();
    List<ReplayResult> results = new ArrayList<>();
    int slowness = 20;
    for (Contender scheme : Contenders.LIBRARY) {
      OramConfig config = options.config(scheme);
      schemes.add(
          new DemoReport.SchemeRun(
              scheme,
              config,
              2_500_000_000L,
              new StoredTarget.Fill(1 << 30, 2_200_000_000L, 3.25)));
      for (DemoWorkload workload : options.workloads()) {
        results.add(result(workload, config, slowness, mismatches));
      }
      slowness /= 4;
    }
    return new DemoReport(
        options, new Machine(2, 1 << 30, "a JVM 17", "an OS"), false, schemes, results);
  }

  private static ReplayResult result(
      DemoWorkload workload, OramConfig config, int slowness, long mismatches) {
    long queries = workload.queries();
    return new ReplayResult(
        workload.trace(),
        "file:/somewhere",
        config,
        queries,
        queries * 40,
        true,
        mismatches,
        queries * slowness * 0.01,
        slowness * 9.5,
        slowness * 14.25,
        new IoCounts(
            queries * slowness,
            queries * slowness * 30,
            queries * slowness * 29,
            0,
            queries * slowness * 1_000_000,
            queries * slowness * 500_000),
        Map.of(),
        12,
        null);
  }
}
