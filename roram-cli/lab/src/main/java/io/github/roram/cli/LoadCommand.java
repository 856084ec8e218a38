package io.github.roram.cli;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.bench.load.Load;
import io.github.roram.bench.load.Load.LoadOptions;
import io.github.roram.bench.load.LoadResult;
import io.github.roram.cli.HelpSection.In;
import io.github.roram.client.Roram;
import io.github.roram.proxy.client.ProxyAddress;
import io.github.roram.storage.StoreUse;
import io.github.roram.storage.file.FileRollbackGuard;
import io.github.roram.storage.link.Link;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code roram load}: clients in a closed loop, whose answers are checked. */
@Command(
    name = "load",
    header = "Load a store or a proxy, and check every answer.",
    description = {
      "",
      "Each client makes the next request as soon as the previous one is answered. Every"
          + " answer is checked: a read must return a value that the block can have held between"
          + " start and end of the read, given what all clients wrote (linearizability, block by"
          + " block). Requests that complete in the first tenth of the time are not counted."
          + " Intervals are 95 %% confidence intervals.",
      "",
      "Writes overwrite data: use --create, --mix 100, or a store without anything of"
          + " value. Nobody else may write at the same time. --create makes a store, fills it, and"
          + " deletes it at the end.",
      "",
      "--link puts a slow line between this client and the server, or, with stores on this"
          + " machine, in front of the store.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram load proxy://127.0.0.1:7430 --clients 10 --time 60 --json load.json",
      "  roram load mem: --create --blocks 2^14 --clients 4 --link 12ms,11MB/s",
      "  roram load file:/data/vault --key-file my.key --mix 100 --addresses zipf"
    })
final class LoadCommand extends StoreTaker {

  private static final double NANOS_PER_SECOND = 1e9;

  /** Options for properties that an existing store already has. */
  private static final Set<String> OF_CREATION = Set.of("--blocks", "--scheme");

  private static final String MAP_DIRECTORY = "--map-directory";

  /** Options for the opener of the store: a proxy, if there is one. */
  private static final Set<String> OF_OPENING = Set.of("--in-flight", MAP_DIRECTORY);

  @Spec CommandSpec spec;

