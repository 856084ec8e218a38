package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import example.scheme.LinearScheme;
import example.store.PlainStoreProvider;
import io.github.roram.testkit.JavaProcess;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command in a process of its own, with a store and a scheme of which it has but their jars:
 * none of their classes is anywhere else on its class path.
 */
@Tag("gate")
final class PluggedJarsTest {

  private static final int OK = 0;
  private static final byte[] DATA = "found by its jar".getBytes(StandardCharsets.UTF_8);

  @TempDir Path directory;
  private Path storeJar;
  private Path schemeJar;
  private String roram;

  @BeforeEach
  void packTheJars() throws Exception {
    storeJar = directory.resolve("plain-store.jar");
    schemeJar = directory.resolve("linear-scheme.jar");
    PluginJar.pack(storeJar, "io.github.roram.storage.StoreProvider", PlainStoreProvider.class);
    PluginJar.pack(schemeJar, "io.github.roram.Scheme", LinearScheme.class);
    List<String> rest = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!PluginJar.holds(entry, PlainStoreProvider.class)
          && !PluginJar.holds(entry, LinearScheme.class)) {
        rest.add(entry);
      }
    }
    roram = String.join(File.pathSeparator, rest);
  }

  /** Runs the command; returns what it printed, errors included. */
  private String run(int expectedExit, List<Path> jars, String... arguments) throws Exception {
    StringBuilder path = new StringBuilder(roram);
    jars.forEach(jar -> path.append(File.pathSeparator).append(jar));
    Path output = Files.createTempFile(directory, "output", ".txt");
    Process process =
        JavaProcess.of(256, path.toString(), RoramCommand.class, List.of(arguments))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String printed = Files.readString(output);
    assertThat(process.exitValue())
        .as("%s: %s", Arrays.toString(arguments), printed)
        .isEqualTo(expectedExit);
    return printed;
  }

  private String command(int expectedExit, String command, String... options) throws Exception {
    List<String> line = new ArrayList<>(List.of(command, "plain:" + directory.resolve("disk")));
    line.addAll(List.of("--key-file", directory.resolve("key").toString()));
    line.addAll(List.of(options));
    return run(expectedExit, List.of(storeJar, schemeJar), line.toArray(String[]::new));
  }

  @Test
  void aStoreAndASchemeThatAreJarsAreUsedLikeOurs() throws Exception {
    Path input = Files.write(directory.resolve("input"), DATA);
    Path output = directory.resolve("output");
    Path all = directory.resolve("all");
    command(
        OK, "create", "--blocks", "64", "--scheme", "linear", "--set", "longest=4", "--new-key");
    command(OK, "write", "--in", input.toString(), "--offset", "5000");
    command(
        OK,
        "read",
        "--out",
        output.toString(),
        "--offset",
        "5000",
        "--length",
        String.valueOf(DATA.length));
    assertThat(output).hasBinaryContent(DATA);
    assertThat(command(OK, "info")).contains("linear", "one file");
    command(OK, "export", "--out", all.toString());
    byte[] exported = Files.readAllBytes(all);
    assertThat(exported).hasSize(64 * 4096);
    assertThat(Arrays.copyOfRange(exported, 5000, 5000 + DATA.length)).isEqualTo(DATA);
    assertThat(exported[4999]).isZero();
    assertThat(command(ExitCodes.USAGE, "verify")).contains("scheme linear", "cannot be verified");
  }

  @Test
  void withoutTheirJarsTheyAreUnknown() throws Exception {
    String disk = directory.resolve("disk").toString();
    String[] create = {"create", "plain:" + disk, "--blocks", "64", "--scheme", "linear"};
    assertThat(run(ExitCodes.USAGE, List.of(schemeJar), create)).contains("plain");
    assertThat(run(ExitCodes.USAGE, List.of(storeJar), create)).contains("linear");
    assertThat(directory.resolve("disk")).doesNotExist();
  }
}
