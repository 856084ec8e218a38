package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.IntegrityException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.client.Backup;
import io.github.roram.client.BackupPoint;
import io.github.roram.crypto.MasterKey;
import io.github.roram.object.FilterObjectSpace;
import io.github.roram.object.MemoryObjects;
import io.github.roram.object.ObjectSpace;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code roram backup}, {@code roram restore} and the backups of a proxy. */
final class BackupCommandTest {

  @TempDir Path directory;

  private static CommandRun ok(CommandRun run) {
    assertThat(run.exitCode()).as(run.messages()).isZero();
    return run;
  }

  private static byte[] noise(int seed) {
    byte[] bytes = new byte[100_000];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Test
  void whatWasLostOrIsUndoneComesBack() throws IOException {
    TestStore store = TestStore.create(directory);
    String to = directory.resolve("backup").toString();
    ok(store.write(noise(1), 0));
    assertThat(ok(store.run("backup", "--to", to)).messages()).contains("Point 1 of", "changed");
    ok(store.write(noise(2), 0));
    ok(store.run("backup", "--to", to));
    ok(store.write(noise(3), 0));
    assertThat(ok(store.run("restore", "--from", to, "--list")).text().lines()).hasSize(2);
    assertThat(ok(store.run("restore", "--from", to, "--verify", "--point", "1")).messages())
        .contains("Point 1 of", "whole");
    CommandRun unasked = store.run("restore", "--from", to);
    assertThat(unasked.exitCode()).isEqualTo(ExitCodes.FAILURE);
    assertThat(unasked.messages()).contains("--over");
    assertThat(ok(store.run("restore", "--from", to, "--over")).messages()).contains("undone");
    assertThat(store.read(0, 100_000)).isEqualTo(noise(2));
    ok(store.run("restore", "--from", to, "--over", "--point", "1"));
    assertThat(store.read(0, 100_000)).isEqualTo(noise(1));
    Path piece;
    try (var pieces = Files.list(directory.resolve("backup").resolve("pieces"))) {
      piece = pieces.sorted().findFirst().orElseThrow();
    }
    byte[] content = Files.readAllBytes(piece);
    content[content.length / 2] ^= 1;
    Files.write(piece, content);
    List<Integer> codes = new ArrayList<>();
    for (String point : List.of("1", "2")) {
      codes.add(store.run("restore", "--from", to, "--verify", "--point", point).exitCode());
    }
    assertThat(codes).contains(ExitCodes.DATA);
    assertThat(store.read(0, 100_000)).isEqualTo(noise(1));
  }

  @Test
  void aStoreThatWasNotClosedIsBackedUpAsItIsAfterRecovery() throws IOException {
    TestStore store = TestStore.create(directory);
    String to = directory.resolve("backup").toString();
    ok(store.write(noise(1), 0));
    byte[] block = Arrays.copyOf(noise(5), TestStore.BLOCK_BYTES);
    store.crashAfterWriting(200, block);
    ok(store.run("backup", "--to", to));
    ok(store.write(noise(2), 0));
    ok(store.run("restore", "--from", to, "--over"));
    assertThat(store.read(0, 100_000)).isEqualTo(noise(1));
    assertThat(store.read(200L * TestStore.BLOCK_BYTES, block.length)).isEqualTo(block);
  }

  @Test
  void anOldPassphraseUnlocksAnOldPointAndANewMasterKeyBeginsAnew() throws IOException {
    TestStore store = TestStore.create(directory);
    String to = directory.resolve("backup").toString();
    ok(store.write(noise(1), 0));
    ok(store.run("backup", "--to", to));
    ok(store.run("rekey"));
    ok(store.write(noise(2), 0));
    ok(store.run("backup", "--to", to));
    Path second = directory.resolve("second");
    ok(store.run("passwd", "--to-key-file", second.toString(), "--new-key"));
    ok(store.run("restore", "--from", to, "--over", "--point", "1"));
    assertThat(store.read(0, 100_000)).isEqualTo(noise(1));
    ok(store.run("restore", "--from", to, "--over", "--point", "2"));
    assertThat(store.read(0, 100_000)).isEqualTo(noise(2));
    ok(store.run("verify"));
  }

  @Test
  void aProxyBacksUpWhatItShares() throws Exception {
    TestStore store = TestStore.create(directory);
    Path to = directory.resolve("backup");
    List<String> line = new ArrayList<>(List.of("proxy", store.uri(), "--key-file"));
    line.addAll(List.of(store.keyFile().toString(), "--listen", "127.0.0.1:0"));
    line.addAll(List.of("--anyone-on-this-machine", "--backup", to.toString()));
    line.addAll(List.of("--backup-every", "1", "--backup-keep", "3"));
    try (ServerProcess proxy = ServerProcess.startCommand(directory.resolve("errors"), line)) {
      ok(CommandRun.withInput(noise(1), "write", proxy.uri(), "--offset", "0", "--in", "-"));
      int written = newest(to);
      for (int waited = 0; newest(to) < written + 2 && waited < 600; waited++) {
        Thread.sleep(100);
      }
      assertThat(newest(to)).isGreaterThanOrEqualTo(written + 2);
      assertThat(proxy.terminate()).isZero();
    }
    ok(store.write(noise(2), 0));
    ok(store.run("restore", "--from", to.toString(), "--over"));
    assertThat(store.read(0, 100_000)).isEqualTo(noise(1));
  }

  @Test
  void forABackupWithoutMemoryTheNextOneIsTaken() throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    ObjectSpace place =
        new FilterObjectSpace(new MemoryObjects()) {
          private boolean failed;

          @Override
          public boolean createOnce(String name, ByteBuffer content) throws IOException {
            if (!failed) {
              failed = true;
              throw new OutOfMemoryError("injected");
            }
            boolean created = delegate.createOnce(name, content);
            taken.countDown();
            return created;
          }
        };
    OramConfig config = OramConfig.builder(16).blockBytes(512).maxRangeBlocks(1).build();
    try (MasterKey key = MasterKey.generate();
        BlockStore store = new MemoryStore(Orams.storeBytes(config));
        Oram oram = Orams.create(store, ClientVault.inMemory(), config, key);
        BackupSchedule schedule =
            new BackupSchedule(oram, "mem:", new BackupSchedule.Settings(Backup.in(place), 0, 1))) {
      assertThat(taken.await(60, TimeUnit.SECONDS)).as("%s", schedule).isTrue();
    }
  }

