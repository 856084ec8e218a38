package io.github.roram.bench.demo;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.replay.ReplayTarget;
import io.github.roram.bench.report.Machine;
import java.util.List;

/**
 * What the demo found.
 *
 * @param options its scale
 * @param machine where it ran
 * @param folded whether addresses were taken modulo a device smaller than that of the traces
 * @param schemes one entry for each scheme, in the order in which they ran: what the others are
 *     compared with first, ours last
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
      Contender scheme, OramConfig config, long storeBytes, ReplayTarget.Fill fill) {}

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
  public ReplayResult result(String trace, SchemeRun run) {
    return results.stream()
        .filter(r -> r.trace().equals(trace) && r.config().equals(run.config()))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no result of " + run.scheme() + " for " + trace));
  }

  /** The scheme that a result is of. */
  Contender scheme(ReplayResult result) {
    return schemes.stream()
        .filter(run -> run.config().equals(result.config()))
        .findFirst()
        .map(SchemeRun::scheme)
        .orElseThrow(() -> new IllegalArgumentException("no run of " + result.config()));
  }

  /** What the scheme that the others are compared with needed for a trace. */
  public ReplayResult baseline(String trace) {
    return result(trace, schemes.get(0));
  }

  /** Our scheme. */
  SchemeRun ours() {
    return schemes.get(schemes.size() - 1);
  }

  /** What our scheme needed for a trace. */
  public ReplayResult ours(String trace) {
    return result(trace, ours());
  }

  /** Blocks answered wrongly, over all results. */
  public long mismatches() {
    return results.stream().mapToLong(ReplayResult::mismatches).sum();
  }
}
