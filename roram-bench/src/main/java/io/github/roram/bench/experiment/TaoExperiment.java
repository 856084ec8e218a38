package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.open.Orams;
import io.github.roram.storage.link.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * TaoStore's figures (Sahin et al., IEEE S&amp;P 2016, section 7): requests a second and their time
 * against clients, bandwidth, k, and the share of the store that the server has in memory; Path
 * ORAM, TaORAM, and rORAM with one and two trees, with and without a treetop; what is sealed and
 * not hidden; and its second setting, in which it was compared with ObliviStore. In virtual time.
 */
public final class TaoExperiment extends NamedExperiment {

  private static final String ID = "tao";
  private static final String RATE = "perSecond";
  private static final String TIME = "meanMs";
  private static final String FETCH = "fetchMs";
  private static final String PAPER = "TaoStore's paper";
  private static final String OBLIVISTORE = "ObliviStore, published: 11 machines, 20 SSDs";
  private static final int BLOCK_BYTES = 4096;
  private static final double BYTES_PER_MB = 1e6;
  private static final int USUAL_CLIENTS = 10;
  private static final long LEAST_OF_A_CLIENT = 20;
  private static final int PATHS_OF_A_CLIENT = 4;

  private static final long ROUND_TRIP_NANOS = 12_000_000;
  private static final int CLOUD_BYTES_A_SECOND = 11_000_000;
  private static final int CENTRE_BYTES_A_SECOND = 125_000_000;
  private static final long FAR_ROUND_TRIP_NANOS = 50_000_000;

  /** TaoStore's proxy and server were on one machine there, so 10 Gbit/s stand for no limit. */
  private static final int FAR_BYTES_A_SECOND = 1_250_000_000;

  /** A server that has the whole store in memory. */
  private static final OptionalLong IN_MEMORY = OptionalLong.empty();

  /** What part of the store the server has in memory, 1 / this: 1.6, 3.1 and 6.3 %. */
  private static final List<Integer> CACHED_PARTS = List.of(64, 32, 16);

  /** A figure of the experiment: what its x axis is. */
  private enum Axis {
    CLIENTS("clients", "Clients"),
    BANDWIDTH("bandwidth", "Bandwidth each way (MB/s), 10 clients"),
    WRITE_BACK("k", "k, paths that are written back together, 10 clients"),
    SERVER_CACHE("cache", "Share of the store in the server's memory (%), 10 clients"),
    FAR_CLIENTS("far", "Clients, 50 ms away, 3,173,828 blocks"),
    FAR_RANGES("far-ranges", "Blocks of a request, 10 clients, 50 ms away, 3,173,828 blocks");

    private final String id;
    private final String label;

    Axis(String id, String label) {
      this.id = id;
      this.label = label;
    }

    /** Returns the experiment that its points name. */
    String points() {
      return ID + "-" + id;
    }
  }

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public TaoExperiment() {
    super(ID, "clients at the end of a line, as TaoStore's were measured");
  }

  private static long blocks(ExperimentOptions options) {
    // The paper's size from scale medium on: 1 GB.
    return options.scale().pick(1000L, 30_000L, 244_140L, 244_140L);
  }

  private static OramConfig.Builder builder(long blocks, String scheme) {
    return OramConfig.builder(blocks).scheme(scheme).treetopBytes(0);
  }

  @Override
  public Set<String> choices() {
    return Contenders.OVER_LINES.stream()
        .map(Contender::id)
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    List<Job> jobs = new ArrayList<>();
    long requests = options.scale().pick(100L, 1000L, 4000L, 10_000L);
    for (Contender each : Contenders.OVER_LINES) {
      OramConfig config = each.config(blocks(options), 1);
      for (int clients : new int[] {1, 2, 5, 10, 15}) {
        ClosedLoop loop =
            new ClosedLoop(config, clients, link(CLOUD_BYTES_A_SECOND), IN_MEMORY, requests);
        jobs.add(job(options, Axis.CLIENTS, each.id(), String.valueOf(clients), loop, run));
      }
      for (int rate : new int[] {CLOUD_BYTES_A_SECOND, CENTRE_BYTES_A_SECOND}) {
        ClosedLoop loop = new ClosedLoop(config, USUAL_CLIENTS, link(rate), IN_MEMORY, requests);
        String x = String.valueOf(rate / 1_000_000);
        jobs.add(job(options, Axis.BANDWIDTH, each.id(), x, loop, run));
      }
    }
    addWriteBacks(jobs, options, requests, run);
    addCaches(jobs, options, requests, run);
    addFar(jobs, options, requests, run);
    return jobs;
  }

