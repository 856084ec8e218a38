package io.github.roram.bench.stripes;

import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.ResourceStack;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Experiment.Output;
import io.github.roram.bench.experiment.Experiment.Results;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.experiment.RangeJobs.RangeLoad;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.bench.replay.Target;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Statistics.Estimate;
import io.github.roram.bench.report.Table;
import io.github.roram.netserver.BlockServer;
import io.github.roram.netserver.ServerConfig;
import io.github.roram.netserver.VolumeBacking.MemoryBacking;
import io.github.roram.netserver.link.LinkRelay;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.link.Link;
import io.github.roram.storage.remote.RemoteAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Accesses with data on one and two directories of this machine, past the page cache, and on one
 * and two block servers, each behind a line of its own.
 *
 * @param options of the experiment
 * @param run number of the run
 */
record MeasuredStripes(ExperimentOptions options, int run) {

  /**
   * Where the store is.
   *
   * @param servers on block servers, or in directories
   * @param stripes how many of them
   */
  record Layout(boolean servers, int stripes) {
    String id() {
      return kind() + "-" + stripes;
    }

    String kind() {
      return servers ? "servers" : "directories";
    }
  }

  /** What is compared. */
  static final List<Layout> LAYOUTS =
      List.of(new Layout(false, 1), new Layout(false, 2), new Layout(true, 1), new Layout(true, 2));

  /** The figure of accesses a second, and the table of two by one. */
  static final String RATES = "stripes-measured";

  static final String TABLE = "stripes-ratios";

  private static final List<String> COLUMNS =
      List.of("on", "range", "one, accesses a second", "two", "ratio", "95 % interval");
  private static final int LARGEST = 6;
  private static final int CHUNK_PATHS = 16;
  private static final long CONTENTS = 1;
  private static final String VOLUME = "stripes";

  List<Job> jobs() {
    return LAYOUTS.stream().map(this::job).toList();
  }

  /** Returns a configuration with short chunks, so that a few accesses are whole cycles of them. */
  private OramConfig config() {
    OramConfig.Builder builder =
        OramConfig.builder(options.scale().measuredBlocks())
            .maxRangeBlocks(1 << LARGEST)
            .treetopBytes(0)
            .chunkPaths(CHUNK_PATHS);
    TreeParameters parameters = TreeParameters.of(builder.build());
    return builder.windowBlocks(CHUNK_PATHS * parameters.evictionHalfBlocks() / 2).build();
  }

  /** Returns the line before each server, the one of the experiments with a single server. */
  private Link link() {
    String wide = "12ms,11MB/s";
    return Link.parse(options.scale().pick("1ms,100MB/s", wide, wide, wide));
  }

  private Job job(Layout layout) {
    OramConfig config = config();
    Job.Builder<Target> job = Job.on(Job.fillWork(config), alive -> open(layout, config, alive));
    List<Integer> usual = List.of(0, 4, LARGEST);
    for (int exponent : options.scale().pick(List.of(0), usual, usual, usual)) {
      RangeLoad load = new RangeLoad(config, Contenders.LIBRARY_RORAM, 1 << exponent);
      Point.Key key =
          options.key(
              StripesExperiment.ID,
              true,
              layout.id(),
              Integer.toString(exponent),
              run,
              config,
              load.queries());
      job.step(key, load.work(), (target, alive) -> load.run(key, target, alive));
    }
    return job.build();
  }

  private StoredTarget open(Layout layout, OramConfig config, Runnable alive) throws IOException {
    return layout.servers()
        ? onServers(layout.stripes(), config, alive)
        : inDirectories(layout.stripes(), config, alive);
  }

  /** Returns a target in directories below one of the experiment's, past the page cache. */
  private StoredTarget inDirectories(int stripes, OramConfig config, Runnable alive)
      throws IOException {
    List<String> uris = new ArrayList<>();
    for (int stripe = 1; stripe <= stripes; stripe++) {
      uris.add(StoredTarget.uriBelow(options.directory(), "stripe-" + stripe));
    }
    String uri = together(uris);
    StoreOptions direct = FileOptions.defaults().withDirectIo(true).storeOptions();
    return reopened(uri, uri, direct, config, new ResourceStack(), alive);
  }

