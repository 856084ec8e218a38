package io.github.roram.bench.peers;

import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.ResourceStack;
import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.ExperimentOptions.Setting;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.peers.Peer.Outcome;
import io.github.roram.bench.peers.Peer.PeerTrace;
import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.replay.Replayer.ReplayOptions;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.trace.Trace;
import io.github.roram.bench.trace.Trace.BundledTraces;
import io.github.roram.storage.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Implementations of others that the user has, and ours, on the same trace on this machine: one
 * table. A peer that was not named is listed as not installed, with how to get it.
 */
public final class PeersExperiment extends NamedExperiment {

  private static final String ID = "peers";
  private static final String WRONG = "wrong";
  private static final double WORK = 1e6;
  private static final List<String> COLUMNS =
      List.of("who", "what", "ms a request", "blocks a second", "against roram", "wrong blocks");

  /** Ours, without client memory for a treetop: nor have they. */
  private static final Map<String, String> OURS = ours();

  /** What runs the trace. */
  @FunctionalInterface
  private interface Runner {
    Outcome run(PeerTrace trace, Path scratch) throws IOException;
  }

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public PeersExperiment() {
    super(ID, "implementations of others, named with --peer, and ours on one trace");
  }

  private static Map<String, String> ours() {
    Map<String, String> ours = new LinkedHashMap<>();
    ours.put("roram", "rORAM, two trees; sealed files through the page cache");
    ours.put("roram-one-tree", "rORAM, one tree; sealed files through the page cache");
    ours.put("path", "Path ORAM; sealed files through the page cache");
    return ours;
  }

  private static OramConfig config(String id, long blocks) {
    OramConfig.Builder builder =
        OramConfig.builder(blocks)
            .scheme(id.equals("path") ? "path" : "roram")
            .blockBytes(PeerTrace.BLOCK_BYTES)
            .treetopBytes(0);
    return (id.equals("roram-one-tree") ? builder.trees(0) : builder).build();
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    List<Job> jobs = new ArrayList<>();
    Map<String, Path> peers = options.selection().peers();
    // Among all experiments only if there is anything of others.
    if (options.experiments().size() > 1 && peers.isEmpty()) {
      return jobs;
    }
    for (String id : OURS.keySet()) {
      OramConfig config = config(id, blocks(options));
      jobs.add(job(options, run, id, config, (trace, scratch) -> ours(config, trace, scratch)));
    }
    for (String id : new TreeSet<>(peers.keySet())) {
      Path at = peers.getOrDefault(id, Path.of(""));
      jobs.add(
          job(options, run, id, at, (trace, scratch) -> Peer.named(id).run(at, trace, scratch)));
    }
    return jobs;
  }

  private static long blocks(ExperimentOptions options) {
    return options.scale().pick(1L << 8, 1L << 12, 1L << 14, 1L << 16);
  }

  private static long requests(ExperimentOptions options) {
    Long chosen = options.selection().traceQueries();
    return chosen != null ? chosen : options.scale().pick(20L, 500L, 500L, 500L);
  }

  private static Job job(
      ExperimentOptions options, int run, String id, Object config, Runner runner) {
    long requests = requests(options);
    Point.Key key =
        options.key(ID, true, id, Long.toString(blocks(options)), run, config, requests);
    return Job.alone(
        key,
        WORK,
        alive -> {
          Files.createDirectories(options.directory());
          Path scratch = Files.createTempDirectory(options.directory().toAbsolutePath(), ID);
          try (ResourceStack resources = new ResourceStack()) {
            resources.push(() -> ResourceStack.deleteTree(scratch));
            Trace bundled = BundledTraces.open("fileserver-1g");
            Path file = scratch.resolve("trace.csv");
            PeerTrace trace = PeerTrace.of(bundled, blocks(options), requests, file);
            Outcome outcome = runner.run(trace, scratch);
            long made = trace.requests().size();
            return Point.counted(key, made, trace.blocksMoved(), outcome.seconds(), Map.of())
                .withFigures(Map.of(WRONG, (double) outcome.wrong()));
          }
        });
  }

  private static Outcome ours(OramConfig config, PeerTrace trace, Path scratch) throws IOException {
    String uri = "file:" + scratch.resolve("store");
    try (StoredTarget target =
        StoredTarget.create(uri, StoreOptions.defaults(), config, StoredTarget.UNSYNCED, 1)
            .filled(ProgressListener.NONE)) {
      Trace all = Trace.of(trace.file());
      // Compiled code runs in the second pass; peers come compiled, or are never.
      target.replay(all, ReplayOptions.DEFAULTS, ProgressListener.NONE);
      ReplayResult result = target.replay(all, ReplayOptions.DEFAULTS, ProgressListener.NONE);
      return new Outcome(result.seconds(), result.mismatches());
    }
  }

  @Override
  public Set<Setting> settings() {
    return Set.of(Setting.QUERIES, Setting.PEER);
  }

  @Override
  public List<Output> outputs() {
    return List.of(
        Output.table(
                TableStyle.open(
                    ID,
                    "Implementations of others",
                    "The same requests, one after another, on this machine: time inside of calls."
                        + " They do not offer the same: what each is, and where it keeps data, is"
                        + " told."),
                PeersExperiment::table)
            .unlessEmpty(Results::points));
  }

  private static Table table(Results results) {
    Map<Averages.PointPlace, List<Point>> places = Averages.group(results.points());
    Map<String, List<Point>> points = new LinkedHashMap<>();
    places.forEach((place, runs) -> points.put(place.contender(), runs));
    Set<String> names = new LinkedHashSet<>(OURS.keySet());
    Peer.KNOWN.forEach(peer -> names.add(peer.id()));
    names.addAll(points.keySet());
    List<List<String>> rows = new ArrayList<>();
    for (String name : names) {
      List<Point> runs = points.getOrDefault(name, List.of());
      if (!runs.isEmpty()) {
        rows.add(row(name, runs, points.getOrDefault("roram", runs)));
      } else if (!OURS.containsKey(name)) {
        String get = Peer.named(name).get();
        rows.add(List.of(name, "to get it: " + get, "not installed", "-", "-", "-"));
      }
    }
    return new Table(COLUMNS, rows);
  }

  private static List<String> row(String name, List<Point> runs, List<Point> roram) {
    double seconds = seconds(runs);
    double requests = runs.get(0).queries();
    long wrong = runs.stream().mapToLong(point -> (long) point.figure(WRONG)).sum();
    String what = OURS.get(name);
    return List.of(
        name,
        what == null ? Peer.named(name).what() : what,
        String.format(Locale.ROOT, "%.3g", seconds / requests * 1e3),
        String.format(Locale.ROOT, "%.0f", runs.get(0).blocks() / seconds),
        String.format(Locale.ROOT, "%.3g", seconds / seconds(roram)),
        Long.toString(wrong));
  }

  private static double seconds(List<Point> runs) {
    return Averages.mean(runs, Point::seconds);
  }

  @Override
  public Set<String> choices() {
    return Set.of();
  }
}
