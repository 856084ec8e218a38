package io.github.roram.cli;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import io.github.roram.bench.plan.DeviceFit;
import io.github.roram.bench.plan.DeviceFit.DeviceFile;
import io.github.roram.bench.plan.DeviceFit.DeviceMeasurement;
import io.github.roram.bench.plan.Plan;
import io.github.roram.bench.plan.Plan.PlanOptions;
import io.github.roram.bench.plan.PlanText;
import io.github.roram.bench.plan.PlanText.PlanJson;
import io.github.roram.bench.replay.LoadProfile;
import io.github.roram.bench.trace.Trace;
import io.github.roram.cli.HelpSection.In;
import io.github.roram.object.ObjectTraits.Prices;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreUse;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.store.PrintableText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code roram plan}: parameters for a load and a device. */
@Command(
    name = "plan",
    header = "Propose parameters of a store for a load and a device.",
    description = {
      "",
      "Reads a block trace (as replay does) and compares all configurations of a grid by"
          + " what its requests would cost: bytes, seeks and round trips follow from the"
          + " parameters, time from a model of the device. Prints the cheapest configuration, the"
          + " reasons, and the command line that creates it. Nothing is created.",
      "",
      "With --measure STORE it measures a device instead: it makes a store there, times it,"
          + " deletes it, and fits a model for --device FILE.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram plan fileserver-1g --blocks 2^18 --device hdd --client-memory 64M",
      "  roram plan --measure file:/data/scratch --out disk.json",
      "  roram plan my.csv.gz --blocks 2^22 --device disk.json --classes-at-most 3",
      "  roram plan my.csv.gz --blocks 2^22 --device s3 --by cost"
    })
final class PlanCommand extends StoreTaker {

  private static final int BLOCK_BYTES = 4096;

  /** Options that have no effect without {@code --measure}. */
  private static final Set<String> OF_MEASURING = Set.of("--measure-bytes", "--out");

  /** Options that have no effect with {@code --measure}. */
  private static final Set<String> OF_PLANS =
      Set.of(
          "--blocks",
          "--block-size",
          "--device",
          "--by",
          "--prices",
          "--client-memory",
          "--client-disk",
          "--space-factor",
          "--classes-at-most",
          "--write-share",
          "--limit",
          "--rows",
          "--json");

  /** Other blocks are named only if they take this part of the time or cost, or less. */
  private static final double WORTH_NAMING = 0.95;

