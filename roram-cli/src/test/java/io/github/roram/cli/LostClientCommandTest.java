package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.roram.netserver.config.HostPort;
import io.github.roram.netserver.config.ServerSettings;
import io.github.roram.netserver.operations.OperatedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client's machine is gone with its state directory. */
@Timeout(120)
final class LostClientCommandTest {

  @TempDir Path directory;

  private static CommandRun ok(CommandRun run) {
    assertThat(run.exitCode()).as(run.messages()).isZero();
    return run;
  }

  private static byte[] noise(int seed) {
    byte[] bytes = new byte[50_000];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private String[] with(Path state, String... more) {
    List<String> all = new ArrayList<>(List.of("--state-dir", state.toString()));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Test
  void theCopyOfAStoreInFilesBringsItBack() throws IOException {
    Path state = directory.resolve("state");
    TestStore store = TestStore.create(directory, with(state, "--client-copy", "all"));
    ok(store.write(noise(1), 0, with(state)));
    assertThat(ok(store.run("doctor", with(state))).text()).contains("restore --from-store");
    delete(state);
    Path next = directory.resolve("next");
    assertThat(store.run("read", with(next, "--length", "1", "--out", "-")).exitCode()).isNotZero();
    CommandRun back = ok(store.run("restore", with(next, "--from-store")));
    assertThat(back.messages()).contains("are back", "lost machine");
    assertThat(store.read(0, 50_000, with(next))).isEqualTo(noise(1));
    CommandRun twice = store.run("restore", with(next, "--from-store"));
    assertThat(twice.exitCode()).isEqualTo(ExitCodes.FAILURE);
    assertThat(twice.messages()).contains("holds a client's records");

    // The copy is kept on, also of what the new machine writes, and under another passphrase.
    ok(store.write(noise(2), 0, with(next)));
    Path second = directory.resolve("second");
    ok(store.run("passwd", with(next, "--to-key-file", second.toString(), "--new-key")));
    delete(next);
    TestStore relocked = new TestStore(store.directory(), second);
    assertThat(store.run("restore", with(next, "--from-store")).exitCode()).isNotZero();
    assertThat(next).doesNotExist();
    ok(relocked.run("restore", with(next, "--from-store")));
    assertThat(relocked.read(0, 50_000, with(next))).isEqualTo(noise(2));
    ok(relocked.run("verify", with(next)));
  }

  @Test
  void whatIsNotCopiedIsSaid() throws IOException {
    Path state = directory.resolve("state");
    TestStore store = TestStore.create(directory, with(state));
    Path next = directory.resolve("next");
    CommandRun none = store.run("restore", with(next, "--from-store"));
    assertThat(none.messages()).contains("keeps no copy", "--client-copy");
    ok(store.write(noise(1), 0, with(state, "--client-copy", "keys")));
    CommandRun keys = store.run("restore", with(next, "--from-store"));
    assertThat(keys.messages()).contains("the keys alone", "salvage");
    ok(store.write(noise(1), 0, with(state, "--client-copy", "all")));
    ok(store.write(noise(2), 0, with(state)));
    delete(store.directory().resolve("client-copy"));
    CommandRun gone = store.run("verify", with(state));
    assertThat(gone.messages()).contains("someone deleted it", "--client-copy");
    ok(store.write(noise(3), 0, with(state, "--client-copy", "all")));
    ok(store.run("restore", with(next, "--from-store")));
    assertThat(store.read(0, 50_000, with(next))).isEqualTo(noise(3));
    ok(store.write(noise(4), 0, with(next, "--client-copy", "none")));
    assertThat(store.run("restore", with(directory.resolve("third"), "--from-store")).messages())
        .contains("nothing of its client's records");
    CommandRun both = store.run("restore", with(next, "--from-store", "--over"));
    assertThat(both.exitCode()).isEqualTo(ExitCodes.USAGE);
    TestStore within = TestStore.create(Files.createDirectory(directory.resolve("within")));
    assertThat(within.run("info", "--client-copy", "all").messages()).contains("--state-dir");
  }

  @Test
  void theKeysAloneBringBackWhatIsOnTheStore() throws IOException {
    Path state = directory.resolve("state");
    TestStore store =
        TestStore.create(
            directory,
            with(state, "--client-copy", "keys", "--treetop", "0", "--set", "windowBlocks=0"));
    ok(store.write(noise(1), 0, with(state)));
    ok(store.write(new byte[100_000], 100_000, with(state)));
    delete(state);
    Path next = directory.resolve("next");
    TestStore left = new TestStore(directory.resolve("left"), store.keyFile());
    Path json = directory.resolve("salvage.json");
    CommandRun run =
        ok(store.run("salvage", with(next, "--to", left.uri(), "--json", json.toString())));
    assertThat(run.text()).contains("of 300").containsPattern("missing buckets +0");
    assertThat(next).doesNotExist();
    JsonNode root = new ObjectMapper().readTree(json.toFile());
    // A few blocks were still with the client, and are zeros.
    assertThat(root.path("foundBlocks").asInt()).isGreaterThan(100);
    byte[] is = left.read(0, 50_000);
    int same = 0;
    for (int block = 0; block < 48; block++) {
      byte[] was = Arrays.copyOfRange(noise(1), block * 1024, (block + 1) * 1024);
      byte[] now = Arrays.copyOfRange(is, block * 1024, (block + 1) * 1024);
      assertThat(Arrays.equals(now, was) || Arrays.equals(now, new byte[1024])).isTrue();
      same += Arrays.equals(now, was) ? 1 : 0;
    }
    assertThat(same).isGreaterThan(24);
    ok(left.run("verify"));
    CommandRun again = store.run("salvage", with(next, "--to", left.uri()));
    assertThat(again.messages()).contains("holds a store already");
  }

  /** Of a store that has its records with it the state alone may be damaged. */
  @Test
  void theKeysAreTakenFromWhereTheClientHasThem() throws IOException {
    TestStore store = TestStore.create(directory, "--treetop", "0");
    ok(store.write(noise(1), 0));
    Path vault = store.directory().resolve("vault");
    Files.write(vault.resolve("state.record"), new byte[100]);
    assertThat(store.run("verify").exitCode()).isNotZero();
    TestStore left = new TestStore(directory.resolve("left"), store.keyFile());
    ok(store.run("salvage", "--to", left.uri()));
    ok(left.run("verify"));
    Files.delete(vault.resolve("epoch.record"));
    TestStore second = new TestStore(directory.resolve("second"), store.keyFile());
    CommandRun none = store.run("salvage", "--to", second.uri());
    assertThat(none.messages()).contains("'epoch'", "missing");
    assertThat(second.directory()).doesNotExist();
  }

  @Test
  void schemesWhoseCopiesDoNotSayWhichIsNewerAreRefused() throws IOException {
    TestStore store = TestStore.create(directory, "--scheme", "tao", "--treetop", "0");
    CommandRun run = store.run("salvage", "--to", "file:" + directory.resolve("left"));
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.messages()).contains("tao", "salvaged");
  }

  @Test
  void theCopyOnABlockServerBringsItBack() throws IOException {
    OperatedServer server =
        OperatedServer.start(
            ServerSettings.openOnLoopback(HostPort.parse("127.0.0.1:0"), directory.resolve("s")));
    try {
      String uri = server.uri() + "/vault";
      Path state = directory.resolve("state");
      Path key = directory.resolve("key");
      ok(on(uri, key, "create", with(state, "--blocks", "300", "--block-size", "1K", "--new-key")));
      ok(write(uri, key, noise(1), state, "--client-copy", "all"));
      ok(write(uri, key, noise(2), state));
      delete(state);
      Path next = directory.resolve("next");
      ok(on(uri, key, "restore", with(next, "--from-store")));
      ok(write(uri, key, noise(3), next));
      delete(next);
      ok(on(uri, key, "restore", with(next, "--from-store")));
      CommandRun read =
          ok(on(uri, key, "read", with(next, "--offset", "0", "--length", "50000", "--out", "-")));
      assertThat(read.output()).isEqualTo(noise(3));
      assertThat(CommandRun.of("volumes", "list", server.uri()).text()).contains("vault-client");
      ok(CommandRun.of("volumes", "delete", uri, "--yes", "--state-dir", next.toString()));
      assertThat(CommandRun.of("volumes", "list", server.uri()).messages()).contains("no volumes");
    } finally {
      assertThat(server.drain()).isTrue();
    }
  }

  private static String[] line(String command, String uri, Path key, String... options) {
    List<String> line = new ArrayList<>(List.of(command, uri, "--key-file", key.toString()));
    line.addAll(Arrays.asList(options));
    return line.toArray(String[]::new);
  }

  private static CommandRun on(String uri, Path key, String command, String... options) {
    return CommandRun.of(line(command, uri, key, options));
  }

  private CommandRun write(String uri, Path key, byte[] data, Path state, String... more) {
    List<String> all = new ArrayList<>(List.of("--in", "-", "--offset", "0"));
    all.addAll(List.of(with(state, more)));
    return CommandRun.withInput(data, line("write", uri, key, all.toArray(String[]::new)));
  }
}
