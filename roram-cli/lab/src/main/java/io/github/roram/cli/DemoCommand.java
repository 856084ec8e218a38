package io.github.roram.cli;

import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.ResourceStack;
import io.github.roram.bench.demo.Demo;
import io.github.roram.bench.demo.Demo.DemoPlace;
import io.github.roram.bench.demo.DemoOptions;
import io.github.roram.bench.demo.DemoOptions.DemoMedium;
import io.github.roram.bench.demo.DemoReport;
import io.github.roram.bench.demo.DemoTable;
import io.github.roram.bench.demo.DemoTable.DemoPage;
import io.github.roram.bench.replay.ReplayResult.ResultsJson;
import io.github.roram.cli.HelpSection.In;
import io.github.roram.netserver.config.HostPort;
import io.github.roram.netserver.config.ServerSettings;
import io.github.roram.netserver.operations.OperatedServer;
import io.github.roram.netserver.tls.CertificateDirectory;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.tls.TlsFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code roram demo}: real traces through all schemes side by side. */
@Command(
    name = "demo",
    header = "Replay real traces through Path ORAM and rORAM.",
    description = {
      "",
      "For each scheme: makes an encrypted store in files, fills it, replays the start of"
          + " three captured workloads (a file server, a video server, sequential reading), checks"
          + " every byte of every answer, and deletes the store. Then shows how many times faster"
          + " rORAM is, and why. Takes about two minutes and less than 5 GB of disk.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram demo",
      "  roram demo --dir /mnt/disk --json demo.json --report demo.html",
      "  A quick look at a small device:",
      "    roram demo --blocks 2^14 --queries 20",
      "  With as much client memory for each scheme:",
      "    roram demo --client-memory 64M",
      "  Through a block server:",
      "    roram demo --store tls",
      "  On objects, as in S3:",
      "    roram demo --store objects"
    })
final class DemoCommand implements Callable<Integer> {

  @ParentCommand RoramCommand roram;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where to make the stores (default: a temporary directory, or the current directory"
              + " if that has too little room).")
  @Nullable Path directory;

