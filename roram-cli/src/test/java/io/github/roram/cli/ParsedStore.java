package io.github.roram.cli;

import io.github.roram.storage.StoreOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;

/** What a command line says of its store. */
final class ParsedStore {

  private ParsedStore() {}

  /** Options of {@code roram info URI OPTION...} in that environment. */
  static StoreOptions options(Map<String, String> variables, String uri, String... options)
      throws IOException {
    Environment process = Environment.ofProcess();
    Environment environment =
        new Environment(
            process.in(), process.out(), process.err(), process.prompt(), false, variables);
    CommandLine command = RoramCommand.commandLine(environment);
    List<String> line = new ArrayList<>(List.of("info", uri));
    line.addAll(List.of(options));
    command.parseArgs(line.toArray(String[]::new));
    StoreTaker info = Objects.requireNonNull(command.getSubcommands().get("info")).getCommand();
    return info.store.options(uri, environment);
  }
}
