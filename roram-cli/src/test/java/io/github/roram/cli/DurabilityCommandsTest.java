package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code verify}, {@code recover}, {@code --durability} and {@code --rollback-guard}. */
final class DurabilityCommandsTest {

  @TempDir Path directory;

  private static byte[] bytes(int count, int seed) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Test
  void recoverTellsWhatACrashLeftAndCompletesIt() throws IOException {
    TestStore store = TestStore.create(directory);
    assertThat(store.run("recover").text()).contains("was closed: there is nothing to recover");
    byte[] data = bytes(3 * TestStore.BLOCK_BYTES, 1);
    store.crashAfterWriting(17, data);
    assertThat(CommandRun.of("info", store.uri()).text())
        .contains("journal        present", "locked with    a key file");
    assertThat(store.run("info").text()).contains("needs recovery", "1 accesses");
    CommandRun recovered = store.run("recover");
    assertThat(recovered.text())
        .contains(
            "was not closed",
            "journals replayed       1",
            "accesses replayed       1",
            "incomplete last record  none",
            "read under way          none",
            "Recovered and closed");
    assertThat(recovered.exitCode()).isZero();
    assertThat(store.run("recover").text()).contains("nothing to recover");
    assertThat(CommandRun.of("info", store.uri()).text()).contains("journal        none");
    assertThat(store.run("info").text()).contains("closed cleanly");
    assertThat(store.read(17L * TestStore.BLOCK_BYTES, data.length)).isEqualTo(data);
  }

  @Test
  void everyCommandRecoversByItself() throws IOException {
    TestStore store = TestStore.create(directory);
    byte[] data = bytes(TestStore.BLOCK_BYTES, 2);
    for (int block = 0; block < 5; block++) {
      store.crashAfterWriting(block, data);
    }
    for (int block = 0; block < 5; block++) {
      assertThat(store.read((long) block * TestStore.BLOCK_BYTES, data.length)).isEqualTo(data);
    }
  }

  @Test
  void verifyPassesSoundStoresAndWritesNothing() throws IOException {
    TestStore store = TestStore.create(directory);
    store.write(bytes(200_000, 3), 1000);
    store.crashAfterWriting(5, bytes(TestStore.BLOCK_BYTES, 4));
    Map<Path, byte[]> before = store.files();
    CommandRun verified = store.run("verify");
    assertThat(verified.exitCode()).as(verified.messages()).isZero();
    assertThat(verified.text()).isEmpty();
    assertThat(verified.messages()).contains("was not closed", "All is well", "buckets");
    Map<Path, byte[]> after = store.files();
    assertThat(after.keySet()).isEqualTo(before.keySet());
    after.forEach((file, content) -> assertThat(content).isEqualTo(before.get(file)));
    assertThat(store.run("verify", "--quiet").messages()).isEmpty();
  }

