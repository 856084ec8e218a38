package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --state-dir}: the client's records of a store are elsewhere. */
final class StateOptionTest {

  @TempDir Path directory;

  private static @Nullable Path stateOf(String uri, String... options) throws IOException {
    return ParsedStore.options(Map.of("RORAM_STATE_DIR", "s"), uri, options).stateDirectory();
  }

  @Test
  void theVariableIsForBlockServersAlone() throws IOException {
    assertThat(stateOf("tls://host:1/v")).isEqualTo(Path.of("s"));
    assertThat(stateOf("TCP://host:1/v")).isEqualTo(Path.of("s"));
    assertThat(stateOf("file:s")).isNull();
    assertThat(stateOf("mem:")).isNull();
    assertThat(stateOf("tls://host:1/v", "--state-dir", "mine")).isEqualTo(Path.of("mine"));
    assertThat(stateOf("file:s", "--state-dir", "mine")).isEqualTo(Path.of("mine"));
  }

  @Test
  void everyCommandWorksWithRecordsElsewhere() throws IOException {
    Path state = directory.resolve("state");
    String[] there = {"--state-dir", state.toString()};
    TestStore store = TestStore.create(directory, "--treetop", "0", there[0], there[1]);
    byte[] data = new byte[50_000];
    new Random(1).nextBytes(data);
    assertThat(store.write(data, 500, there).exitCode()).isZero();
    assertThat(store.run("verify", there).exitCode()).isZero();
    CommandRun rekeyed = store.run("rekey", there);
    assertThat(rekeyed.exitCode()).as(rekeyed.messages()).isZero();
    Path second = directory.resolve("second");
    String[] passwd = {"--to-key-file", second.toString(), "--new-key", there[0], there[1]};
    CommandRun changed = store.run("passwd", passwd);
    assertThat(changed.exitCode()).as(changed.messages()).isZero();
    TestStore again = new TestStore(store.directory(), second);
    assertThat(again.run("info", there).text()).contains("key            fits");
    assertThat(again.run("recover", there).exitCode()).isZero();
    assertThat(again.read(500, data.length, there)).isEqualTo(data);
    assertThat(store.directory().resolve("vault")).doesNotExist();
    assertThat(Files.exists(state.resolve("vault").resolve("key.record"))).isTrue();
    CommandRun lost = again.run("verify");
    assertThat(lost.exitCode()).isNotZero();
    assertThat(lost.messages()).contains("--state-dir", store.directory().toString());
  }

  /** One thing is said, with its remedy, and not that every bucket is wrong. */
  @Test
  void olderRecordsPutBackAreNamedOnceByVerify() throws IOException {
    Path state = directory.resolve("state");
    String[] there = {"--state-dir", state.toString()};
    TestStore store = TestStore.create(directory, "--treetop", "0", there[0], there[1]);
    assertThat(store.write(new byte[50_000], 500, there).exitCode()).isZero();
    Path vault = state.resolve("vault");
    byte[] epoch = Files.readAllBytes(vault.resolve("epoch.record"));
    byte[] older = Files.readAllBytes(vault.resolve("state.record"));
    assertThat(store.write(new byte[50_000], 500, there).exitCode()).isZero();
    Files.write(vault.resolve("epoch.record"), epoch);
    Files.write(vault.resolve("state.record"), older);
    for (String command : new String[] {"verify", "recover", "rekey"}) {
      CommandRun refused = store.run(command, there);
      assertThat(refused.exitCode()).as(command).isEqualTo(ExitCodes.DATA);
      assertThat(refused.text()).doesNotContain("bucket");
      assertThat(refused.messages())
          .contains("client's records are older than store", "Restore the newest")
          .doesNotContain("bucket");
    }
  }
}
