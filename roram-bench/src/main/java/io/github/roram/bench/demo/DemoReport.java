package io.github.roram.bench.demo;

import io.github.roram.OramConfig;
import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.replay.ReplayTarget;
import java.util.List;

/**
 * What the demo found.
 *
 * @param options its scale
 * @param machine where it ran
 * @param folded whether addresses were taken modulo a device smaller than that of the traces
 * @param schemes one entry for each scheme, in the order in which they ran, Path ORAM first
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
   * @param config its parameters
   * @param storeBytes address space of its store
   * @param fill the bulk load
   */
  public record SchemeRun(OramConfig config, long storeBytes, ReplayTarget.Fill fill) {}

  /** Copies the lists. */
  public DemoReport {
    schemes = List.copyOf(schemes);
    results = List.copyOf(results);
  }

  /** Names of the traces, in order. */
  public List<String> traces() {
    return options.workloads().stream().map(DemoWorkload::trace).toList();
  }

  /** What a scheme needed for a trace. */
  public ReplayResult result(String trace, String scheme) {
    return results.stream()
        .filter(r -> r.trace().equals(trace) && r.config().scheme().equals(scheme))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no result of " + scheme + " for " + trace));
  }

  /** What Path ORAM, with which the others are compared, needed for a trace. */
  public ReplayResult baseline(String trace) {
    return result(trace, "path");
  }

  /** Blocks answered wrongly, over all results. */
  public long mismatches() {
    return results.stream().mapToLong(ReplayResult::mismatches).sum();
  }
}
