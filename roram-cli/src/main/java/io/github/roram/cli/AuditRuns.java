package io.github.roram.cli;

import io.github.roram.Durability;
import io.github.roram.OramConfig;
import io.github.roram.auditor.Runs;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.view.View;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The runs that {@code roram audit} judges. */
@SuppressWarnings("DoNotCallSuggester") // Until the workloads are here.
final class AuditRuns implements Runs, Closeable {

  private static final String MISSING = "this build has no workloads to run and no views to read";

  private AuditRuns() {}

  static AuditRuns open(
      OramConfig config,
      @Nullable Durability durability,
      @Nullable String storeUri,
      StoreOptions options)
      throws IOException {
    throw new UsageException(MISSING);
  }

  static OramConfig smallConfig(OramConfig like) {
    return like;
  }

  static View readView(Path file) throws IOException {
    throw new UsageException(MISSING);
  }

  List<String> names() {
    return List.of();
  }

  List<String> subject() {
    return List.of();
  }

  @Override
  public String about(String pair) {
    throw new UsageException(MISSING);
  }

  @Override
  public Optional<String> objection(String pair) {
    return Optional.of(MISSING);
  }

  @Override
  public View run(String pair, Side side, long seed, int accesses) throws IOException {
    throw new UsageException(MISSING);
  }

  @Override
  public void close() throws IOException {}
}
