package io.github.roram.cli;

import io.github.roram.ConfigurationException;
import io.github.roram.Scheme;
import io.github.roram.auditor.Audit.Runs;
import io.github.roram.auditor.judge.Seen;
import io.github.roram.auditor.workload.Frontend;
import io.github.roram.auditor.workload.NbdFrontend;
import io.github.roram.auditor.workload.Pair;
import io.github.roram.auditor.workload.Pair.Pairs;
import io.github.roram.auditor.workload.ProxyFrontend;
import io.github.roram.auditor.workload.RunSettings;
import io.github.roram.auditor.workload.RunSettings.AuditedRun;
import io.github.roram.auditor.workload.StorePlace;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.remote.RemoteOptions;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The runs that {@code roram audit} judges. */
final class AuditRuns implements Runs, Closeable {

  private final RunSettings settings;

  /** Closes the settings' place with this. */
  AuditRuns(RunSettings settings) {
    this.settings = settings;
  }

  static Frontend frontend(String through) {
    return switch (through) {
      case "library" -> Frontend.direct();
      case "nbd" -> new NbdFrontend();
      case "proxy" -> new ProxyFrontend();
      case "paging" -> Frontend.paging();
      case "map" -> Frontend.map(false);
      case "sorted-map" -> Frontend.map(true);
      case "values" -> Frontend.values(false);
      case "values-keys" -> Frontend.values(true);
      case "index" -> Frontend.index();
      default ->
          throw new UsageException(
              "--through is "
                  + through
                  + ", must be library, nbd, proxy, paging, map, sorted-map, values, values-keys or"
                  + " index");
    };
  }

  /** Whether that is a store's URI, and not the name of a store that is made for the runs alone. */
  static boolean isUri(String storeUri) {
    return storeUri.indexOf(':') >= 0;
  }

  static StorePlace place(@Nullable String storeUri, StoreOptions options) throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    if (storeUri == null) {
      return StorePlace.temporaryFiles(temporary);
    }
    return switch (storeUri) {
      case "mem" -> StorePlace.memory();
      case "objects" -> StorePlace.objects();
      case "tls" -> StorePlace.temporaryTlsServer(temporary, RemoteOptions.of(options).readsXor());
      default -> StorePlace.at(storeUri, options, temporary);
    };
  }

  @Override
  public List<String> names() {
    return Pairs.all().stream().map(Pair::name).toList();
  }

  @Override
  public List<String> subject() {
    return List.of(
        settings.config().toString(),
        RunSettings.mapForm(settings.config())
            + ", store "
            + settings.place()
            + (settings.isProvoked() ? ", fails and tampers" : "")
            + ", durability "
            + settings.options().durabilityOf(Scheme.of(settings.config().scheme()))
            + ", through "
            + settings.frontend()
            + ", one access after another");
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
  public boolean isExact(String pair) {
    return pair(pair).isExact();
  }

  @Override
  public Seen run(String pair, Side side, long seed, int accesses) throws IOException {
    Pair both = pair(pair);
    return AuditedRun.seen(
        side == Side.A ? both.left() : both.right(), settings.withAccesses(accesses), seed);
  }

  @Override
  public void close() throws IOException {
    settings.place().close();
  }
}