  @Spec CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "TRACE",
      description = "A file, or the name of a bundled trace.")
  @Nullable String traceName;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      defaultValue = "2^18",
      description = "Number of blocks of the store (default: ${DEFAULT-VALUE}).")
  long blocks;

  @Option(
      names = "--block-size",
      paramLabel = "BYTES",
      description =
          "Bytes in a block (default: 4096; smaller ones are named if they are cheaper by a"
              + " twentieth).")
  @Nullable Long blockBytes;

  @Option(
      names = "--device",
      paramLabel = "NAME",
      defaultValue = "ssd",
      description =
          "hdd, ssd, network, wan, s3, or a file written by --measure (default: ${DEFAULT-VALUE}).")
  String device;

  @In(HelpSection.MORE)
  @Option(
      names = "--by",
      paramLabel = "WHAT",
      defaultValue = "time",
      description =
          "What is to be least: time, or cost, the dollars for requests of a store of objects"
              + " (default: ${DEFAULT-VALUE}).")
  String by;

  @In(HelpSection.MORE)
  @Option(
      names = "--prices",
      paramLabel = "GET,PUT",
      defaultValue = "0.40,5.00",
      description =
          "With --by cost: dollars for a million reads and writes of objects (default:"
              + " ${DEFAULT-VALUE}, S3 Standard's usual list price); after them may stand dollars"
              + " for 10^9 bytes read and written.")
  String pricesText;

  @Option(
      names = "--client-memory",
      paramLabel = "BYTES",
      defaultValue = "64M",
      description = "The most memory that the client may use in total (default: ${DEFAULT-VALUE}).")
  long clientBytes;

  @In(HelpSection.MORE)
  @Option(
      names = "--client-disk",
      description =
          "The client has a disk that no observer of the store sees: its position map may be a file"
              + " there (see create, --map-directory).")
  boolean clientDisk;

  @In(HelpSection.MORE)
  @Option(
      names = "--space-factor",
      paramLabel = "F",
      defaultValue = "8",
      description = "The store may take up to F times the data (default: ${DEFAULT-VALUE}).")
  double spaceFactor;

  @In(HelpSection.MORE)
  @Option(
      names = "--classes-at-most",
      paramLabel = "C",
      defaultValue = "17",
      description =
          "How many size classes the store may tell apart, at least 2 (default: no limit).")
  int mostClasses;

  @In(HelpSection.MORE)
  @Option(
      names = "--write-share",
      paramLabel = "RHO",
      defaultValue = "1",
      description =
          "A public share of writes that may be declared (default: none). The load must keep to"
              + " it: see create.")
  double writeShare;

  @In(HelpSection.MORE)
  @Option(
      names = "--limit",
      paramLabel = "M",
      description = "Requests of the trace to read (default: all).")
  @Nullable Long limit;

  @In(HelpSection.MORE)
  @Option(
      names = "--rows",
      paramLabel = "R",
      defaultValue = "12",
      description = "Rows of the table (default: ${DEFAULT-VALUE}).")
  int rows;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the whole plan as JSON.")
  @Nullable Path json;

  @Option(
      names = "--measure",
      paramLabel = "STORE",
      description =
          "Fit a model to the device of a store that is made here and deleted; needs no TRACE.")
  @Nullable String measured;

  @In(HelpSection.MORE)
  @Option(
      names = "--measure-bytes",
      paramLabel = "BYTES",
      defaultValue = "256M",
      description = "How much of a store to measure, at least 32M (default: ${DEFAULT-VALUE}).")
  long measuredBytes;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "File for the measured device (default: it is only printed).")
  @Nullable Path out;

  PlanCommand() {
    super(StoreUse.CREATE, StoreUse.OPEN);
  }

  @Override
  public Integer call() throws IOException {
    if ((measured == null) == (traceName == null)) {
      throw new UsageException("give a TRACE to plan for, or --measure STORE; not both");
    }
    if (measured == null) {
      IdleOptions.refuse(
          spec, OF_MEASURING, "is for a measurement: give --measure STORE in place of TRACE");
    } else {
      IdleOptions.refuse(spec, OF_PLANS, "is for plans, and --measure makes none: leave one out");
    }
    if (by.equals("time")) {
      IdleOptions.refuse(spec, Set.of("--prices"), "is for costs: give --by cost, or leave it out");
    }
    return measured != null ? measure(measured) : plan(Trace.find(String.valueOf(traceName)));
  }

  private Integer measure(String uri) throws IOException {
    StoreOptions options = store.options(uri, roram.environment());
    if (measuredBytes < 32L << 20 || measuredBytes > 1L << 40) {
      throw new UsageException("--measure-bytes is " + measuredBytes + ", must be 32M to 1T");
    }
    if (Stores.exists(uri, options)) {
      throw new UsageException(uri + " holds a store already; choose another place");
    }
    DeviceFit fit = DeviceMeasurement.measure(uri, options, measuredBytes, "measured");
    PrintStream text = roram.environment().out();
    text.println(PrintableText.of(fit.device().description()));
    text.printf(
        Locale.ROOT,
        "the model is off by %.0f %% on average, by %.0f %% at most%n",
        100 * fit.meanError(),
        100 * fit.worstError());
    if (out != null) {
      DeviceFile.write(fit, out);
      roram.note("The device is in " + out + "; plan for it with --device " + out);
    }
    return ExitCodes.OK;
  }

  private Integer plan(Trace trace) throws IOException {
    if (limit != null && limit < 1) {
      throw new UsageException("--limit is " + limit + ", must be at least 1");
    }
    if (rows < 0) {
      throw new UsageException("--rows is " + rows + ", must not be negative");
    }
    if (!store.given().isEmpty()) {
      throw new UsageException(store.given().get(0) + " is for a store: give it with --measure");
    }
    if (blockBytes != null && blockBytes > Integer.MAX_VALUE) {
      throw new UsageException("--block-size is " + blockBytes + ", must be below 2^31");
    }
    Plan plan = plan(trace, blocks, blockBytes == null ? BLOCK_BYTES : blockBytes.intValue());
    print(plan);
    if (blockBytes == null) {
      inSmallerBlocks(trace, plan)
          .map(smaller -> PlanText.smallerBlocks(plan, smaller))
          .ifPresent(lines -> lines.forEach(roram.environment().out()::println));
    }
    if (json != null) {
      PlanJson.write(plan, json);
    }
    return ExitCodes.OK;
  }

  private Plan plan(Trace trace, long count, int bytes) throws IOException {
    PlanOptions options =
        new PlanOptions(
            count,
            bytes,
            device(),
            prices(),
            clientBytes,
            spaceFactor,
            mostClasses,
            writeShare,
            clientDisk);
    LoadProfile whole = load(trace, options, 1);
    if (whole.requests() == 0) {
      throw new UsageException("the trace " + trace + " has no request that moves data");
    }
    int longest = Plan.longestAccess(whole.mostBlocks(), count);
    return Plan.of(options, load(trace, options, longest), longest);
  }

  /**
   * Returns the plan for the same data in smaller blocks, if that is cheaper: an access moves whole
   * blocks.
   */
  private Optional<Plan> inSmallerBlocks(Trace trace, Plan plan) throws IOException {
    Optional<Plan> best = Optional.empty();
    for (int bytes = OramConfig.MIN_BLOCK_BYTES; bytes < BLOCK_BYTES; bytes *= 2) {
      try {
        Plan smaller = plan(trace, blocks * BLOCK_BYTES / bytes, bytes);
        double most = best.map(PlanCommand::price).orElse(WORTH_NAMING * price(plan));
        best = price(smaller) < most ? Optional.of(smaller) : best;
      } catch (ConfigurationException e) {
        // Larger ones may fit the client's memory.
      }
    }
    return best;
  }

  private static double price(Plan plan) {
    return plan.options().price(plan.proposal()) / plan.proposal().requests();
  }

  private @Nullable Prices prices() {
    return switch (by) {
      case "time" -> null;
      case "cost" -> prices(pricesText);
      default -> throw new UsageException("--by is '" + by + "', must be time or cost");
    };
  }

  private static Prices prices(String text) {
    try {
      double[] dollars = Stream.of(text.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
      if (dollars.length == 2 && dollars[0] + dollars[1] > 0) {
        return new Prices(dollars[0], dollars[1], 0, 0, 0, 0);
      }
      if (dollars.length == 4 && dollars[0] + dollars[1] > 0) {
        return new Prices(dollars[0], dollars[1], 0, dollars[2], dollars[3], 0);
      }
    } catch (IllegalArgumentException e) {
      // No number, or a negative one: said below.
    }
    throw new UsageException(
        "--prices is '"
            + text
            + "', must be dollars for a million reads and a million writes, not both 0, as in"
            + " 0.40,5.00; after them may stand dollars for 10^9 bytes read and written");
  }

  private LoadProfile load(Trace trace, PlanOptions options, int longest) throws IOException {
    long most = limit == null ? Long.MAX_VALUE : limit;
    return LoadProfile.of(trace, options.blocks(), options.blockBytes(), longest, most);
  }

  private DeviceModel device() throws IOException {
    for (DeviceModel known : DeviceModel.NAMED) {
      if (known.id().equals(device)) {
        return known;
      }
    }
    Path file = Path.of(device);
    if (!Files.exists(file)) {
      throw new UsageException(
          "--device is '" + device + "', must be hdd, ssd, network, wan, s3 or a file of a device");
    }
    return DeviceFile.read(file);
  }

  private void print(Plan plan) {
    PrintStream text = roram.environment().out();
    text.printf(
        "%d requests on %s%n%n",
        plan.load().requests(), PrintableText.of(plan.options().device().description()));
    StringBuilder table = new StringBuilder();
    List<List<String>> lines = PlanText.table(plan, rows);
    ReplayTable.append(table, lines);
    text.print(table);
    text.println();
    PlanText.reasons(plan).forEach(text::println);
    text.println();
    text.println(PlanText.createLine(plan.proposal().config()));
  }
}
