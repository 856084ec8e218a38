package io.github.roram.bench.demo;

import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.demo.DemoOptions.DemoMedium;
import io.github.roram.bench.demo.DemoOptions.DemoWorkload;
import io.github.roram.bench.demo.DemoReport.SchemeRun;
import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.replay.Replayer.ReplayOptions;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.bench.report.Report.Machine;
import io.github.roram.bench.report.Units;
import io.github.roram.bench.trace.Trace;
import io.github.roram.bench.trace.Trace.BundledTraces;
import io.github.roram.open.Orams;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.file.FileOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The experiment behind {@code ./roram demo}: the same prefixes of real traces through Path ORAM,
 * batched Path ORAM and rORAM, each on an encrypted store, each answer checked.
 *
 * <p>For one scheme after another: a store is created and bulk loaded, so that buckets which were
 * never written cannot flatter the figures; then each workload warms up and is measured on that
 * store, and goes on with what those before it wrote; then the store is deleted. Only one store
 * exists at a time.
 */
public final class Demo {

  private static final List<Contender> SCHEMES = withSealed(Contenders.LIBRARY);

  /** What a file system and the client's records may take on top of the stores. */
  private static final long SPARE_BYTES = 256L << 20;

  private static final long JVM_WARMUP_BLOCKS = 1 << 12;
  private static final long JVM_WARMUP_QUERIES = 30;

  private final DemoOptions options;
  private final Path directory;
  private final DemoPlace place;
  private final ProgressListener progress;
  private final boolean folded;

  /** Schemes that can be on such stores. */
  private final List<Contender> schemes;

  /**
   * Prepares the experiment; nothing is created yet.
   *
   * @param directory an existing directory, for a store at a time; the demo leaves nothing in it
   * @throws io.github.roram.ConfigurationException if the options do not fit together
   */
  public Demo(DemoOptions options, Path directory, ProgressListener progress) {
    this(options, directory, DemoPlace.in(directory, options), progress);
  }

  /**
   * Creates a demo with stores elsewhere.
   *
   * @param directory directory that will contain the stores' files, whatever is in between
   * @param place where stores are created
   */
  public Demo(DemoOptions options, Path directory, DemoPlace place, ProgressListener progress) {
    this.options = options;
    this.directory = directory;
    this.place = place;
    this.progress = progress;
    this.folded =
        options.device().blocks() * options.device().blockBytes() < BundledTraces.DEVICE_BYTES;
    schemes = SCHEMES.stream().filter(this::canBeThere).toList();
    schemes.forEach(options::config);
  }

  /** Returns the schemes with the sealed one; the baseline stays first, ours last. */
  private static List<Contender> withSealed(List<Contender> schemes) {
    List<Contender> all = new ArrayList<>(schemes);
    all.add(all.size() - 1, Contenders.SEALED);
    return List.copyOf(all);
  }

  private boolean canBeThere(Contender scheme) {
    return options.medium() != DemoMedium.OBJECTS
        || options.config(scheme).has(Scheme.Trait.WRITES_ONCE);
  }

  /** Returns the disk space that the demo needs: that of the largest store, with a margin. */
  public long requiredBytes() {
    return schemes.stream().map(options::config).mapToLong(Orams::storeBytes).max().orElseThrow()
        + SPARE_BYTES;
  }

  /**
   * Runs it. Stores that were created are deleted, however it ends.
   *
   * @throws IOException if the disk has too little room, which is checked first, or fails
   */
  public DemoReport run() throws IOException {
    checkRoom();
    warmUpJvm();
    List<SchemeRun> runs = new ArrayList<>();
    List<ReplayResult> results = new ArrayList<>();
    for (Contender scheme : schemes) {
      String uri = place.uri(scheme.id());
      runs.add(run(scheme, options, uri, place.options(), folded, progress, results));
    }
    return new DemoReport(options, Machine.current(), folded, runs, results);
  }

  private static SchemeRun run(
      Contender scheme,
      DemoOptions options,
      String uri,
      StoreOptions at,
      boolean folded,
      ProgressListener progress,
      List<ReplayResult> results)
      throws IOException {
    OramConfig config = options.config(scheme);
    try (StoredTarget target =
        StoredTarget.create(uri, at, config, StoredTarget.UNSYNCED, options.seed())) {
      StoredTarget.Fill fill = target.fill(progress);
      for (DemoWorkload workload : options.workloads()) {
        ReplayOptions replay =
            ReplayOptions.DEFAULTS
                .withWarmupQueries(workload.warmupQueries())
                .withMaxQueries(workload.queries())
                .withFold(folded);
        results.add(target.replay(Trace.find(workload.trace()), replay, progress));
      }
      return new SchemeRun(scheme, target.oram().config(), Orams.storeBytes(config), fill);
    }
  }

  /**
   * Has the JVM compile the code of all schemes on small stores in memory: else the scheme that
   * runs first would pay for it.
   */
  private void warmUpJvm() throws IOException {
    DemoOptions small =
        options
            .withBlocks(Math.min(options.device().blocks(), JVM_WARMUP_BLOCKS))
            .withClientMemory(0)
            .withWorkloads(options.workloads().stream().map(Demo::shortened).toList());
    StoreOptions memory = StoreOptions.defaults();
    progress.begin("warming up the JVM", "schemes", schemes.size());
    try {
      for (int i = 0; i < schemes.size(); i++) {
        SchemeRun unused =
            run(
                schemes.get(i),
                small,
                "mem:",
                memory,
                true,
                ProgressListener.NONE,
                new ArrayList<>());
        progress.advanceTo(i + 1L);
      }
    } finally {
      progress.end();
    }
  }

  private static DemoWorkload shortened(DemoWorkload workload) {
    long queries = Math.min(JVM_WARMUP_QUERIES, workload.queries());
    return new DemoWorkload(workload.trace(), 0, queries);
  }

  private void checkRoom() throws IOException {
    long required = requiredBytes();
    long usable = Files.getFileStore(directory).getUsableSpace();
    if (usable < required) {
      throw new IOException(
          String.format(
              "%s has %s free, the demo needs %s (one store at a time); name a directory with more"
                  + " room (--dir), or use fewer size classes or blocks",
              directory, Units.bytes(usable), Units.bytes(required)));
    }
  }

  /**
   * Where the demo makes its stores.
   *
   * @param uriStart what their URIs begin with; the name of a scheme comes after it
   * @param options how they are accessed
   */
  public record DemoPlace(String uriStart, StoreOptions options) {

    /** What the names of the demo's stores begin with. */
    public static final String NAME_START = "roram-demo-";

    /**
     * Returns a place in a directory: segment files, or objects with the client's records next to
     * them.
     */
    static DemoPlace in(Path directory, DemoOptions demo) {
      if (demo.medium() == DemoMedium.OBJECTS) {
        return new DemoPlace(
            "objects:" + directory.resolve(NAME_START),
            StoreOptions.defaults().withStateDirectory(directory.resolve("client-state")));
      }
      return new DemoPlace(
          "file:" + directory.resolve(NAME_START),
          FileOptions.defaults().withDirectIo(demo.directIo()).storeOptions());
    }

    /** Volumes of a block server. */
    public static DemoPlace server(DemoMedium medium, String hostAndPort, StoreOptions options) {
      return new DemoPlace(medium.scheme() + "://" + hostAndPort + "/" + NAME_START, options);
    }

    String uri(String scheme) {
      return uriStart + scheme;
    }
  }
}
