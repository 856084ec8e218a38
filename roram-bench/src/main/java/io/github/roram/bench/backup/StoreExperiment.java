package io.github.roram.bench.backup;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.bench.ResourceStack;
import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.ExperimentOptions.Scale;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.replay.DeviceContents;
import io.github.roram.bench.replay.DeviceContents.DevicePattern;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.threads.DaemonThreads;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/** An experiment on a store of single blocks in files on this machine: a point of figures a run. */
abstract class StoreExperiment extends NamedExperiment {

  static final double NANOS = 1e9;

  private static final double WORK = 1e6;
  private static final long PAUSE_NANOS = 10_000_000;

  /** A figure of a run. */
  interface Figure {

    /** Returns the name of the point. */
    String name();

    /** Returns what it is. */
    String text();
  }

  private final OpenOptions use;
  private final Map<String, String> figures = new LinkedHashMap<>();

  StoreExperiment(String id, String help, OpenOptions use, Figure... figures) {
    super(id, help);
    this.use = use;
    for (Figure figure : figures) {
      this.figures.put(figure.name(), figure.text());
    }
  }

  @Override
  public final Set<String> choices() {
    return Set.of(id());
  }

  @Override
  public final List<Job> jobs(ExperimentOptions options, int run) {
    if (!options.isMeasured()) {
      return List.of();
    }
    long blocks = blocks(options.scale());
    OramConfig config = OramConfig.builder(blocks).maxRangeBlocks(1).trees(0).build();
    DeviceContents contents = contents(blocks, new DevicePattern(1, config.blockBytes()));
    Point.Key key = options.key(id(), true, id(), Long.toString(blocks), run, config, 1);
    return List.of(Job.alone(key, WORK, alive -> filled(key, config, contents, options, alive)));
  }

  private Point filled(
      Point.Key key,
      OramConfig config,
      DeviceContents contents,
      ExperimentOptions options,
      Runnable alive)
      throws IOException {
    Files.createDirectories(options.directory());
    Path scratch = Files.createTempDirectory(options.directory().toAbsolutePath(), "store");
    try (ResourceStack resources = new ResourceStack();
        MasterKey masterKey = MasterKey.generate()) {
      resources.push(() -> ResourceStack.deleteTree(scratch));
      Key locking = Key.of(masterKey);
      Roram roram = Roram.at("file:" + scratch.resolve("store")).key(locking).options(use);
      try (Oram oram = roram.options(StoredTarget.UNSYNCED).create(config)) {
        contents.load(oram, Runtime.getRuntime().maxMemory() / 4, bytes -> alive.run());
      }
      return measure(key, new TriedStore(roram, locking, scratch, alive), options.scale());
    }
  }

  /**
   * A store that is filled.
   *
   * @param roram opens it
   * @param locking what it is locked with
   * @param scratch a directory of its own, deleted with it
   * @param alive is run now and then
   */
  record TriedStore(Roram roram, Key locking, Path scratch, Runnable alive) {

    /** Waits while others use it. */
    void pause(int seconds) {
      long end = System.nanoTime() + (long) (seconds * NANOS);
      while (System.nanoTime() - end < 0) {
        alive.run();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /** Returns the size of the store. */
  abstract long blocks(Scale scale);

  /** Returns what the store is filled with. */
  abstract DeviceContents contents(long blocks, DevicePattern pattern);

  /** Measures the point, on a filled store. */
  abstract Point measure(Point.Key key, TriedStore store, Scale scale) throws IOException;

  /**
   * Returns a table of all figures, if there are any.
   *
   * @param header headings of blocks, figure, mean and interval
   * @param format format of a number
   */
  final List<Output> table(TableStyle style, List<String> header, String format) {
    return List.of(
        Output.table(
                style, results -> Averages.figures(header, figures, format, results.measured()))
            .unlessEmpty(Results::measured));
  }

  /** Callers of a store in a closed loop, each on a thread of its own, until they are closed. */
  static final class Callers implements Closeable {

    private final AtomicBoolean ended = new AtomicBoolean();
    private final List<CompletableFuture<Void>> callers = new ArrayList<>();

    /**
     * Begins.
     *
     * @param access makes what a caller, by its number, does again and again
     */
    Callers(int count, IntFunction<Runnable> access) {
      for (int number = 0; number < count; number++) {
        Runnable own = access.apply(number);
        callers.add(
            CompletableFuture.runAsync(
                () -> call(own), command -> DaemonThreads.of("roram-load", command).start()));
      }
    }

    private void call(Runnable access) {
      while (!ended.get()) {
        access.run();
      }
    }

    boolean haveFailed() {
      return callers.stream().anyMatch(CompletableFuture::isCompletedExceptionally);
    }

    /**
     * Ends, once what is under way is done.
     *
     * @throws IOException if an access failed
     */
    @Override
    public void close() throws IOException {
      ended.set(true);
      try {
        callers.forEach(CompletableFuture::join);
      } catch (CompletionException e) {
        throw new IOException("an access failed: " + e.getCause(), e);
      }
    }
  }
}
