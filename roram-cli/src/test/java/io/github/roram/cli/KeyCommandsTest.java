package io.github.roram.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.OpenOptions;
import io.github.roram.client.KeyFile;
import io.github.roram.client.SecretFile;
import io.github.roram.client.WrappedKey;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.file.FileRollbackGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code passwd}, {@code rekey} and {@code --key-env}. */
final class KeyCommandsTest {

  private static final String HEX = "0123456789abcdef".repeat(4);

  @TempDir Path directory;

  private TestStore store;
  private byte[] data;

  private static TestStore createStore(Path parent, String... options) {
    List<String> all = new ArrayList<>(List.of("--treetop", "0", "--chunk", "8", "--window", "0"));
    all.addAll(List.of(options));
    return TestStore.create(parent, all.toArray(String[]::new));
  }

  @BeforeEach
  void createStore() {
    store = createStore(directory);
    data = new byte[100_000];
    new Random(1).nextBytes(data);
    assertThat(store.write(data, 500).exitCode()).isZero();
  }

  private Path vaultFile(String name) {
    return store.directory().resolve("vault").resolve(name);
  }

  @Test
  void keyFilePassphraseAndVariableReplaceEachOther() throws IOException {
    byte[] segment = Files.readAllBytes(store.directory().resolve("segment-000000"));
    Path passphrase = directory.resolve("passphrase");
    SecretFile.create(passphrase, "correct horse".getBytes(UTF_8));
    CommandRun toPassphrase = store.run("passwd", "--to-passphrase-file", passphrase.toString());
    assertThat(toPassphrase.messages()).contains("now locked with a passphrase");
    assertThat(store.run("info").messages())
        .contains("is locked with a passphrase; give --passphrase-file");
    String[] byPassphrase = {"--passphrase-file", passphrase.toString()};
    CommandRun toVariable =
        CommandRun.withVariables(
            Map.of("K", HEX),
            "passwd",
            store.uri(),
            byPassphrase[0],
            byPassphrase[1],
            "--to-key-env",
            "K");
    assertThat(toVariable.messages()).contains("now locked with a key in an environment variable");
    assertThat(CommandRun.of("info", store.uri(), byPassphrase[0], byPassphrase[1]).messages())
        .contains("name it with --key-env NAME");
    Path second = directory.resolve("second");
    CommandRun toFile =
        CommandRun.withVariables(
            Map.of("K", HEX),
            "passwd",
            store.uri(),
            "--key-env",
            "K",
            "--to-key-file",
            second.toString(),
            "--new-key");
    assertThat(toFile.exitCode()).as(toFile.messages()).isZero();
    assertThat(Files.readAllBytes(store.directory().resolve("segment-000000"))).isEqualTo(segment);
    TestStore again = new TestStore(store.directory(), second);
    assertThat(again.read(500, data.length)).isEqualTo(data);
  }

  @Test
  void aWrongKeyChangesNothing() throws IOException {
    byte[] record = Files.readAllBytes(vaultFile("key.record"));
    CommandRun wrong =
        CommandRun.withVariables(
            Map.of("K", HEX), "passwd", store.uri(), "--key-env", "K", "--to-key-env", "K");
    assertThat(wrong.messages()).contains("this is not the right one; nothing was changed");
    assertThat(wrong.exitCode()).isEqualTo(ExitCodes.FAILURE);
    assertThat(Files.readAllBytes(vaultFile("key.record"))).isEqualTo(record);
    Path existing = directory.resolve("existing");
    SecretFile.create(existing, HEX.getBytes(UTF_8));
    CommandRun refused = store.run("passwd", "--to-key-file", existing.toString(), "--new-key");
    assertThat(refused.messages()).contains("exists and is not overwritten");
    assertThat(store.run("passwd", "--to-key-env", "K", "--to-key-file", "x").messages())
        .contains("give one of --to-key-file, --to-passphrase-file and --to-key-env");
    assertThat(store.run("passwd", "--new-key").messages()).contains("needs --to-key-file FILE");
    assertThat(Files.readAllBytes(vaultFile("key.record"))).isEqualTo(record);
  }