  /** Adds the second setting: 13 GB from scale medium on, 50 ms, no limit on bandwidth. */
  private static void addFar(List<Job> jobs, ExperimentOptions options, long requests, int run) {
    long blocks = options.scale().pick(2000L, 60_000L, 3_173_828L, 3_173_828L);
    Link line = new Link(FAR_ROUND_TRIP_NANOS, FAR_BYTES_A_SECOND, FAR_BYTES_A_SECOND);
    for (Contender contender : Contenders.OVER_LINES) {
      for (int clients : new int[] {1, 10, 100}) {
        long each = Math.max(requests, LEAST_OF_A_CLIENT * clients);
        ClosedLoop loop =
            new ClosedLoop(farConfig(contender, blocks, clients), clients, line, IN_MEMORY, each);
        String x = String.valueOf(clients);
        jobs.add(job(options, Axis.FAR_CLIENTS, contender.id(), x, loop, run));
      }
      for (int range : new int[] {1, 16}) {
        OramConfig config = contender.config(blocks, range);
        // Others make an access for each block of a range.
        if (config.has(Scheme.Trait.WHOLE_RANGES)) {
          ClosedLoop loop =
              new ClosedLoop(config, USUAL_CLIENTS, line, IN_MEMORY, requests / 4, range);
          String x = String.valueOf(range);
          jobs.add(job(options, Axis.FAR_RANGES, contender.id(), x, loop, run));
        }
      }
    }
  }

  /** Returns TaORAM with the paper's k, as long as clients do not wait for write-backs with it. */
  private static OramConfig farConfig(Contender contender, long blocks, int clients) {
    OramConfig config = contender.config(blocks, 1);
    return config.scheme().equals(ID) && clients > USUAL_CLIENTS
        ? config.toBuilder().chunkPaths(PATHS_OF_A_CLIENT * clients).build()
        : config;
  }

  private static void addWriteBacks(
      List<Job> jobs, ExperimentOptions options, long requests, int run) {
    for (int k : new int[] {10, 20, 40, 80, 160}) {
      OramConfig config = builder(blocks(options), ID).chunkPaths(k).build();
      ClosedLoop loop =
          new ClosedLoop(config, USUAL_CLIENTS, link(CLOUD_BYTES_A_SECOND), IN_MEMORY, requests);
      jobs.add(job(options, Axis.WRITE_BACK, ID, String.valueOf(k), loop, run));
    }
  }

  private static void addCaches(List<Job> jobs, ExperimentOptions options, long requests, int run) {
    for (String scheme : List.of("path", ID)) {
      OramConfig config = builder(blocks(options), scheme).build();
      addCache(jobs, options, config, 0, requests, run);
      for (int parts : CACHED_PARTS) {
        addCache(jobs, options, config, 1.0 / parts, requests, run);
      }
    }
  }

  private static void addCache(
      List<Job> jobs,
      ExperimentOptions options,
      OramConfig config,
      double share,
      long requests,
      int run) {
    OptionalLong cacheBytes = OptionalLong.of((long) (share * Orams.storeBytes(config)));
    ClosedLoop loop =
        new ClosedLoop(config, USUAL_CLIENTS, link(CLOUD_BYTES_A_SECOND), cacheBytes, requests);
    String x = String.format(Locale.ROOT, "%.1f", 100 * share);
    jobs.add(job(options, Axis.SERVER_CACHE, config.scheme(), x, loop, run));
  }

  private static Link link(long bytesPerSecond) {
    return new Link(ROUND_TRIP_NANOS, bytesPerSecond, bytesPerSecond);
  }

  private static Job job(
      ExperimentOptions options, Axis axis, String contestant, String x, ClosedLoop loop, int run) {
    Point.Key key =
        options.key(axis.points(), false, contestant, x, run, loop.config(), loop.requests());
    return loop.job(
        key,
        run,
        result ->
            Map.of(
                RATE, result.perSecond(),
                TIME, result.meanMillis(),
                FETCH, result.fetchMillis()));
  }

  @Override
  public List<Output> outputs() {
    List<Output> outputs = new ArrayList<>();
    for (Axis axis : Axis.values()) {
      outputs.add(
          figure(axis, "rate", "Requests a second", "Requests a second", RATE, PaperFigures::rate));
      outputs.add(figure(axis, "time", "Time of a request", "Mean (ms)", TIME, PaperFigures::time));
    }
    outputs.add(
        figure(
            Axis.SERVER_CACHE,
            "fetch",
            "What the server's disk takes for a path",
            "Mean (ms)",
            FETCH,
            PaperFigures::fetch));
    outputs.add(throughput(Axis.FAR_CLIENTS, x -> 1));
    outputs.add(throughput(Axis.FAR_RANGES, Integer::parseInt));
    return outputs;
  }

