package io.github.roram.cli;

import io.github.roram.object.ObjectSelfTest;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import io.github.roram.object.ObjectTraits.Prices;
import io.github.roram.storage.Engines;
import io.github.roram.storage.ObjectsProvider;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code roram check-engine}: whether an engine keeps what safety rests on. */
@Command(
    name = "check-engine",
    header = "Try whether an engine of objects can be used.",
    description = {
      "",
      "Races eight clients for each of twenty objects, of whom one must win, and deletes the"
          + " objects. An engine that lets two win is refused, by name. One that passes has proved"
          + " nothing: it may still fail when a machine of it dies.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram check-engine s3:my-bucket/check --set s3-region=eu-west-1",
      "  roram check-engine s3:test/check --set s3-endpoint=http://127.0.0.1:7070"
    })
final class CheckEngineCommand implements Callable<Integer> {

  @ParentCommand RoramCommand roram;

  @Parameters(
      paramLabel = "ENGINE",
      description = "Where objects are, as s3:BUCKET/PREFIX or objects:DIR.")
  String uri;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "An option of the engine; for several, give this several times.")
  Map<String, String> given = new LinkedHashMap<>();

  @Override
  public Integer call() throws IOException {
    StoreOptions options = options(Engines.provider(uri));
    try (ObjectSpace space = Engines.open(uri, options)) {
      ObjectSelfTest.run(space, "check");
    }
    print(Engines.traits(uri, options));
    return ExitCodes.OK;
  }

  private StoreOptions options(ObjectsProvider provider) {
    StoreOptions options = StoreArguments.fromVariables(provider.options(), roram.environment());
    for (Map.Entry<String, String> each : given.entrySet()) {
      String name = each.getKey();
      StoreOption<?> option =
          provider.options().stream()
              .filter(known -> known.name().equals(name))
              .findFirst()
              .orElseThrow(() -> new UsageException(noOption(name, provider)));
      options = StoreArguments.with(options, option, name, each.getValue());
    }
    return options;
  }

  private static String noOption(String name, ObjectsProvider provider) {
    String known =
        provider.options().stream().map(StoreOption::name).collect(Collectors.joining(", "));
    return name
        + " is no option of "
        + provider.scheme()
        + ": engines, which have "
        + (known.isEmpty() ? "none" : known);
  }

  private void print(ObjectTraits traits) {
    PrintStream out = roram.environment().out();
    out.println("one of several who create an object wins: yes");
    out.println("requests at a time: " + traits.requests());
    Prices prices = traits.prices();
    if (!prices.equals(Prices.NONE)) {
      out.printf(
          Locale.ROOT,
          "list price of a million: reads $%.2f, puts $%.2f; of 10^9 bytes kept a month $%.3f%n",
          prices.millionReads(),
          prices.millionPuts(),
          prices.gigabyteMonth());
    }
  }
}