  @Parameters(paramLabel = "TARGET", description = "A store, as in file:DIR, or proxy://HOST:PORT.")
  String target;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "10",
      description = "Number of clients (default: ${DEFAULT-VALUE}).")
  int clients;

  @Option(
      names = "--time",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Seconds, including the first tenth (default: ${DEFAULT-VALUE}).")
  double seconds;

  @Option(
      names = "--mix",
      paramLabel = "PERCENT",
      defaultValue = "50",
      description = "Percentage of reads (default: ${DEFAULT-VALUE}).")
  int readPercent;

  @In(HelpSection.MORE)
  @Option(
      names = "--addresses",
      paramLabel = "HOW",
      defaultValue = "uniform",
      description =
          "How addresses are chosen: uniform, or zipf: the n-th block 1/n as often as the first"
              + " (default: uniform).")
  LoadOptions.Addresses addresses;

  @In(HelpSection.MORE)
  @Option(
      names = "--range",
      paramLabel = "BLOCKS",
      defaultValue = "1",
      description = "Blocks per request (default: ${DEFAULT-VALUE}).")
  int rangeBlocks;

  @In(HelpSection.MORE)
  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed for addresses and for which requests read.")
  long seed;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the result as JSON.")
  @Nullable Path json;

  @In(HelpSection.MORE)
  @Option(
      names = "--link",
      paramLabel = "RTT,RATE",
      converter = LinkConverter.class,
      description =
          "A line with a round trip and a bandwidth in each direction, as in 12ms,11MB/s.")
  @Nullable Link link;

  @Option(names = "--create", description = "Make the store first, and delete it at the end.")
  boolean create;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      defaultValue = "2^14",
      description = "With --create: number of blocks (default: ${DEFAULT-VALUE}).")
  long blocks;

  @In(HelpSection.MORE)
  @Option(
      names = "--scheme",
      paramLabel = "NAME",
      defaultValue = "roram",
      description = "With --create: the scheme (default: ${DEFAULT-VALUE}).")
  String scheme;

  @In(HelpSection.MORE)
  @Option(
      names = "--durability",
      paramLabel = "MODE",
      description = "What completed accesses survive: sync, flush, os or none, as with roram read.")
  @Nullable Durability durability;

  @In(HelpSection.WHERE)
  @Option(
      names = "--rollback-guard",
      paramLabel = "FILE",
      description = "That of a store that has one, as with roram read.")
  @Nullable Path rollbackGuard;

  @Mixin InFlightOption inFlight;

  @Mixin TuningOptions tuning;

  @Mixin KeyOptions keys;

  LoadCommand() {
    super(StoreUse.CREATE, StoreUse.OPEN);
  }

  @Override
  public Integer call() throws IOException {
    LoadOptions options = options();
    LoadResult result;
    try (StopSignal stop = StopSignal.install();
        LoadTarget opened = open()) {
      opened
          .config()
          .flatMap(config -> MemoryText.overlapping(config, use(), Roram.at(target).keepsObjects()))
          .ifPresent(roram::note);
      result = Load.run(options, opened.clients(clients), stop::isStopping);
      stop.check();
    }
    roram.note(result.summary());
    roram.answer(result.json().toString());
    if (json != null) {
      result.write(json);
    }
    return result.mismatches() == 0 ? ExitCodes.OK : ExitCodes.DATA;
  }

  private LoadOptions options() {
    checkApply();
    try {
      Duration time = Duration.ofNanos((long) (seconds * NANOS_PER_SECOND));
      return new LoadOptions(clients, time, readPercent, addresses, rangeBlocks, seed);
    } catch (ConfigurationException e) {
      throw new UsageException("--" + e.getMessage());
    }
  }

  /**
   * Checks that the options apply: an existing store has its configuration, and a new one needs no
   * key.
   */
  private void checkApply() {
    if (create) {
      IdleOptions.refuse(
          spec,
          LoadCommand::isOfOldStore,
          "is for a store that is there, and --create makes one: leave it out");
    } else {
      IdleOptions.refuse(
          spec,
          LoadCommand::isOfCreation,
          "is for a store that is made: give --create, or leave it out");
    }
    if (ProxyAddress.isProxy(target)) {
      IdleOptions.refuse(
          spec,
          OF_OPENING,
          "is for a store that is opened here, and the proxy has its own: leave it out");
    }
  }

  private static boolean isOfOldStore(OptionSpec option) {
    return IdleOptions.isOf(KeyOptions.class, option)
        || option.longestName().equals("--rollback-guard");
  }

  private static boolean isOfCreation(OptionSpec option) {
    String name = option.longestName();
    return OF_CREATION.contains(name)
        || (IdleOptions.isOf(TuningOptions.class, option) && !name.equals(MAP_DIRECTORY));
  }

  private OpenOptions use() {
    OpenOptions use = inFlight.in(tuning.over(OpenOptions.defaults()));
    return durability == null ? use : use.withDurability(durability);
  }

  private LoadTarget open() throws IOException {
    OpenOptions use =
        rollbackGuard == null
            ? use()
            : use().withRollbackGuard(FileRollbackGuard.open(rollbackGuard));
    LoadTarget.Settings settings =
        new LoadTarget.Settings(target, store, link, use, roram.environment());
    return create
        ? LoadTarget.create(settings, tuning.config(scheme, blocks, use))
        : LoadTarget.open(settings, keys);
  }

  /** Links on the command line, as in 12ms,11MB/s. */
  static final class LinkConverter implements ITypeConverter<Link> {

    @Override
    public Link convert(String value) {
      try {
        return Link.parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