  private static int newest(Path to) throws IOException {
    NavigableMap<Integer, BackupPoint> points = new TreeMap<>();
    try {
      points = Backup.in(to).points();
    } catch (IntegrityException e) {
      // One was deleted just now.
    }
    return points.isEmpty() ? 0 : points.lastKey();
  }

  /** In every kind of places, with what unlocks the store and nothing else. */
  @Test
  void otherTargetsDoTheSame() throws Exception {
    TestStore store = TestStore.create(directory);
    Path errors = directory.resolve("errors");
    Path volumes = directory.resolve("volumes");
    Path settings = directory.resolve("settings.toml");
    Files.writeString(settings, "state-dir = \"backup-state\"\n");
    try (ServerProcess server =
        ServerProcess.start(errors, "--dir", volumes.toString(), "--listen", "127.0.0.1:0")) {
      String volume = server.uri() + "/backup";
      for (List<String> place :
          List.of(
              List.of("objects:" + directory.resolve("objects")),
              List.of("file:" + directory.resolve("plain")),
              List.of(volume, settings.toString()))) {
        String to = place.get(0);
        List<String> with = new ArrayList<>();
        place.stream().skip(1).forEach(file -> with.addAll(List.of("settings", file)));
        ok(store.write(noise(1), 0));
        ok(store.run("backup", line("--to", to, with)));
        ok(store.write(noise(2), 0));
        ok(store.run("backup", line("--to", to, with, "--keep", "2")));
        ok(store.write(noise(3), 0));
        assertThat(ok(store.run("restore", line("--from", to, with, "--list"))).text().lines())
            .hasSize(2);
        ok(store.run("restore", line("--from", to, with, "--verify", "--point", "1")));
        ok(store.run("restore", line("--from", to, with, "--over")));
        assertThat(store.read(0, 100_000)).as(to).isEqualTo(noise(2));
        ok(store.run("restore", line("--from", to, with, "--over", "--point", "1")));
        assertThat(store.read(0, 100_000)).as(to).isEqualTo(noise(1));
      }
      CommandRun inStore =
          store.run("restore", line("--from", server.uri() + "/none", List.of(), "--list"));
      assertThat(inStore.exitCode()).isZero();
      assertThat(inStore.text()).isEmpty();
      CommandRun path =
          CommandRun.of(
              "create",
              server.uri() + "/other",
              "--blocks",
              "64",
              "--state-dir",
              directory.resolve("other-state").toString(),
              "--key-file",
              store.keyFile().toString());
      ok(path);
      Files.writeString(settings, "state-dir = \"taken-state\"\n");
      List<String> with = List.of("settings", settings.toString());
      CommandRun taken = store.run("backup", line("--to", server.uri() + "/other", with));
      assertThat(taken.exitCode()).isEqualTo(ExitCodes.DATA);
      assertThat(taken.messages()).contains("something else");
    }
  }

  private static String[] line(String option, String to, List<String> with, String... more) {
    List<String> line = new ArrayList<>(List.of(option, to));
    if (!with.isEmpty()) {
      line.addAll(List.of(option + "-" + with.get(0), with.get(1)));
    }
    line.addAll(List.of(more));
    return line.toArray(String[]::new);
  }

  @Test
  void howToBackUpIsRefusedWithoutATarget() {
    for (String option : List.of("--backup-every", "--backup-keep", "--backup-settings")) {
      String[] line = {
        "proxy", "file:none", "--listen", "127.0.0.1:0", "--anyone-on-this-machine", option, "7"
      };
      CommandRun run = CommandRun.of(line);
      assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
      assertThat(run.messages()).contains(option, "add --backup TARGET");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--from any --verify --over, --over is for restoring",
    "--from any --list --point 3, --point is of no use with --list",
    "--from any --list --verify, --verify is of no use with --list",
    "--from-store --point 3, --point is for a backup",
    "--from-store --list, --list is for a backup",
  })
  void whatDoesNotGoTogetherIsRefused(String options, String message) {
    CommandRun run = CommandRun.of(("restore file:none " + options).split(" "));
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.messages()).contains(message, "leave one out");
  }

  @Test
  void whatIsNoBackupIsSaid() throws IOException {
    TestStore store = TestStore.create(directory);
    assertThat(store.run("restore", "--from", "any", "--json", "any").messages())
        .contains("leave it out with --from");
    CommandRun none = store.run("restore", "--from", directory.resolve("none").toString());
    assertThat(none.exitCode()).isEqualTo(ExitCodes.FAILURE);
    assertThat(none.messages()).contains("has no backup; name its place").hasLineCount(1);
    String nowhere = directory.resolve("none").toString();
    assertThat(store.run("restore", "--from", nowhere, "--list").messages())
        .contains("There is no backup in " + nowhere);
    CommandRun other = store.run("backup", "--to", store.directory().toString());
    assertThat(other.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(other.messages()).contains("other files");
    assertThat(store.read(0, 5)).isEqualTo(Arrays.copyOf(new byte[5], 5));
  }
}