  @In(HelpSection.MORE)
  @Option(
      names = "--queries",
      paramLabel = "M",
      description =
          "Requests to count for each workload, after at most as many to warm up (default: 70"
              + " to 900 after 30 to 300).")
  @Nullable Long queries;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description = "Blocks of the device, 4 KiB each (default: 2^18, that of the traces).")
  @Nullable Long blocks;

  @In(HelpSection.MORE)
  @Option(
      names = "--classes",
      split = ",",
      paramLabel = "I",
      description =
          "Size classes 2^I of rORAM, from 0 to 8, with a tree for each (default: all, with two"
              + " trees).")
  @Nullable List<Integer> sizeClasses;

  @In(HelpSection.MORE)
  @Option(
      names = "--client-memory",
      paramLabel = "BYTES",
      description =
          "The most memory that the client of each scheme may use in total (default: a treetop"
              + " of 64M for rORAM and none for Path ORAM).")
  @Nullable Long clientBytes;

  @Option(
      names = "--store",
      paramLabel = "KIND",
      defaultValue = "files",
      description =
          "files; objects, in a directory; or tcp or tls, through a block server that it starts on"
              + " loopback (default: ${DEFAULT-VALUE}).")
  DemoMedium medium;

  @In(HelpSection.MORE)
  @Option(
      names = "--direct-io",
      description = "Bypass the page cache: measured times are then those of the disk.")
  boolean directIo;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      defaultValue = "roram-demo.html",
      description = "The report with charts, an HTML page (default: ${DEFAULT-VALUE}).")
  Path reportFile;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the results as JSON.")
  @Nullable Path json;

  @Override
  public Integer call() throws IOException {
    DemoOptions options = options();
    DemoReport report = run(options);
    roram.environment().answerLines(DemoTable.render(report));
    DemoPage.write(report, reportFile);
    roram.note("The report with charts is in " + reportFile.toAbsolutePath());
    if (json != null) {
      ResultsJson.write(report.results(), json);
    }
    return report.mismatches() == 0 ? ExitCodes.OK : ExitCodes.DATA;
  }

  private DemoOptions options() {
    if (directIo && medium != DemoMedium.FILES) {
      throw new UsageException("--direct-io is for --store files: leave one of them out");
    }
    DemoOptions options = DemoOptions.defaults().withDirectIo(directIo).withMedium(medium);
    if (queries != null) {
      if (queries < 1) {
        throw new UsageException("--queries is " + queries + ", must be at least 1");
      }
      options = options.withQueries(queries);
    }
    if (blocks != null) {
      if (blocks < options.maxRangeBlocks()) {
        throw new UsageException(
            "--blocks is "
                + blocks
                + ", must be at least "
                + options.maxRangeBlocks()
                + ": the demo reads ranges of so many blocks");
      }
      options = options.withBlocks(blocks);
    }
    if (clientBytes != null) {
      if (clientBytes < 1) {
        throw new UsageException("--client-memory is " + clientBytes + ", must be at least 1");
      }
      options = options.withClientMemory(clientBytes);
    }
    return sizeClasses == null ? options : options.withSizeClasses(sizeClasses);
  }

  private DemoReport run(DemoOptions options) throws IOException {
    Path parent = directory != null ? directory : roomyDirectory(options);
    Files.createDirectories(parent);
    Path stores = Files.createTempDirectory(parent, "roram-demo-");
    try (TaskProgress progress = new TaskProgress(roram)) {
      try {
        if (medium == DemoMedium.FILES || medium == DemoMedium.OBJECTS) {
          return new Demo(options, stores, progress).run();
        }
        try (DemoServer server = DemoServer.start(medium, stores)) {
          return new Demo(options, stores, server.place(), progress).run();
        }
      } finally {
        ResourceStack.deleteTree(stores);
      }
    }
  }

  /** Returns the directory for temporary files, unless only the current one has space. */
  private static Path roomyDirectory(DemoOptions options) throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    Path current = Path.of("").toAbsolutePath();
    long needed = new Demo(options, temporary, ProgressListener.NONE).requiredBytes();
    return usableBytes(temporary) < needed && usableBytes(current) >= needed ? current : temporary;
  }

  private static long usableBytes(Path directory) throws IOException {
    return Files.getFileStore(directory).getUsableSpace();
  }

  /**
   * A block server on loopback, in this process, with everything that it needs in one directory.
   */
  static final class DemoServer implements Closeable {

    private static final String CLIENT = "demo";
    private static final HostPort ANY_PORT = new HostPort("127.0.0.1", 0);

    private final OperatedServer server;
    private final DemoPlace place;

    private DemoServer(OperatedServer server, DemoPlace place) {
      this.server = server;
      this.place = place;
    }

    /** Starts one; with TLS, makes certificates for both sides first. */
    static DemoServer start(DemoMedium medium, Path directory) throws IOException {
      Path volumes = directory.resolve("server");
      RemoteOptions remote = RemoteOptions.defaults();
      ServerSettings settings = ServerSettings.openOnLoopback(ANY_PORT, volumes);
      if (medium == DemoMedium.TLS) {
        CertificateDirectory certificates =
            new CertificateDirectory(directory.resolve("certs"), InstantSource.system());
        certificates.issue(List.of(), List.of(CLIENT), 1);
        TlsFiles client = certificates.files(CLIENT);
        remote = remote.withTls(client);
        settings =
            ServerSettings.openToCertified(
                ANY_PORT, volumes, certificates.files(CertificateDirectory.SERVER));
      }
      OperatedServer server = OperatedServer.start(settings);
      StoreOptions options =
          remote.storeOptions().withStateDirectory(directory.resolve("client-state"));
      return new DemoServer(
          server, DemoPlace.server(medium, server.hostPort().toString(), options));
    }

    /** Returns the place where the demo creates its stores. */
    DemoPlace place() {
      return place;
    }

    @Override
    public void close() {
      server.close();
    }
  }
}
