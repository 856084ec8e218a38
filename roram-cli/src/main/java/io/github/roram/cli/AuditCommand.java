package io.github.roram.cli;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.auditor.Audit;
import io.github.roram.auditor.AuditReport;
import io.github.roram.auditor.OverlapAudit;
import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Judge;
import io.github.roram.auditor.overlap.OverlapPairs;
import io.github.roram.auditor.overlap.OverlapRuns;
import io.github.roram.auditor.report.HtmlReport;
import io.github.roram.auditor.report.JsonReport;
import io.github.roram.auditor.report.TextReport;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreUse;
import io.github.roram.storage.view.View;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code roram audit}: can an observer tell what must look alike? */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    header = "Try to tell apart what must look alike.",
    description = {
      "",
      "Runs pairs of workloads that must not be told apart, such as reads and writes, on new stores,"
          + " and records what the store, the disk of the client's vault and the line to a server"
          + " show. Compares the two sides exactly, tests the labels that reads show, and trains a"
          + " program to tell the sides apart. With the defaults it takes about a minute.",
      "",
      "With --view it judges what was recorded of your own use of a store, and runs nothing.",
      "",
      "The exit code is 3 if anything was told apart.",
      "",
      ByteSizeConverter.SYNTAX,
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram audit",
      "  roram audit --scheme path-batched --report audit.html",
      "  The store that you want to create, in the same place:",
      "    roram audit --store file:/data/trial --blocks 2^16 --classes 0,4,8",
      "  A block device over NBD:",
      "    roram audit --through nbd",
      "  Some pairs, at length:",
      "    roram audit --pairs reads-writes,hot-cold --accesses 100K",
      "  Accesses that overlap:",
      "    roram audit --in-flight 8 --scheme tao",
      "  A recorded view:",
      "    roram audit --view my.view"
    })
final class AuditCommand implements Callable<Integer>, StoreArguments.Taker {