  /**
   * Returns a target on block servers of this process, in memory, which are filled without a line.
   */
  private StoredTarget onServers(int stripes, OramConfig config, Runnable alive)
      throws IOException {
    ResourceStack resources = new ResourceStack();
    return resources.closingOnFailure(
        () -> {
          List<String> direct = new ArrayList<>();
          List<String> behindLines = new ArrayList<>();
          for (int stripe = 0; stripe < stripes; stripe++) {
            BlockServer server =
                resources.push(BlockServer.start(ServerConfig.loopback(0, new MemoryBacking())));
            direct.add(uri(server.address()));
            behindLines.add(
                uri(resources.push(LinkRelay.start(link(), server.address())).address()));
          }
          Path parent = Files.createDirectories(options.directory());
          Path state = Files.createTempDirectory(parent, "clients");
          resources.push(() -> ResourceStack.deleteTree(state));
          StoreOptions at = StoreOptions.defaults().withStateDirectory(state);
          return reopened(together(direct), together(behindLines), at, config, resources, alive);
        });
  }

  /**
   * Makes a store, which is deleted at the end, and fills it: without a journal's syncs, so that
   * the stores alone are compared.
   *
   * @param uri of the store that is filled
   * @param usedUri of the same when it is used
   */
  private static StoredTarget reopened(
      String uri,
      String usedUri,
      StoreOptions options,
      OramConfig config,
      ResourceStack resources,
      Runnable alive)
      throws IOException {
    // An interrupted experiment may have left it.
    Stores.deleteIfThere(uri, options);
    return StoredTarget.create(resources, uri, options, config, StoredTarget.UNSYNCED, CONTENTS)
        .filled(new ProgressListener.Alive(alive))
        .reopenedAt(usedUri, options, StoredTarget.UNSYNCED);
  }

  private static String uri(InetSocketAddress at) {
    return new RemoteAddress(false, at.getAddress().getHostAddress(), at.getPort(), VOLUME)
        .toString();
  }

  private static String together(List<String> uris) {
    return uris.size() == 1 ? uris.get(0) : "striped:" + String.join(",", uris);
  }

  /** Accesses a second on one and on two stores. */
  static List<Output> outputs() {
    return List.of(
        Output.figure(
            new FigureStyle(
                RATES,
                "One and two directories, one and two servers",
                "",
                "Range size (2^x blocks)",
                "Accesses a second",
                FigureStyle.Kind.BARS),
            MeasuredStripes::rates),
        Output.table(
            TableStyle.open(
                TABLE,
                "Two next to one, measured",
                "Accesses a second of two directories or servers by those of one."),
            MeasuredStripes::ratios));
  }

  private static double rate(Point point) {
    return point.queries() / point.seconds();
  }

  private static List<Series> rates(Results results) {
    List<Series> rates = new ArrayList<>();
    for (Layout layout : LAYOUTS) {
      List<Point> of =
          results.measured().stream()
              .filter(point -> point.key().contender().equals(layout.id()))
              .toList();
      for (Series row : Averages.series(layout.kind(), of, MeasuredStripes::rate)) {
        rates.add(
            new Series(
                row.panel(),
                layout.stripes() == 1 ? "one" : "two",
                row.x(),
                row.mean(),
                row.low(),
                row.high(),
                row.runs()));
      }
    }
    return rates;
  }

  private static Table ratios(Results results) {
    Map<Averages.PointPlace, List<Point>> places = Averages.group(results.measured());
    List<List<String>> rows = new ArrayList<>();
    for (Layout layout : LAYOUTS) {
      places.forEach(
          (place, runs) -> {
            List<Point> one =
                places.get(
                    new Averages.PointPlace(new Layout(layout.servers(), 1).id(), place.x()));
            if (place.contender().equals(layout.id()) && layout.stripes() == 2 && one != null) {
              Estimate ofOne = Averages.estimate(one, MeasuredStripes::rate);
              rows.add(row(layout, place, ofOne, Averages.estimate(runs, MeasuredStripes::rate)));
            }
          });
    }
    return new Table(COLUMNS, rows);
  }

  private static List<String> row(
      Layout layout, Averages.PointPlace place, Estimate one, Estimate two) {
    Estimate ratio = two.dividedBy(one);
    return List.of(
        layout.kind(),
        "2^" + place.x() + " blocks",
        number(one.mean()),
        number(two.mean()),
        number(ratio.mean()),
        number(ratio.low()) + " to " + number(ratio.high()));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
