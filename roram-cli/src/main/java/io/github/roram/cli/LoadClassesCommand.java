package io.github.roram.cli;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * {@code roram load-classes}: runs short commands in one process, so that {@code lib/share-classes}
 * can archive all classes that they load.
 */
@Command(
    name = "load-classes",
    hidden = true,
    header = "Run short commands, for an archive of their classes.",
    description = {"", "Makes a small store in a directory, and uses it.", ""},
    footerHeading = "%nExamples:%n",
    footer = "  roram load-classes /tmp/new-folder")
final class LoadClassesCommand implements Callable<Integer> {

  @ParentCommand RoramCommand roram;

  @Parameters(paramLabel = "DIRECTORY", description = "Where the store goes.")
  Path directory;

  @Override
  public Integer call() {
    String store = "file:" + directory.resolve("store");
    String out = directory.resolve("out").toString();
    String key = directory.resolve("key").toString();
    Stream<String[]> lines =
        Stream.of(
            new String[] {"create", store, "--new-key", "--blocks", "256"},
            new String[] {"info", store},
            new String[] {"read", store, "--offset", "0", "--length", "1", "--out", out},
            new String[] {"write", store, "--offset", "0", "--in", out});
    return lines.mapToInt(line -> run(line, key)).max().orElseThrow();
  }

  private int run(String[] command, String key) {
    String[] line = Arrays.copyOf(command, command.length + 2);
    line[command.length] = "--key-file";
    line[command.length + 1] = key;
    return RoramCommand.run(roram.environment(), line);
  }
}
