package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import io.github.roram.storage.view.ViewReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code roram export}: by a scan or by accesses, the same bytes. */
final class ExportCommandTest {

  private static final int STORE_BYTES = 300 * TestStore.BLOCK_BYTES;

  @TempDir Path directory;

  private final Random random = new Random(4);
  private final byte[] model = new byte[STORE_BYTES];
  private Path out;

  @BeforeEach
  void nameTheFile() {
    out = directory.resolve("out");
  }

  private void fill(byte[] bytes, int from, int to) {
    byte[] noise = new byte[to - from];
    random.nextBytes(noise);
    System.arraycopy(noise, 0, bytes, from, noise.length);
  }

  /** A store with its first blocks loaded, and some bytes written since. */
  private TestStore create(String... options) throws IOException {
    TestStore store = TestStore.create(directory, options);
    fill(model, 0, 200 * TestStore.BLOCK_BYTES);
    Path in = Files.write(directory.resolve("in"), Arrays.copyOf(model, 200 * 1024));
    assertThat(store.run("import", "--in", in.toString()).exitCode()).isZero();
    write(store, 30_000, 90_000);
    write(store, 250_001, 251_000);
    return store;
  }

  private void write(TestStore store, int from, int to) {
    fill(model, from, to);
    assertThat(store.write(Arrays.copyOfRange(model, from, to), from).exitCode()).isZero();
  }

  /** Exports so many bytes and says by which method. */
  private String export(TestStore store, int bytes, String... options) throws IOException {
    Path json = directory.resolve("json");
    List<String> all = new ArrayList<>(List.of("--out", out.toString(), "--force"));
    all.addAll(List.of("--length", String.valueOf(bytes), "--json", json.toString()));
    all.addAll(List.of(options));
    CommandRun run = store.run("export", all.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.messages()).isZero();
    assertThat(Files.readAllBytes(out)).isEqualTo(Arrays.copyOf(model, bytes));
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.get("bytes").asInt()).isEqualTo(bytes);
    String method = report.get("method").asText();
    boolean scan = method.equals("scan");
    assertThat(run.messages())
        .startsWith("Exported by " + (scan ? "one scan: " : "ordinary accesses: "));
    return method;
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "path"})
  void allIsScannedAndAPartIsRead(String scheme) throws IOException {
    TestStore store = create("--treetop", "0", "--scheme", scheme);
    int longestPart = 0;
    int shortestScan = STORE_BYTES;
    for (int bytes : new int[] {1, 1024, 5000, 50_000, STORE_BYTES - 1500, STORE_BYTES}) {
      if (export(store, bytes).equals("scan")) {
        shortestScan = Math.min(shortestScan, bytes);
      } else {
        longestPart = bytes;
      }
    }
    assertThat(longestPart).isBetween(1024, shortestScan - 1);
    assertThat(shortestScan).isLessThan(STORE_BYTES);
  }

  @Test
  void standardOutputIsReadByAccesses() throws IOException {
    TestStore store = create();
    CommandRun run = store.run("export", "--out", "-", "--json", "/dev/stderr");
    assertThat(run.exitCode()).as(run.messages()).isZero();
    assertThat(run.output()).isEqualTo(model);
    assertThat(run.messages()).contains("by ordinary accesses");
  }

  @Test
  void anEmptyStoreIsAHole() throws IOException {
    TestStore store = TestStore.create(directory);
    assertThat(export(store, STORE_BYTES)).isEqualTo("scan");
    assertThat(export(store, 777)).isEqualTo("scan");
  }

  @Test
  void aStoreThatWasNotClosedIsScannedAsItIsAfterRecovery() throws IOException {
    TestStore store = create("--treetop", "0");
    fill(model, 7 * 1024, 8 * 1024);
    store.crashAfterWriting(7, Arrays.copyOfRange(model, 7 * 1024, 8 * 1024));
    for (int again = 0; again < 2; again++) {
      assertThat(export(store, STORE_BYTES)).isEqualTo("scan");
    }
    CommandRun recovered = store.run("recover");
    assertThat(recovered.exitCode()).as(recovered.messages()).isZero();
    assertThat(export(store, STORE_BYTES)).isEqualTo("scan");
  }

  @Test
  void damageLeavesTheFileAsItWas() throws IOException {
    TestStore store = create("--treetop", "0");
    Path segment = store.directory().resolve("segment-000000");
    try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
      // Behind the first levels.
      int from = 1 << 16;
      channel.write(ByteBuffer.allocate((int) channel.size() - from), from);
    }
    Files.write(out, new byte[] {1, 2});
    CommandRun run = store.run("export", "--out", out.toString(), "--force");
    assertThat(run.messages()).contains("bucket at tree ");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.DATA);
    assertThat(out).hasBinaryContent(new byte[] {1, 2});
    assertThat(directory).isDirectoryNotContaining("glob:**.part");
  }

  @Test
  void aScanIsRecorded() throws IOException {
    TestStore store = create("--treetop", "0");
    Path file = directory.resolve("view");
    assertThat(export(store, STORE_BYTES, "--record", file.toString())).isEqualTo("scan");
    View view = ViewReader.read(file);
    assertThat(view.sights().stream().filter(s -> s.observer() == Observer.DECLARED))
        .extracting(Sight::action)
        .containsExactly(Action.SCAN);
    assertThat(view.sights()).noneMatch(sight -> sight.action() == Action.WRITE);
  }
}