  @ParentCommand Roram roram;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      description =
          "Where each run makes its store, and deletes it: mem:, a place as in file:DIR, or tls"
              + " for a block server of its own, whose line is watched"
              + " (default: temporary files, the vault beside them).")
  @Nullable String storeUri;

  @Option(
      names = "--scheme",
      paramLabel = "NAME",
      defaultValue = "roram",
      description =
          "roram, path-batched, path, tao or detwo (default: ${DEFAULT-VALUE}). Detwo hides writes alone:"
              + " with --adversary snapshots it is shown to who sees writes only, and without to who"
              + " sees reads, too, and tells them apart.")
  String scheme;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description =
          "Blocks of a store with the options of create (default: a small store of the scheme and"
              + " the preset, whose other options do not count).")
  @Nullable Long blocks;

  @Mixin TuningOptions tuning;

  private final StoreArguments store = new StoreArguments(StoreUse.CREATE, StoreUse.OPEN);

  @Option(
      names = "--pairs",
      split = ",",
      paramLabel = "NAME",
      description = "Only these pairs of workloads (default: all).")
  List<String> pairs = List.of();

  @Option(
      names = "--accesses",
      paramLabel = "M",
      defaultValue = "800",
      description =
          "Accesses of each side of a pair, at least "
              + Audit.LEAST_ACCESSES
              + " (default: ${DEFAULT-VALUE}).")
  long accesses;

  @Option(
      names = "--durability",
      paramLabel = "D",
      description = "sync, flush, os or none (default: that of the scheme).")
  @Nullable Durability durability;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Let N accesses overlap, on a store in memory that answers in an order drawn for both"
              + " sides (schemes roram, path-batched and tao, durability os or none; default:"
              + " ${DEFAULT-VALUE}).")
  int inFlight;

  @Option(
      names = "--through",
      paramLabel = "WAY",
      defaultValue = "library",
      description =
          "How the workloads' requests come to the ORAM: library, or nbd for a server of block"
              + " devices and a client of it (default: ${DEFAULT-VALUE}).")
  String through;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the findings as JSON.")
  @Nullable Path json;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write a page of HTML with pictures.")
  @Nullable Path reportFile;

  @Option(
      names = "--view",
      paramLabel = "FILE",
      description = "Judge this recorded view; run nothing.")
  @Nullable Path view;

  @Override
  public StoreArguments storeArguments() {
    return store;
  }

  @Override
  public Integer call() throws IOException {
    AuditReport report = view != null ? judge(view) : run();
    roram.environment().answerLines(TextReport.render(report));
    if (json != null) {
      JsonReport.write(report, json);
    }
    if (reportFile != null) {
      HtmlReport.write(report, reportFile);
      roram.note("The report with pictures is in " + reportFile.toAbsolutePath());
    }
    return report.findings().isClean() ? ExitCodes.OK : ExitCodes.DATA;
  }

  /** Where there is no URI there is nothing to say of a store. */
  private StoreOptions storeOptions() throws IOException {
    if (storeUri != null && AuditRuns.isUri(storeUri)) {
      return store.options(storeUri, roram.environment());
    }
    if (!store.given().isEmpty()) {
      throw new UsageException(
          store.given().get(0) + " is for a store that has a URI: give it with --store");
    }
    return StoreOptions.defaults();
  }

  private static AuditReport judge(Path file) throws IOException {
    View recorded = AuditRuns.readView(file);
    String name = String.valueOf(file.getFileName());
    Findings findings = Judge.judgeView(name, recorded);
    long declared = recorded.sights().stream().mapToLong(sight -> sight.access()).max().orElse(0);
    return new AuditReport(
        List.of(file.toString(), recorded.config().toString()),
        Map.of(name, "anything but size classes"),
        declared,
        findings,
        List.of());
  }

  private AuditReport runOverlapping(OramConfig config) throws IOException {
    if (storeUri != null || !through.equals("library")) {
      throw new UsageException(
          "--in-flight judges a store in memory, by calls of the library; leave --store and"
              + " --through out");
    }
    OpenOptions options = OpenOptions.defaults();
    if (durability != null) {
      options = options.withDurability(durability);
    } else if (config.has(Scheme.Trait.JOURNALLED)) {
      options = options.withDurability(Durability.OS);
    }
    OverlapRuns runs = new OverlapRuns(config, inFlight, options);
    try (StopSignal stop = StopSignal.install()) {
      return OverlapAudit.run(
          runs,
          pairs.isEmpty() ? OverlapPairs.names() : pairs,
          (int) accesses,
          new TaskProgress(roram.environment(), roram.quiet(), stop));
    }
  }

  private AuditReport run() throws IOException {
    if (accesses < Audit.LEAST_ACCESSES || accesses > Integer.MAX_VALUE) {
      throw new UsageException(
          "--accesses is "
              + accesses
              + ", must be "
              + Audit.LEAST_ACCESSES
              + " to "
              + Integer.MAX_VALUE);
    }
    OramConfig config =
        blocks == null
            ? AuditRuns.smallConfig(tuning.config(scheme, AuditRuns.SMALL_BLOCKS))
            : tuning.config(scheme, blocks);
    if (tuning.mapDirectory != null) {
      throw new UsageException(
          "--map-directory is for stores whose position map is in a file, which looks to the store"
              + " as a local one does: audit that, and leave it out");
    }
    if (inFlight != 1) {
      return runOverlapping(config);
    }
    StoreOptions options = storeOptions();
    try (StopSignal stop = StopSignal.install();
        AuditRuns runs = AuditRuns.open(config, durability, storeUri, options, through)) {
      return Audit.run(
          runs,
          runs.subject(),
          pairs.isEmpty() ? runs.names() : pairs,
          (int) accesses,
          new TaskProgress(roram.environment(), roram.quiet(), stop));
    }
  }
}
