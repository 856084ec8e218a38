package io.github.roram.cli;

import io.github.roram.ConfigurationException;
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
import java.nio.file.Path;
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
    Map<String, StoreOption<?>> known =
        provider.options().stream().collect(Collectors.toMap(StoreOption::name, o -> o));
    StoreOptions options = StoreOptions.defaults();
    for (StoreOption<?> option : known.values()) {
      String variable = option.variable().orElse("");
      String value = roram.environment().variables().getOrDefault(variable, "");
      options = value.isEmpty() ? options : with(options, option, variable, value);
    }
    for (Map.Entry<String, String> each : given.entrySet()) {
      StoreOption<?> option = known.get(each.getKey());
      if (option == null) {
        throw new UsageException(
            each.getKey()
                + " is no option of "
                + provider.scheme()
                + ": engines, which have "
                + (known.isEmpty() ? "none" : String.join(", ", known.keySet())));
      }
      options = with(options, option, each.getKey(), each.getValue());
    }
    return options;
  }

  private static <T> StoreOptions with(
      StoreOptions options, StoreOption<T> option, String said, String text) {
    try {
      return options.with(option, option.parse(said, text, Path.of("")));
    } catch (ConfigurationException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
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
