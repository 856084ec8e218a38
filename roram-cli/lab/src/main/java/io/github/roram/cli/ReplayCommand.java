package io.github.roram.cli;

import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.bench.contender.SealedScheme;
import io.github.roram.bench.replay.Arrivals;
import io.github.roram.bench.replay.Arrivals.Pace;
import io.github.roram.bench.replay.Arrivals.Responses;
import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.replay.ReplayResult.ResultsJson;
import io.github.roram.bench.replay.Replayer.ReplayOptions;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.bench.replay.Target;
import io.github.roram.bench.trace.Trace;
import io.github.roram.bench.trace.Trace.TraceReader;
import io.github.roram.bench.trace.Trace.TraceRequest;
import io.github.roram.cli.HelpSection.In;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreUse;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.DeviceModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code roram replay}: traces through one scheme or several, measured. */
@Command(
    name = "replay",
    header = "Replay block traces and measure what they cost.",
    description = {
      "",
      "For each scheme: makes a store, fills it, replays the traces on it one after"
          + " another, and deletes it. A trace is a file, plain or gzip, as CSV"
          + " (timestamp_us,op,offset_bytes,length_bytes), fio iolog v2 or v3, or MSR Cambridge"
          + " CSV; or a bundled trace: fileserver-1g, videoserver-1g, seq-1g. Requests longer than"
          + " the longest range are split.",
      "",
      "Modelled times are those of the same requests on a hard disk, an SSD, a network disk"
          + " and a distant server, computed from the counts; all other times are measured.",
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
      "    roram replay my.csv.gz --blocks 2^22 --no-payload",
      "  Response times where requests come by the trace's clock:",
      "    roram replay fileserver-1g --scheme roram,sealed --open-loop --load 0.8"
    })
final class ReplayCommand extends StoreTaker {

