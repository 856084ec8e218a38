package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code roram doctor}: says what is well and what is not, and changes nothing. */
final class DoctorCommandTest {

  @TempDir Path directory;

  /** Its limit is no parameter, and follows from its shape. */
  @Test
  void theStashOfARingHasALimit() {
    CommandRun run = TestStore.create(directory, "--scheme", "ring").run("doctor");
    assertThat(run.exitCode()).as(run.messages()).isZero();
    assertThat(run.text()).containsPattern("stash of 1 +0 of [1-9][0-9]*: 0 %");
  }

  @Test
  void aHealthyStoreIsWell() throws IOException {
    TestStore store = TestStore.create(directory, "--treetop", "0");
    store.write(new byte[5000], 0);
    Map<Path, ByteBuffer> before = contents(store);
    CommandRun run = store.run("doctor");
    assertThat(run.exitCode()).as(run.text() + run.messages()).isZero();
    assertThat(run.text())
        .contains("All is well", "stash of 1 ", "none: closed", "a key file, for 0 hours")
        .contains("noticed by the store's watermark", "of its volume are free");
    assertThat(run.text().lines()).hasSizeLessThanOrEqualTo(24);
    assertThat(contents(store)).isEqualTo(before);
  }

  private static Map<Path, ByteBuffer> contents(TestStore store) throws IOException {
    Map<Path, ByteBuffer> contents = new TreeMap<>();
    store.files().forEach((file, bytes) -> contents.put(file, ByteBuffer.wrap(bytes)));
    return contents;
  }

  @Test
  void recordsInAnEngineAreNotOnThisMachine() {
    String engine = "objects:" + directory.resolve("engine");
    TestStore store = TestStore.create(directory, "--vault", engine);
    CommandRun run = store.run("doctor", "--vault", engine);
    assertThat(run.exitCode()).as(run.text() + run.messages()).isZero();
    assertThat(run.text()).contains("in an engine, " + engine).doesNotContain("with the store");
  }

  @Test
  void aCrashNeedsAttention() throws IOException {
    TestStore store = TestStore.create(directory);
    store.crashAfterWriting(3, new byte[TestStore.BLOCK_BYTES]);
    CommandRun run = store.run("doctor");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.ATTENTION);
    assertThat(run.text()).contains("to recover", "roram recover", "needs attention");
    store.run("recover");
    assertThat(store.run("doctor").text()).contains("none: closed");
  }

  @Test
  void whatDoesNotOpenHasItsOwnExitCode() throws IOException {
    TestStore store = TestStore.create(directory);
    Path state = store.directory().resolve("vault").resolve("state.record");
    byte[] bytes = Files.readAllBytes(state);
    bytes[bytes.length / 2] ^= 1;
    Files.write(state, bytes);
    assertThat(store.run("doctor").exitCode()).isEqualTo(ExitCodes.DATA);
  }
}
