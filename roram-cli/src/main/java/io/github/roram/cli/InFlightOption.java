package io.github.roram.cli;

import io.github.roram.OpenOptions;
import io.github.roram.cli.HelpSection.In;
import picocli.CommandLine.Option;

/** {@code --in-flight}: how many accesses overlap. */
final class InFlightOption {

  /** How many where nobody says. */
  static final int DEFAULT = 16;

  @In(HelpSection.MORE)
  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "" + DEFAULT,
      description =
          "How many accesses may overlap, 1 to 256 (default: ${DEFAULT-VALUE}). Schemes that"
              + " cannot overlap make one after another.")
  int accesses;

  OpenOptions in(OpenOptions options) {
    return options.withInFlight(checked());
  }

  int checked() {
    return checked(accesses);
  }

  static int checked(int accesses) {
    if (accesses < 1 || accesses > OpenOptions.MAX_IN_FLIGHT) {
      throw new UsageException(
          "--in-flight is " + accesses + ", must be 1 to " + OpenOptions.MAX_IN_FLIGHT);
    }
    return accesses;
  }
}