  private static final long SEED = 1;
  private static final long FOLDED_BLOCKS = 1 << 18;

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
          "path, path-batched, roram, tao, sealed, or several of them (default:"
              + " ${DEFAULT-VALUE}). Scheme sealed encrypts but hides nothing: it shows the price of"
              + " hiding.")
  List<String> schemes;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = "mem:",
      description =
          "mem:, or a place as in file:DIR for a new store that is deleted at the end (default:"
              + " ${DEFAULT-VALUE}).")
  String storeUri;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description =
          "Number of blocks (default: as the traces need). The default is a power of two; with"
              + " --fold it is 2^18.")
  @Nullable Long givenBlocks;

  @Option(names = "--limit", paramLabel = "M", description = "Requests per trace (default: all).")
  @Nullable Long limit;

  @In(HelpSection.MORE)
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

  @In(HelpSection.MORE)
  @Option(
      names = "--no-fill",
      description = "Start with an empty store: quicker to set up, but its figures are too good.")
  boolean noFill;

  @In(HelpSection.MORE)
  @Option(
      names = "--no-payload",
      description =
          "Count only: blocks have addresses but no data, so devices larger than any disk fit"
              + " in memory. Counts and modelled times are exact; nothing can be verified.")
  boolean noPayload;

  @In(HelpSection.MORE)
  @Option(
      names = "--as-written",
      description =
          "With --no-payload: treat the store as completely written instead of filling it"
              + " (schemes roram and path-batched). The same counts at any size, in seconds.")
  boolean asWritten;

  @In(HelpSection.MORE)
  @Option(
      names = "--open-loop",
      description =
          "Also show how long requests wait and take if they arrive at the trace's timestamps,"
              + " whether or not earlier ones were answered; they are served one after another.")
  boolean openLoop;

  @In(HelpSection.MORE)
  @Option(
      names = "--speed",
      paramLabel = "X",
      description = "With --open-loop: X times as fast as the timestamps say (default: 1).")
  @Nullable Double speed;

  @In(HelpSection.MORE)
  @Option(
      names = "--load",
      paramLabel = "PART",
      description =
          "With --open-loop: as fast as keeps each store busy for this part of the time, as in"
              + " 0.8.")
  @Nullable Double load;

  @Mixin TuningOptions tuning;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the results as JSON.")
  @Nullable Path json;

  ReplayCommand() {
    super(StoreUse.CREATE, StoreUse.OPEN);
  }

  @Override
  public Integer call() throws IOException {
    ReplayOptions options = options();
    StoreOptions storeOptions = store.options(storeUri, roram.environment());
    List<Trace> traces = new ArrayList<>();
    for (String name : traceNames) {
      Trace trace = Trace.find(name);
      checkReadable(trace);
      traces.add(trace);
    }
    long blocks = givenBlocks != null ? givenBlocks : fold ? FOLDED_BLOCKS : neededBlocks(traces);
    List<OramConfig> configs = new ArrayList<>();
    for (String scheme : schemes) {
      if (scheme.equals(SealedScheme.ID)) {
        // A replay is a comparison: nothing is entrusted to its stores, so nobody need declare it.
        tuning.others.putIfAbsent(SealedScheme.HIDES, SealedScheme.NOTHING);
      }
      configs.add(
          schemes.size() == 1
              ? tuning.config(scheme, blocks)
              : tuning.configAmongOthers(scheme, blocks));
    }
    List<ReplayResult> results = new ArrayList<>();
    try (TaskProgress progress = new TaskProgress(roram)) {
      for (OramConfig config : configs) {
        try (Target target = target(config, storeOptions, progress)) {
          results.addAll(target.replay(traces, options, progress));
        }
      }
    }
    roram.environment().answerLines(ReplayTable.render(results));
    List<List<Responses>> responses = responses(results);
    if (!responses.isEmpty()) {
      roram.environment().answerLines(ReplayTable.render(results, responses));
    }
    if (json != null) {
      ResultsJson.write(results, responses, json);
    }
    return results.stream().allMatch(r -> r.mismatches() == 0) ? ExitCodes.OK : ExitCodes.DATA;
  }

  /** Returns the response times of each result, if they were asked for. */
  private List<List<Responses>> responses(List<ReplayResult> results) {
    List<List<Responses>> all = new ArrayList<>();
    for (ReplayResult result : results) {
      if (result.arrivals() != null) {
        List<Responses> each = new ArrayList<>();
        if (!noPayload) {
          each.add(result.arrivals().responses(Arrivals.MEASURED, pace()));
        }
        for (DeviceModel device : DeviceModel.ALL) {
          each.add(result.arrivals().responses(device.id(), pace()));
        }
        all.add(each);
      }
    }
    return all;
  }

  private Pace pace() {
    return load != null ? Pace.ofLoad(load) : Pace.ofSpeed(speed == null ? 1 : speed);
  }

  /** Returns the size of a device for all requests, so that {@code --limit} does not change it. */
  private long neededBlocks(List<Trace> traces) throws IOException {
    long bytes = 1;
    for (Trace trace : traces) {
      try (TraceReader reader = trace.reader()) {
        for (TraceRequest request = reader.next(); request != null; request = reader.next()) {
          bytes = Math.max(bytes, request.endBytes());
        }
      }
    }
    long blocks = (bytes - 1) / tuning.blockBytes() + 1;
    return blocks == 1 ? 1 : 2 * Long.highestOneBit(blocks - 1);
  }

  /** Checks a trace before a store is created and filled for it. */
  private void checkReadable(Trace trace) throws IOException {
    try (TraceReader reader = trace.reader()) {
      TraceRequest first = reader.next();
      if (first == null) {
        throw new UsageException("the trace " + trace + " has no request that moves data");
      }
      for (long i = 0; i < warmup && first != null; i++) {
        first = reader.next();
      }
      if (first == null) {
        throw new UsageException(
            "--warmup is "
                + warmup
                + ", and the trace "
                + trace
                + " has no more requests to count");
      }
      if (openLoop && !hasTimes(first, reader)) {
        throw new UsageException(
            "the requests of the trace "
                + trace
                + " that are counted have no timestamps, or all the same, which do not say when"
                + " requests come; leave --open-loop out, raise --limit, or use a format that has"
                + " them: CSV, fio iolog v3, MSR Cambridge");
      }
    }
  }

  /** Returns whether the last request that counts is later than the first. */
  private boolean hasTimes(TraceRequest first, TraceReader reader) throws IOException {
    TraceRequest last = first;
    TraceRequest next = first;
    for (long left = limit == null ? Long.MAX_VALUE : limit; left > 0 && next != null; left--) {
      last = next;
      next = reader.next();
    }
    return last.timestampMicros() > first.timestampMicros();
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
    if (!openLoop && (speed != null || load != null)) {
      throw new UsageException("--speed and --load say how requests come: give --open-loop, too");
    }
    if (speed != null && load != null) {
      throw new UsageException("--speed and --load say the same in two ways: leave one out");
    }
    if ((speed != null && !(speed > 0)) || (load != null && !(load > 0 && load < 1))) {
      throw new UsageException(
          speed != null
              ? "--speed is " + speed + ", must be above 0"
              : "--load is " + load + ", must be above 0 and below 1: no store keeps up with more");
    }
    long maxQueries = limit == null ? ReplayOptions.ALL : limit;
    return new ReplayOptions(maxQueries, warmup, verify, fold, openLoop);
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
