package io.github.roram.cli;

import io.github.roram.OpenOptions;
import picocli.CommandLine.Option;

/** {@code --in-flight}: how many accesses overlap. */
final class InFlightOption {

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "16",
      description =
          "How many accesses may overlap, 1 to 256; with schemes that cannot, one comes after"
              + " another (default: ${DEFAULT-VALUE}).")
  int accesses;

  OpenOptions in(OpenOptions options) {
    if (accesses < 1 || accesses > OpenOptions.MAX_IN_FLIGHT) {
      throw new UsageException(
          "--in-flight is " + accesses + ", must be 1 to " + OpenOptions.MAX_IN_FLIGHT);
    }
    return options.withInFlight(accesses);
  }
}