  private static Output throughput(Axis axis, ToIntFunction<String> blocks) {
    return Output.figure(
        new FigureStyle(
            axis.points() + "-throughput",
            "Throughput of TaoStore's second setting",
            "",
            axis.label,
            "MB/s of data",
            FigureStyle.Kind.LOGARITHMIC_CURVES),
        results -> {
          List<Series> rows = new ArrayList<>();
          List<Point> of = results.of(axis.points());
          for (boolean treetop : new boolean[] {false, true}) {
            List<Point> there = withTreetop(of, treetop);
            String panel = panel(treetop);
            rows.addAll(Averages.series(panel, there, point -> megabytes(point, blocks)));
            for (String x : there.stream().map(p -> p.key().x()).distinct().toList()) {
              rows.add(Series.exact(panel, OBLIVISTORE, x, PaperFigures.OBLIVISTORE_MB));
            }
          }
          return rows;
        });
  }

  private static double megabytes(Point point, ToIntFunction<String> blocks) {
    return point.figure(RATE) * blocks.applyAsInt(point.key().x()) * BLOCK_BYTES / BYTES_PER_MB;
  }

  private static List<Point> withTreetop(List<Point> points, boolean treetop) {
    return points.stream()
        .filter(p -> p.key().contender().endsWith("-treetop") == treetop)
        .toList();
  }

  private static String panel(boolean treetop) {
    return treetop ? "treetop of 64 MB a GB" : "no treetop";
  }

  private static Output figure(
      Axis axis, String name, String title, String yAxis, String figure, Papers papers) {
    FigureStyle.Kind kind =
        switch (axis) {
          case CLIENTS -> FigureStyle.Kind.CURVES;
          case FAR_CLIENTS, FAR_RANGES -> FigureStyle.Kind.LOGARITHMIC_CURVES;
          default -> FigureStyle.Kind.BARS;
        };
    return Output.figure(
        new FigureStyle(axis.points() + "-" + name, title, "", axis.label, yAxis, kind),
        results -> rows(results.of(axis.points()), axis, figure, papers));
  }

  /** The paper's figures of a place, if it has one; NaN if not. */
  private interface Papers {
    double at(String axis, String x);
  }

  private static List<Series> rows(List<Point> points, Axis axis, String figure, Papers papers) {
    List<Series> rows = new ArrayList<>();
    for (boolean treetop : new boolean[] {false, true}) {
      String panel = panel(treetop);
      List<Point> there = withTreetop(points, treetop);
      rows.addAll(Averages.series(panel, there, point -> point.figure(figure)));
      if (!treetop) {
        for (String x : there.stream().map(p -> p.key().x()).distinct().toList()) {
          double theirs = papers.at(axis.id, x);
          if (!Double.isNaN(theirs)) {
            rows.add(Series.exact(panel, PAPER, x, theirs));
          }
        }
      }
    }
    return rows;
  }

  /**
   * What the text of TaoStore's paper says (section 7, C): at 12 ms and 11 MB/s each way, and
   * inside one data centre at 125.25 MB/s.
   */
  static final class PaperFigures {

    private static final double ONE_CLIENT_RATE = 17.95;
    private static final double ONE_CLIENT_MILLIS = 55.68;

    /** "Approximately 40 ops/s when the number of concurrent clients is 10", and 15. */
    private static final double MOST_RATE = 40;

    private static final double TEN_CLIENTS_MILLIS = 10 / MOST_RATE * 1e3;

    /** "The response time increases by 45% compared to the case with 10 concurrent clients." */
    private static final double FIFTEEN_CLIENTS_MILLIS = 1.45 * TEN_CLIENTS_MILLIS;

    private static final double CENTRE_RATE = 97.63;
    private static final double CENTRE_MILLIS = 102;

    /** ObliviStore's abstract (Stefanov and Shi, IEEE S&amp;P 2013), blocks of 4 KB. */
    private static final double OBLIVISTORE_MB = 31.5;

    private PaperFigures() {}

    /** Requests a second; NaN where the text has none. */
    static double rate(String axis, String x) {
      return switch (axis + " " + x) {
        case "clients 1" -> ONE_CLIENT_RATE;
        case "clients 10", "clients 15", "bandwidth 11", "k 40", "cache 0.0" -> MOST_RATE;
        case "bandwidth 125" -> CENTRE_RATE;
        default -> Double.NaN;
      };
    }

    /** Milliseconds in which the server reads a path; NaN where the text has none. */
    static double fetch(String axis, String x) {
      return switch (axis + " " + x) {
        case "cache 0.0" -> 6.12;
        case "cache 1.6" -> 2.68;
        case "cache 6.3" -> 1.7;
        default -> Double.NaN;
      };
    }

    /** Milliseconds of a request; NaN where the text has none. */
    static double time(String axis, String x) {
      return switch (axis + " " + x) {
        case "clients 1" -> ONE_CLIENT_MILLIS;
        case "clients 10", "bandwidth 11", "k 40", "cache 0.0" -> TEN_CLIENTS_MILLIS;
        case "clients 15" -> FIFTEEN_CLIENTS_MILLIS;
        case "bandwidth 125" -> CENTRE_MILLIS;
        default -> Double.NaN;
      };
    }
  }
}
