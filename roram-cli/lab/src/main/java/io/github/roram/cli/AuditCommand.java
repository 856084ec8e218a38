package io.github.roram.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.auditor.Audit;
import io.github.roram.auditor.Audit.AuditReport;
import io.github.roram.auditor.Audit.Runs;
import io.github.roram.auditor.AuditPage;
import io.github.roram.auditor.AuditText;
import io.github.roram.auditor.AuditText.AuditJson;
import io.github.roram.auditor.TimeAudit;
import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Judge;
import io.github.roram.auditor.judge.Seen;
import io.github.roram.auditor.overlap.OverlapRuns;
import io.github.roram.auditor.workload.Frontend;
import io.github.roram.auditor.workload.NbdFrontend;
import io.github.roram.auditor.workload.Pair;
import io.github.roram.auditor.workload.Pair.Pairs;
import io.github.roram.auditor.workload.ProxyFrontend;
import io.github.roram.auditor.workload.RunSettings;
import io.github.roram.auditor.workload.RunSettings.AuditedRun;
import io.github.roram.auditor.workload.StorePlace;
import io.github.roram.cli.HelpSection.In;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreUse;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.view.View;
import io.github.roram.storage.view.ViewReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code roram audit}: can an observer tell what must look alike? */
@Command(
    name = "audit",
    header = "Try to tell apart what must look alike.",
    description = {
      "",
      "Runs pairs of workloads that must be indistinguishable, such as reads and writes, on"
          + " new stores. Records what is visible to the store, to the disk with the client's"
          + " records and on the line to a server. Compares the two sides exactly, tests the"
          + " labels that reads show, and trains a classifier to tell the sides apart. With the"
          + " defaults it takes about a minute.",
      "",
      "With --view it judges a recording of your own use of a store, and runs nothing.",
      "",
      "The exit code is 3 if anything was told apart, and 5 if nothing was but too little"
          + " was judged: a requested pair could not be run, or no classifier was tried.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram audit",
      "  roram audit --scheme path-batched --report audit.html",
      "  The store that you want to create, in the same place:",
      "    roram audit --store file:/data/trial --blocks 2^16 --classes 0,4,8",
      "  The times at which a store is asked, some minutes:",
      "    roram audit --time",
      "  A block device over NBD:",
      "    roram audit --through nbd",
      "  A proxy:",
      "    roram audit --through proxy",
      "  Some pairs, at length:",
      "    roram audit --pairs reads-writes,hot-cold --accesses 100K",
      "  Accesses that overlap:",
      "    roram audit --in-flight 8 --scheme tao",
      "  A recorded view:",
      "    roram audit --view my.view"
    })
final class AuditCommand extends StoreTaker {

  private static final Logger LOG = (Logger) LoggerFactory.getLogger("io.github.roram");

  private static final int ACCESSES = 800;
  private static final String XOR = "--xor";
  private static final int TIMED_ACCESSES = 1_000_000;

  /** What may be given with {@code --view}. */
  private static final Set<String> OF_VIEWS = Set.of("--view", "--json", "--report");

