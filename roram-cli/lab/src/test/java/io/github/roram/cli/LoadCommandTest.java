package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code roram load} as people run it; what it checks has its tests in roram-bench. */
final class LoadCommandTest {

  @TempDir Path directory;

  private static List<String> line(String... arguments) {
    List<String> line = new ArrayList<>(List.of("load"));
    line.addAll(List.of(arguments));
    line.addAll(List.of("--clients", "2", "--time", "0.3", "--mix", "50", "--range", "2"));
    return line;
  }

  private static CommandRun run(List<String> line, String... more) {
    List<String> all = new ArrayList<>(line);
    all.addAll(List.of(more));
    return CommandRun.of(all.toArray(String[]::new));
  }

  @Test
  void aStoreThatIsMadeForItIsGoneAfterwards() throws Exception {
    Path json = directory.resolve("load.json");
    Path made = directory.resolve("made");
    Path state = directory.resolve("state");
    String stripes = "striped:file:" + made + ",file:" + directory.resolve("second");
    for (String[] target :
        new String[][] {
          {"mem:", "--link", "1ms,100MB/s", "--treetop", "0", "--max-range", "4"},
          {"file:" + made, "--scheme", "path", "--treetop", "0", "--max-range", "4"},
          {stripes, "--state-dir", state.toString(), "--treetop", "0", "--max-range", "4"}
        }) {
      List<String> line = line(target);
      line.addAll(List.of("--create", "--blocks", "300", "--json", json.toString()));
      CommandRun load = run(line, "--addresses", "zipf");
      assertThat(load.exitCode()).as(load.messages()).isZero();
      JsonNode result = new ObjectMapper().readTree(Files.readString(json));
      assertThat(result.get("clients").asInt()).isEqualTo(2);
      assertThat(result.get("operations").asLong()).isNotNegative();
      assertThat(result.get("mismatches").asLong()).isZero();
      assertThat(new ObjectMapper().readTree(load.text())).isEqualTo(result);
    }
    assertThat(directory.toFile().list()).containsExactly("load.json");
  }

  @Test
  void aStoreThatIsThereIsUsedAndStays() throws Exception {
    TestStore store = TestStore.create(directory);
    store.write(new byte[] {1, 2, 3}, 5000);
    List<String> line = line(store.uri(), "--key-file", store.keyFile().toString());
    assertThat(run(line, "--mix", "100").exitCode()).isEqualTo(ExitCodes.USAGE);
    line.set(line.indexOf("--mix") + 1, "100");
    assertThat(run(line).exitCode()).isZero();
    assertThat(store.read(5000, 3)).containsExactly(1, 2, 3);
    assertThat(run(line, "--create").exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void aGuardedStoreIsUsedWithItsGuard() {
    String[] guard = {"--rollback-guard", directory.resolve("guard").toString()};
    TestStore store = TestStore.create(directory, guard);
    List<String> line = line(store.uri(), "--key-file", store.keyFile().toString());
    assertThat(run(line).messages()).contains("name the store's guard");
    CommandRun load = run(line, guard);
    assertThat(load.exitCode()).as(load.messages()).isZero();
    assertThat(store.run("verify", guard).exitCode()).isZero();
    assertThat(run(line, "--create").messages())
        .contains("--key-file is for a store that is there");
    assertThat(run(line(store.uri(), guard[0], guard[1]), "--create").messages())
        .contains("--rollback-guard is for a store that is there");
  }

  @Test
  void wrongArgumentsAreRefused() throws IOException {
    Path guard = Files.writeString(directory.resolve("guard"), "1");
    for (String[] wrong :
        new String[][] {
          {"proxy://127.0.0.1:1", "--rollback-guard", guard.toString()},
          {"mem:", "--create", "--link", "12ms"},
          {"proxy://127.0.0.1:1", "--create"},
          {"file:" + directory, "--blocks", "300"},
          {"file:" + directory, "--classes", "0,3"},
          {"mem:", "--create", "--key-env", "KEY"},
          {"proxy://127.0.0.1:1", "--scheme", "path"},
          {"proxy://127.0.0.1:1", "--in-flight", "4"},
          {"proxy://127.0.0.1:1", "--map-directory", directory.toString()},
        }) {
      CommandRun run = run(line(wrong));
      assertThat(run.exitCode()).as(run.messages()).isEqualTo(ExitCodes.USAGE);
    }
  }

  /** The relay of the line is on this machine, the server behind it is not. */
  @Test
  void aTokenGoesInTheClearToNobodyBehindALine() throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "secret");
    String key = TestStore.create(directory).keyFile().toString();
    List<String> line = line("tcp://192.0.2.1:7420/v", "--token-file", token.toString());
    line.addAll(List.of("--key-file", key, "--retry-seconds", "0"));
    CommandRun without = run(line);
    assertThat(without.messages()).contains("is at 192.0.2.1, off the loopback");
    CommandRun behind = run(line, "--link", "12ms,11MB/s");
    assertThat(behind.messages()).isEqualTo(without.messages());
    assertThat(behind.exitCode()).isEqualTo(without.exitCode());
  }

  @Tag("gate")
  @Test
  void aLineStandsBeforeABlockServer() throws Exception {
    Path volumes = directory.resolve("volumes");
    try (ServerProcess server =
        ServerProcess.start(
            directory.resolve("errors"), "--dir", volumes.toString(), "--listen", "127.0.0.1:0")) {
      List<String> line =
          line(
              server.uri() + "/v",
              "--state-dir",
              directory.resolve("state").toString(),
              "--create",
              "--blocks",
              "300",
              "--treetop",
              "0",
              "--link",
              "1ms,50MB/s");
      CommandRun load = run(line);
      assertThat(load.exitCode()).as(load.messages()).isZero();
      assertThat(load.text()).contains("\"mismatches\":0");
    }
  }
}