  @Test
  void variablesAreChecked() {
    String[] line = {"info", store.uri(), "--key-env", "K"};
    assertThat(CommandRun.of(line).messages()).contains("variable K is not set");
    assertThat(CommandRun.withVariables(Map.of("K", "abc"), line).messages())
        .contains("variable K is no key", "64 hexadecimal digits")
        .doesNotContain("abc");
    assertThat(store.run("info", "--key-env", "K").exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void aLostOrDamagedKeyRecordIsTold() throws IOException {
    byte[] record = Files.readAllBytes(vaultFile("key.record"));
    record[80] ^= 1;
    Files.write(vaultFile("key.record"), record);
    CommandRun damaged = store.run("info");
    assertThat(damaged.messages()).contains("record 'key'", "is corrupt; restore it");
    assertThat(damaged.exitCode()).isEqualTo(ExitCodes.DATA);
    Files.delete(vaultFile("key.record"));
    assertThat(store.run("verify").messages())
        .contains("record 'key' of " + store.uri(), "missing");
    assertThat(CommandRun.of("info", store.uri()).text()).contains("or its record is missing");
  }

  @Test
  void rekeyChangesEveryBucketAndNoData() throws IOException {
    byte[] before = Files.readAllBytes(store.directory().resolve("segment-000000"));
    byte[] record = Files.readAllBytes(vaultFile("key.record"));
    CommandRun rekeyed = store.run("rekey");
    assertThat(rekeyed.messages()).contains("has a new master key");
    assertThat(rekeyed.exitCode()).isZero();
    assertThat(Files.readAllBytes(store.directory().resolve("segment-000000")))
        .isNotEqualTo(before);
    assertThat(store.run("verify").exitCode()).isZero();
    assertThat(store.read(500, data.length)).isEqualTo(data);
    // The old wrapped key opens with the same file, but is of no use any more.
    Files.write(vaultFile("key.record"), record);
    assertThat(store.run("info").messages()).contains("key does not belong to store");
  }

  private void breakRekeyOff() throws IOException {
    breakRekeyOff(store, OpenOptions.defaults());
  }

  private static void breakRekeyOff(TestStore broken, OpenOptions options) throws IOException {
    try (OpenedStore opened = broken.open();
        MasterKey secret = KeyFile.read(broken.keyFile());
        MasterKey next = MasterKey.generate()) {
      WrappedKey wrapped = WrappedKey.load(opened.vault()).orElseThrow();
      try (WrappedKey.Keys held = wrapped.unwrap(secret)) {
        wrapped.replaceKeys(new WrappedKey.Keys(held.current(), next), secret).save(opened.vault());
        assertThatThrownBy(
                () ->
                    Orams.rekey(
                        opened.store(),
                        opened.vault(),
                        held.current(),
                        next,
                        options,
                        bytes -> {
                          throw new IllegalStateException("crash");
                        }))
            .hasMessage("crash");
      }
    }
  }

  @Test
  void rekeyGoesOnWhereItWasBrokenOff() throws IOException {
    breakRekeyOff();
    CommandRun read = store.run("verify");
    assertThat(read.messages()).contains("was broken off; finish it with: roram rekey");
    assertThat(read.exitCode()).isEqualTo(ExitCodes.FAILURE);
    assertThat(store.run("rekey").messages()).contains("Going on", "has a new master key");
    assertThat(store.run("verify").exitCode()).isZero();
    assertThat(store.read(500, data.length)).isEqualTo(data);
  }

  @Test
  void rekeyOfAGuardedStoreGoesOnWhereItWasBrokenOff() throws IOException {
    Path guard = directory.resolve("guard");
    String[] guarded = {"--rollback-guard", guard.toString()};
    TestStore other = createStore(Files.createDirectory(directory.resolve("other")), guarded);
    assertThat(other.write(data, 500, guarded).exitCode()).isZero();
    breakRekeyOff(other, OpenOptions.defaults().withRollbackGuard(FileRollbackGuard.open(guard)));
    assertThat(other.run("rekey", guarded).messages()).contains("Going on", "has a new master key");
    assertThat(other.run("verify", guarded).exitCode()).isZero();
    assertThat(other.read(500, data.length, guarded)).isEqualTo(data);
  }

  @Test
  void rekeyMendsTheSuperblockThatAPowerFailureTore() throws IOException {
    breakRekeyOff();
    Path segment = store.directory().resolve("segment-000000");
    byte[] content = Files.readAllBytes(segment);
    content[4095] ^= 1;
    Files.write(segment, content);
    assertThat(store.run("rekey").messages()).contains("Going on", "has a new master key");
    assertThat(store.run("verify").exitCode()).isZero();
    content = Files.readAllBytes(segment);
    content[4095] ^= 1;
    Files.write(segment, content);
    assertThat(store.run("verify").messages()).contains("superblock", "corrupt");
  }

  @Test
  void rekeyThatHadNotBegunHindersNothing() throws IOException {
    try (OpenedStore opened = store.open();
        MasterKey secret = KeyFile.read(store.keyFile());
        MasterKey next = MasterKey.generate()) {
      WrappedKey wrapped = WrappedKey.load(opened.vault()).orElseThrow();
      try (WrappedKey.Keys held = wrapped.unwrap(secret)) {
        wrapped.replaceKeys(new WrappedKey.Keys(held.current(), next), secret).save(opened.vault());
      }
    }
    assertThat(store.write(data, 700).exitCode()).isZero();
    assertThat(store.run("rekey").messages()).contains("has a new master key");
    assertThat(store.read(700, data.length)).isEqualTo(data);
  }

  @Test
  void rekeyThatOnlyLacksItsLastStepIsFinished() throws IOException {
    byte[] both;
    try (OpenedStore opened = store.open();
        MasterKey secret = KeyFile.read(store.keyFile());
        MasterKey next = MasterKey.generate()) {
      WrappedKey wrapped = WrappedKey.load(opened.vault()).orElseThrow();
      try (WrappedKey.Keys held = wrapped.unwrap(secret)) {
        wrapped.replaceKeys(new WrappedKey.Keys(held.current(), next), secret).save(opened.vault());
        both = Files.readAllBytes(vaultFile("key.record"));
        Orams.rekey(opened.store(), opened.vault(), held.current(), next, bytes -> {});
      }
    }
    assertThat(store.run("info").messages()).contains("finish it with: roram rekey");
    assertThat(store.run("rekey").exitCode()).isZero();
    assertThat(Files.size(vaultFile("key.record"))).isEqualTo(both.length - MasterKey.BYTES);
    assertThat(store.read(500, data.length)).isEqualTo(data);
  }

  @Test
  void rekeyChangesATaoram() throws IOException {
    TestStore tao =
        TestStore.create(Files.createDirectory(directory.resolve("other")), "--scheme", "tao");
    assertThat(tao.write(data, 500).exitCode()).isZero();
    assertThat(tao.run("rekey").messages()).contains("has a new master key");
    assertThat(tao.run("verify").exitCode()).isZero();
    assertThat(tao.read(500, data.length)).isEqualTo(data);
  }

  @Test
  void rekeyRefusesADamagedStoreAndClassicPathOram() throws IOException {
    Path segment = store.directory().resolve("segment-000000");
    byte[] content = Files.readAllBytes(segment);
    Arrays.fill(content, 5000, content.length, (byte) 1);
    Files.write(segment, content);
    byte[] record = Files.readAllBytes(vaultFile("key.record"));
    CommandRun refused = store.run("rekey");
    assertThat(refused.exitCode()).isEqualTo(ExitCodes.DATA);
    assertThat(refused.messages()).contains("is damaged; nothing was changed");
    assertThat(Files.readAllBytes(vaultFile("key.record"))).isEqualTo(record);
    Path other = Files.createDirectory(directory.resolve("other"));
    TestStore path = TestStore.create(other, "--scheme", "path");
    assertThat(path.run("rekey").messages()).contains("export the data");
  }
}