  @Spec CommandSpec spec;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      description =
          "mem:, or a place as in file:DIR where each run makes a store and deletes it"
              + " (default: temporary files, the vault next to them). With tls: a private block"
              + " server, whose line is watched; it takes --xor. With objects: an engine in memory"
              + " that has buckets and client's records as objects, and sees every request.")
  @Nullable String storeUri;

  @Option(
      names = "--scheme",
      paramLabel = "NAME",
      defaultValue = "roram",
      description =
          "roram, path-batched, path, tao, ring or detwo (default: ${DEFAULT-VALUE}). Detwo hides"
              + " only writes: with --adversary snapshots the observer sees writes only; without, the"
              + " observer sees reads, too, and tells them apart.")
  String scheme;

  @In(HelpSection.MORE)
  @Option(
      names = "--blocks",
      paramLabel = "N",
      description =
          "Blocks of a store with the options and defaults of create (default: 512 blocks of"
              + " 512 bytes, and other small values for options that are not given).")
  @Nullable Long blocks;

  @Mixin TuningOptions tuning;

  @Option(
      names = "--pairs",
      split = ",",
      paramLabel = "NAME",
      description = "Only these pairs of workloads (default: all).")
  List<String> pairs = List.of();

  @Option(
      names = "--accesses",
      paramLabel = "M",
      description =
          "Accesses of each side of a pair, at least "
              + Audit.LEAST_ACCESSES
              + " (default: 800; of --time 1M).")
  @Nullable Long accesses;

  @In(HelpSection.MORE)
  @Option(
      names = "--durability",
      paramLabel = "D",
      description = "sync, flush, os or none (default: that of the scheme).")
  @Nullable Durability durability;

  @In(HelpSection.MORE)
  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Let N accesses overlap, on a store in memory whose answers come in an order that is"
              + " drawn once for both sides (schemes roram, path-batched, path, tao and ring, durability"
              + " os or none; default: ${DEFAULT-VALUE}).")
  int inFlight;

  @In(HelpSection.MORE)
  @Option(
      names = "--through",
      paramLabel = "WAY",
      defaultValue = "library",
      description =
          "How requests reach the ORAM: library, nbd (through a server of block devices and its"
              + " client), proxy (likewise), paging, map or sorted-map (keys), values or values-keys"
              + " (values of several lengths, and the map of their keys), index (words) (default:"
              + " ${DEFAULT-VALUE}).")
  String through;

  @In(HelpSection.MORE)
  @Option(
      names = "--time",
      description =
          "Judge only the times at which a store in memory is accessed: pairs reads-writes,"
              + " hit-miss, hot-cold, and load-idle at a constant rate.")
  boolean isTimed;

  @In(HelpSection.MORE)
  @Option(
      names = "--provoke",
      description =
          "The adversary does not only watch: it fails requests and tampers with one, by a rule"
              + " that is the same for both sides; the client's reaction is judged, too.")
  boolean isProvoked;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the findings as JSON.")
  @Nullable Path json;

  @Option(names = "--report", paramLabel = "FILE", description = "Write an HTML page with charts.")
  @Nullable Path reportFile;

  @Option(names = "--view", paramLabel = "FILE", description = "Judge this recording; run nothing.")
  @Nullable Path view;

  AuditCommand() {
    super(StoreUse.CREATE, StoreUse.OPEN);
  }

  @Override
  public Integer call() throws IOException {
    AuditReport report = view != null ? judge(view) : run();
    roram.environment().answerLines(AuditText.render(report));
    if (json != null) {
      AuditJson.write(report, json);
    }
    if (reportFile != null) {
      AuditPage.write(report, reportFile);
      roram.note("The report with pictures is in " + reportFile.toAbsolutePath());
    }
    if (!report.findings().isClean()) {
      return ExitCodes.DATA;
    }
    return report.undecided().isEmpty() ? ExitCodes.OK : ExitCodes.UNDECIDED;
  }

  private AuditReport judge(Path file) throws IOException {
    IdleOptions.refuse(
        spec,
        given -> !given.inherited() && !OF_VIEWS.contains(given.longestName()),
        "is for runs; --view judges what was recorded: leave one out");
    View recorded = ViewReader.read(file);
    String name = String.valueOf(file.getFileName());
    Findings findings = Judge.judgeView(name, recorded);
    long declared = recorded.sights().stream().mapToLong(sight -> sight.access()).max().orElse(0);
    return new AuditReport(
        List.of(file.toString(), recorded.config().toString()),
        Map.of(name, "anything but size classes"),
        declared,
        findings,
        findings.made() > 0 ? List.of() : List.of("the view shows nothing that can be judged"),
        List.of());
  }

  /** Returns the options of the store; without a URI there are none. */
  private StoreOptions storeOptions() throws IOException {
    if (storeUri != null && AuditRuns.isUri(storeUri)) {
      return store.options(storeUri, roram.environment());
    }
    if ("tls".equals(storeUri) && store.given().equals(List.of(XOR))) {
      return RemoteOptions.defaults().withXor(true).storeOptions();
    }
    if (!store.given().isEmpty()) {
      throw new UsageException(
          store.given().get(0) + " is for a store that has a URI: give it with --store");
    }
    return StoreOptions.defaults();
  }

  private AuditReport run() throws IOException {
    long count = accesses != null ? accesses : isTimed ? TIMED_ACCESSES : ACCESSES;
    if (count < Audit.LEAST_ACCESSES || count > Integer.MAX_VALUE) {
      throw new UsageException(
          "--accesses is "
              + count
              + ", must be "
              + Audit.LEAST_ACCESSES
              + " to "
              + Integer.MAX_VALUE);
    }
    if (tuning.mapDirectory != null) {
      throw new UsageException(
          "--map-directory is for stores whose position map is in a file, which looks to the store"
              + " as a local one does: audit that, and leave it out");
    }
    boolean overlap = inFlight != 1;
    OramConfig config =
        blocks != null
            ? tuning.config(scheme, blocks)
            : tuning.configOver(
                scheme,
                RunSettings.SMALL_BLOCKS,
                RunSettings.SMALL_BLOCK_BYTES,
                overlap ? OverlapRuns.smallParameters() : RunSettings.smallParameters());
    if (isTimed) {
      return runTimed(config, (int) count);
    }
    return overlap ? runOverlapping(config, (int) count) : runInTurn(config, (int) count);
  }

  /** Returns whether a store in memory is audited, by calls of the library. */
  private boolean isInMemory() {
    return (storeUri == null || storeUri.equals("mem"))
        && through.equals("library")
        && store.given().isEmpty();
  }

  private OpenOptions options() {
    OpenOptions options = OpenOptions.defaults();
    return durability == null ? options : options.withDurability(durability);
  }

  private AuditReport runTimed(OramConfig config, int count) throws IOException {
    if (!isInMemory() || inFlight != 1 || isProvoked) {
      throw new UsageException(
          "--time measures a store in memory, by calls of the library, one after another; leave"
              + " --store, its options, --through, --in-flight and --provoke out");
    }
    for (String pair : pairs) {
      if (!TimeAudit.names().contains(pair)) {
        throw new UsageException(
            "--pairs has " + pair + ", of times there are " + String.join(", ", TimeAudit.names()));
      }
    }
    try (TaskProgress progress = new TaskProgress(roram)) {
      return TimeAudit.run(
          config, options(), pairs.isEmpty() ? TimeAudit.names() : pairs, count, progress);
    }
  }

  private AuditReport runOverlapping(OramConfig config, int count) throws IOException {
    if (!isInMemory()) {
      throw new UsageException(
          "--in-flight judges a store in memory, by calls of the library; leave --store, its"
              + " options and --through out");
    }
    OpenOptions options =
        durability == null && config.has(Scheme.Trait.JOURNALLED)
            ? OpenOptions.defaults().withDurability(Durability.OS)
            : options();
    return run(new OverlapRuns(config, inFlight, options, isProvoked), count);
  }

  private AuditReport runInTurn(OramConfig config, int count) throws IOException {
    StoreOptions options = storeOptions();
    Frontend frontend = AuditRuns.frontend(through);
    if (isProvoked && !through.equals("library")) {
      throw new UsageException(
          "--provoke is for calls of the library: how often a server or a memory tries again is its"
              + " own affair; leave --through out");
    }
    StorePlace place = AuditRuns.place(storeUri, options);
    if (isProvoked && place.keepsObjects()) {
      throw new UsageException(
          "--provoke fails and changes requests for bytes, and --store objects keeps objects; leave"
              + " one out");
    }
    RunSettings settings =
        RunSettings.of(place.made(config), place, RunSettings.SHORT_RUN_ACCESSES)
            .withFrontend(frontend);
    if (durability != null) {
      settings = settings.withOptions(settings.options().withDurability(durability));
    }
    try (AuditRuns runs = new AuditRuns(isProvoked ? settings.provoked() : settings)) {
      return run(runs, count);
    }
  }

  private AuditReport run(Runs runs, int count) throws IOException {
    Level logged = LOG.getLevel();
    // Clients that are killed warn of it, and servers of theirs report errors; no news here.
    LOG.setLevel(isProvoked || !through.equals("library") ? Level.OFF : Level.ERROR);
    try (TaskProgress progress = new TaskProgress(roram)) {
      return Audit.run(runs, pairs, count, progress);
    } finally {
      LOG.setLevel(logged);
    }
  }

  /** The runs that {@code roram audit} judges. */
  static final class AuditRuns implements Runs, Closeable {

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

    /**
     * Returns whether the text is a store's URI, and not the name of a store that is created for
     * the runs alone.
     */
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
        case "tls" ->
            StorePlace.temporaryTlsServer(temporary, RemoteOptions.of(options).readsXor());
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

    @Override
    public String about(String pair) {
      return Pairs.named(pair).about();
    }

    @Override
    public Optional<String> objection(String pair) {
      return Pairs.named(pair).objection(settings);
    }

    @Override
    public boolean isExact(String pair) {
      return Pairs.named(pair).isExact();
    }

    @Override
    public Seen run(String pair, Side side, long seed, int accesses) throws IOException {
      Pair both = Pairs.named(pair);
      return AuditedRun.seen(
          side == Side.A ? both.left() : both.right(), settings.withAccesses(accesses), seed);
    }

    @Override
    public void close() throws IOException {
      settings.place().close();
    }
  }
}
