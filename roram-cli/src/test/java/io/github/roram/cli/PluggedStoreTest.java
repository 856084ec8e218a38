package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands use a store of another package, {@code plain:}, that they know nothing of. */
final class PluggedStoreTest {

  private static final int START_BYTES = 8192;
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @TempDir Path directory;

  private String uri() {
    return "plain:" + directory.resolve("disk");
  }

  private CommandRun run(byte[] input, String command, String... options) {
    List<String> line = new ArrayList<>(List.of(command, uri(), "--plain-start", "8K"));
    line.addAll(List.of("--key-file", directory.resolve("key").toString()));
    line.addAll(List.of(options));
    CommandRun run = CommandRun.withInput(input, line.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.messages()).isZero();
    return run;
  }

  @Test
  void itIsCreatedWrittenReadAndShown() throws IOException {
    byte[] data = new byte[10_000];
    Arrays.fill(data, (byte) 7);
    run(new byte[0], "create", "--blocks", "300", "--new-key");
    run(data, "write", "--in", "-", "--offset", "5000");
    CommandRun read =
        run(new byte[0], "read", "--out", "-", "--offset", "5000", "--length", "10000");
    assertThat(read.output()).isEqualTo(data);
    assertThat(run(new byte[0], "info").text())
        .contains("kind           one file", "each costs a disk access", "key            fits");
    try (var file = Files.newInputStream(directory.resolve("disk"))) {
      assertThat(file.readNBytes(START_BYTES)).containsOnly(0);
      assertThat(file.readNBytes(4)).asString().isEqualTo("rORA");
    }
    run(new byte[0], "verify");
  }

  @Test
  void helpShowsItAndItsOption() {
    assertThat(CommandRun.of("help", "store").text()).contains("plain:FILE", "one file");
    assertThat(CommandRun.of("create", "--help").text())
        .contains("Stores of plain:", "--plain-start=BYTES", "(default: 0).");
    CommandRun refused = CommandRun.of("info", "file:s", "--plain-start", "1");
    assertThat(refused.messages()).contains("--plain-start is an option of plain: stores");
    assertThat(refused.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void thePageShowsWhatIsCompiledHere() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "write-a-store.md"));
    assertThat(page.lines().count()).isLessThanOrEqualTo(70);
    String example;
    try (Stream<Path> files = Files.list(Path.of("src/test/java/example/store"))) {
      example = files.map(PluggedStoreTest::text).collect(Collectors.joining("\n"));
    }
    Matcher samples = JAVA.matcher(page);
    int count = 0;
    for (; samples.find(); count++) {
      assertThat(example).contains(samples.group(1).indent(2));
    }
    assertThat(count).isPositive();
    assertThat(page)
        .contains(
            text(
                Path.of(
                    "src/test/resources/META-INF/services/"
                        + "io.github.roram.storage.StoreProvider")));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