  @Test
  void verifyNamesWhatIsWrong() throws IOException {
    TestStore store =
        TestStore.create(directory, "--treetop", "0", "--classes", "0,4", "--chunk", "8");
    store.write(bytes(300 * TestStore.BLOCK_BYTES, 5), 0);
    store.write(bytes(300 * TestStore.BLOCK_BYTES, 6), 0);
    Path segment = store.directory().resolve("segment-000000");
    byte[] content = Files.readAllBytes(segment);
    for (int offset = 6000; offset < content.length; offset += 30_000) {
      content[offset] ^= 4;
    }
    Files.write(segment, content);
    Path json = directory.resolve("verify.json");
    CommandRun verified = store.run("verify", "--json", json.toString());
    assertThat(verified.exitCode()).isEqualTo(ExitCodes.DATA);
    assertThat(verified.text().lines())
        .hasSizeGreaterThan(3)
        .anySatisfy(line -> assertThat(line).matches("bucket at tree \\d+, level \\d+, .*"));
    assertThat(verified.messages()).contains("is damaged", "findings");
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.get("clean").asBoolean()).isFalse();
    assertThat(report.get("findingCount").asLong()).isEqualTo(report.get("findings").size());
    assertThat(report.get("findings").get(0).get("message").asText())
        .isEqualTo(verified.text().lines().findFirst().orElseThrow());
    assertThat(report.get("buckets").asLong()).isPositive();
  }

  @Test
  void durabilityIsTheCallersChoice() throws IOException {
    TestStore store = TestStore.create(directory);
    for (String mode : new String[] {"sync", "flush", "os", "NONE"}) {
      byte[] data = bytes(2000, mode.length());
      assertThat(store.write(data, 777, "--durability", mode).exitCode()).isZero();
      assertThat(store.read(777, 2000, "--durability", mode)).isEqualTo(data);
    }
    CommandRun wrong = store.write(new byte[1], 0, "--durability", "perhaps");
    assertThat(wrong.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void classicPathOramHasNoDurability() {
    TestStore store = TestStore.create(directory, "--scheme", "path");
    CommandRun refused = store.write(new byte[10], 0, "--durability", "sync");
    assertThat(refused.messages())
        .contains("durability is SYNC, scheme path has only NONE", "use scheme roram");
    assertThat(refused.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(store.write(new byte[10], 0).exitCode()).isZero();
    assertThat(store.write(new byte[10], 0, "--durability", "none").exitCode()).isZero();
    assertThat(store.run("verify").exitCode()).isZero();
    assertThat(store.run("recover").text()).contains("nothing to recover");
  }

  @Test
  void guardTellsAnOldCopyOfEverythingFromTheNewest() throws IOException {
    Path guard = directory.resolve("guard");
    String[] guarded = {"--rollback-guard", guard.toString()};
    TestStore store = TestStore.create(directory, guarded);
    byte[] old = bytes(5000, 7);
    assertThat(store.write(old, 0, guarded).exitCode()).isZero();
    Map<Path, byte[]> copy = store.files();
    assertThat(store.write(bytes(5000, 8), 0, guarded).exitCode()).isZero();
    assertThat(store.run("verify", guarded).exitCode()).isZero();
    store.restore(copy);
    // Nobody else could tell: store and client were restored together.
    CommandRun unguarded = store.run("verify");
    assertThat(unguarded.messages()).contains("created with a rollback guard", "none was named");
    assertThat(unguarded.exitCode()).isEqualTo(ExitCodes.USAGE);
    CommandRun refused = store.write(old, 0, guarded);
    assertThat(refused.messages()).contains("were rolled back", "rollback guard");
    assertThat(refused.exitCode()).isEqualTo(ExitCodes.DATA);
    assertThat(store.run("verify", guarded).exitCode()).isEqualTo(ExitCodes.DATA);
  }

  @Test
  void guardIsOfOneStoreAndMustBeThere() throws IOException {
    Path guard = directory.resolve("guard");
    String[] guarded = {"--rollback-guard", guard.toString()};
    TestStore store = TestStore.create(directory, guarded);
    assertThat(Files.readString(guard)).matches("[1-9][0-9]*\n");
    Path second = Files.createDirectory(directory.resolve("second"));
    CommandRun again =
        CommandRun.of(
            "create",
            "file:" + second.resolve("store"),
            "--blocks",
            "10",
            "--key-file",
            second.resolve("key").toString(),
            "--new-key",
            "--rollback-guard",
            guard.toString());
    assertThat(again.messages()).contains("may guard another store");
    assertThat(again.exitCode()).isEqualTo(ExitCodes.FAILURE);
    assertThat(second).isEmptyDirectory();
    Files.delete(guard);
    assertThat(store.run("verify", guarded).messages()).contains("write the number 0 into it");
    Files.writeString(guard, "0\n");
    assertThat(store.write(new byte[5], 0, guarded).messages()).contains("stands at 1");
    Files.writeString(guard, "1\n");
    assertThat(store.write(new byte[5], 0, guarded).exitCode()).isZero();
    Files.writeString(guard, "twelve");
    assertThat(store.run("verify", guarded).messages()).contains("holds no number");
  }
}
