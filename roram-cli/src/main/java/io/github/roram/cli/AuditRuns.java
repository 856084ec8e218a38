package io.github.roram.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.auditor.Runs;
import io.github.roram.auditor.nbd.NbdWay;
import io.github.roram.auditor.workload.Pair;
import io.github.roram.auditor.workload.Pairs;
import io.github.roram.auditor.workload.Place;
import io.github.roram.auditor.workload.Run;
import io.github.roram.auditor.workload.RunSettings;
import io.github.roram.auditor.workload.Way;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.view.View;
import io.github.roram.storage.view.ViewReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The runs that {@code roram audit} judges. */
final class AuditRuns implements Runs, Closeable {

  /** Blocks of a store that is made for the runs alone. */
  static final int SMALL_BLOCKS = RunSettings.SMALL_BLOCKS;

  private static final Logger LOG = (Logger) LoggerFactory.getLogger("io.github.roram");

  private final RunSettings settings;
  private final @Nullable Level logged = LOG.getLevel();

  private AuditRuns(RunSettings settings) {
    this.settings = settings;
    // Clients that are killed warn of it, and servers of theirs report errors; no news here.
    LOG.setLevel(settings.way().isDevice() ? Level.OFF : Level.ERROR);
  }

  static AuditRuns open(
      OramConfig config,
      @Nullable Durability durability,
      @Nullable String storeUri,
      StoreOptions options,
      String through)
      throws IOException {
    Way way = way(through);
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    Place place = place(storeUri, options, temporary);
    RunSettings settings =
        RunSettings.of(config, place, RunSettings.SHORT_RUN_ACCESSES).withWay(way);
    return new AuditRuns(
        durability == null
            ? settings
            : settings.withOptions(settings.options().withDurability(durability)));
  }

  private static Way way(String through) {
    return switch (through) {
      case "library" -> Way.direct();
      case "nbd" -> new NbdWay();
      default -> throw new UsageException("--through is " + through + ", must be library or nbd");
    };
  }

  /** Whether that is a store's URI, and not the name of a store that is made for the runs alone. */
  static boolean isUri(String storeUri) {
    return storeUri.indexOf(':') >= 0;
  }

  private static Place place(@Nullable String storeUri, StoreOptions options, Path temporary)
      throws IOException {
    if (storeUri == null) {
      return Place.temporaryFiles(temporary);
    }
    return switch (storeUri) {
      case "mem" -> Place.memory();
      case "tls" -> Place.temporaryTlsServer(temporary);
      default -> Place.at(storeUri, options, temporary);
    };
  }

  /** A store so small that many runs take little time. */
  static OramConfig smallConfig(OramConfig like) {
    return RunSettings.smallConfig(like);
  }

  static View readView(Path file) throws IOException {
    return ViewReader.read(file);
  }

  List<String> names() {
    return Pairs.all().stream().map(Pair::name).toList();
  }

  List<String> subject() {
    return List.of(
        settings.config().toString(),
        "store "
            + settings.place()
            + ", durability "
            + settings.options().durabilityOf(Scheme.of(settings.config().scheme()))
            + ", through "
            + settings.way());
  }

  private static Pair pair(String name) {
    try {
      return Pairs.named(name);
    } catch (ConfigurationException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public String about(String pair) {
    return pair(pair).about();
  }

  @Override
  public Optional<String> objection(String pair) {
    return pair(pair).objection(settings);
  }

  @Override
  public View run(String pair, Side side, long seed, int accesses) throws IOException {
    Pair both = pair(pair);
    return Run.of(
        side == Side.A ? both.left() : both.right(), settings.withAccesses(accesses), seed);
  }

  @Override
  public void close() throws IOException {
    LOG.setLevel(logged);
    settings.place().close();
  }
}
