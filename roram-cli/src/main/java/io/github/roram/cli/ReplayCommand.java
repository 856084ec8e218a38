package io.github.roram.cli;

import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.bench.replay.ReplayOptions;
import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.replay.ResultsJson;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.bench.replay.Target;
import io.github.roram.bench.trace.Trace;
import io.github.roram.bench.trace.TraceReader;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreUse;
import io.github.roram.storage.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code roram replay}: traces through one scheme or several, measured. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    header = "Replay block traces and measure what they cost.",
    description = {
      "",
      "A store is made for each scheme and filled, the traces are replayed on it one after another,"
          + " and it is deleted. A trace is a file, plain or gzip, as CSV"
          + " (timestamp_us,op,offset_bytes,length_bytes), fio iolog v2 or v3, or MSR Cambridge CSV;"
          + " or a bundled one: fileserver-1g, videoserver-1g, seq-1g. Requests longer than the"
          + " longest range are split.",
      "",
      "Times called modelled are those of the same requests on a hard disk, an SSD, a network"
          + " disk and a distant server, computed from the counts; the others are measured.",
      "",
      ByteSizeConverter.SYNTAX + " N, M, L and the like take the same suffixes.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  A bundled trace on a smaller device in memory, every byte checked:",
      "    roram replay fileserver-1g --blocks 2^16 --fold --classes 0,4,8 \\",
      "      --limit 500 --verify",
      "  Your own trace through two schemes on files:",
      "    roram replay my.csv.gz --scheme path,roram --store file:/data/scratch \\",
      "      --blocks 4M --classes 0,4,8 --json result.json",
      "  What 16 GiB would cost, counted in memory:",
      "    roram replay my.csv.gz --blocks 2^22 --no-payload"
    })
final class ReplayCommand implements Callable<Integer>, StoreArguments.Taker {

  private static final long SEED = 1;

  @ParentCommand Roram roram;

  @Parameters(
      arity = "1..*",
      paramLabel = "TRACE",
      description = "Files, or names of bundled traces.")
  List<String> traceNames;

  @Option(
      names = "--scheme",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "roram",
      description =
          "path, path-batched, roram, tao, or several of them (default: ${DEFAULT-VALUE}).")
  List<String> schemes;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = "mem:",
      description =
          "mem:, or a place as in file:DIR for a new store that is deleted at the end"
              + " (default: ${DEFAULT-VALUE}).")
  String storeUri;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      defaultValue = "2^18",
      description = "Number of blocks of the device (default: ${DEFAULT-VALUE}).")
  long blocks;

  @Option(names = "--limit", paramLabel = "M", description = "Requests per trace (default: all).")
  @Nullable Long limit;

  @Option(
      names = "--warmup",
      paramLabel = "M",
      defaultValue = "0",
      description = "Requests that are replayed first and not counted (default: none).")
  long warmup;

  @Option(names = "--verify", description = "Check every byte; exit code 3 if any is wrong.")
  boolean verify;

  @Option(names = "--fold", description = "Take addresses modulo the size of the device.")
  boolean fold;

  @Option(
      names = "--no-fill",
      description = "Start with an empty store: faster to set up, but its figures flatter.")
  boolean noFill;

  @Option(
      names = "--no-payload",
      description =
          "Count only: blocks have addresses and no data, so devices that no disk holds fit in"
              + " memory. Counts and modelled times are exact; nothing can be verified.")
  boolean noPayload;

  @Option(
      names = "--as-written",
      description =
          "With --no-payload: takes the store as written all over instead of filling it. The same"
              + " counts at any size, in seconds; for schemes roram and path-batched.")
  boolean asWritten;

  @Mixin TuningOptions tuning;

  private final StoreArguments store = new StoreArguments(StoreUse.CREATE, StoreUse.OPEN);

  @Option(names = "--json", paramLabel = "FILE", description = "Write the results as JSON.")
  @Nullable Path json;

  @Override
  public StoreArguments storeArguments() {
    return store;
  }

  @Override
  public Integer call() throws IOException {
    ReplayOptions options = options();
    StoreOptions storeOptions = store.options(storeUri, roram.environment());
    List<OramConfig> configs = new ArrayList<>();
    for (String scheme : schemes) {
      configs.add(
          schemes.size() == 1
              ? tuning.config(scheme, blocks)
              : tuning.configAmongOthers(scheme, blocks));
    }
    List<Trace> traces = new ArrayList<>();
    for (String name : traceNames) {
      Trace trace = Trace.find(name);
      checkReadable(trace);
      traces.add(trace);
    }
    List<ReplayResult> results = new ArrayList<>();
    try (StopSignal stop = StopSignal.install()) {
      TaskProgress progress = new TaskProgress(roram.environment(), roram.quiet(), stop);
      for (OramConfig config : configs) {
        try (Target target = target(config, storeOptions, progress)) {
          results.addAll(target.replay(traces, options, progress));
        }
      }
    }
    roram.environment().answerLines(ReplayTable.render(results));
    if (json != null) {
      ResultsJson.write(results, json);
    }
    return results.stream().allMatch(r -> r.mismatches() == 0) ? ExitCodes.OK : ExitCodes.DATA;
  }

  /** Before a store is made and filled for nothing. */
  private static void checkReadable(Trace trace) throws IOException {
    try (TraceReader reader = trace.reader()) {
      if (reader.next() == null) {
        throw new UsageException("the trace " + trace + " has no request that moves data");
      }
    }
  }

  private ReplayOptions options() {
    if (limit != null && limit < 1) {
      throw new UsageException("--limit is " + limit + ", must be at least 1");
    }
    boolean lasting = Stores.traits(storeUri, StoreOptions.defaults()).lasting();
    if (noPayload && (verify || lasting || !store.given().isEmpty())) {
      throw new UsageException(
          "--no-payload holds no data: it goes with neither --verify nor --store nor a store's"
              + " options");
    }
    if (asWritten && (!noPayload || noFill)) {
      throw new UsageException(
          "--as-written says what a store without data begins as: it goes with --no-payload, and"
              + " without --no-fill");
    }
    long maxQueries = limit == null ? ReplayOptions.ALL : limit;
    return new ReplayOptions(maxQueries, warmup, verify, fold);
  }

  private Target target(OramConfig config, StoreOptions storeOptions, TaskProgress progress)
      throws IOException {
    if (noPayload) {
      Target.Start start =
          asWritten ? Target.Start.AS_WRITTEN : noFill ? Target.Start.EMPTY : Target.Start.FULL;
      return Target.pattern(config, start, progress);
    }
    OpenOptions use = tuning.over(StoredTarget.UNSYNCED);
    StoredTarget made = StoredTarget.create(storeUri, storeOptions, config, use, SEED);
    return noFill ? made : made.filled(progress);
  }
}
