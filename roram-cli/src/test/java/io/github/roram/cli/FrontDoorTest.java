package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.client.SecretFile;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library and the command open each other's stores. */
final class FrontDoorTest {

  @TempDir Path directory;

  private byte[] data;

  @BeforeEach
  void makeData() {
    data = new byte[20_000];
    new Random(1).nextBytes(data);
  }

  private TestStore store() {
    return new TestStore(directory.resolve("store"), directory.resolve("key"));
  }

  @Test
  void theLibraryOpensWhatTheCommandMade() throws IOException {
    TestStore store = TestStore.create(directory);
    assertThat(store.write(data, 1500).exitCode()).isZero();
    try (Oram oram = Roram.at(store.uri()).key(Key.file(store.keyFile())).open()) {
      assertThat(oram.readBytes(1500, data.length)).isEqualTo(data);
    }
    Path passphrase = directory.resolve("passphrase");
    SecretFile.create(passphrase, "correct horse".getBytes(StandardCharsets.UTF_8));
    assertThat(store.run("passwd", "--to-passphrase-file", passphrase.toString()).exitCode())
        .isZero();
    Key typed = Key.passphrase("correct horse".toCharArray());
    try (Oram oram = Roram.at(store.uri()).key(typed).open()) {
      assertThat(oram.readBytes(1500, data.length)).isEqualTo(data);
    }
  }

  @Test
  void theCommandOpensWhatTheLibraryMade() throws IOException {
    TestStore store = store();
    try (Oram oram =
        Roram.at(store.uri())
            .key(Key.newFile(store.keyFile()))
            .create(settings -> settings.blocks(300).blockBytes(1024).maxRangeBlocks(16))) {
      oram.writeBytes(1500, data);
    }
    assertThat(store.read(1500, data.length)).isEqualTo(data);
    assertThat(store.run("rekey").exitCode()).isZero();
    assertThat(store.run("verify").exitCode()).isZero();
    try (Oram oram = Roram.at(store.uri()).key(Key.file(store.keyFile())).open()) {
      assertThat(oram.readBytes(1500, data.length)).isEqualTo(data);
    }
  }

  /** The program's own key, in a file, unlocks it; from {@code passwd} on it is wrapped. */
  @Test
  void theCommandOpensWhatAProgramMadeWithItsOwnMasterKey() throws IOException {
    TestStore store = store();
    OramConfig config = OramConfig.builder(300).blockBytes(1024).maxRangeBlocks(16).build();
    byte[] secret = new byte[MasterKey.BYTES];
    try (MasterKey key = MasterKey.generate();
        OpenedStore opened =
            Stores.create(store.uri(), Orams.storeBytes(config), StoreOptions.defaults());
        Oram oram = Orams.create(opened.store(), opened.vault(), config, key)) {
      oram.writeBytes(1500, data);
      key.copyTo(secret);
    }
    SecretFile.create(store.keyFile(), secret);
    assertThat(store.read(1500, data.length)).isEqualTo(data);
    assertThat(CommandRun.of("info", store.uri()).text()).contains("the key of a program");
    Path second = directory.resolve("second");
    assertThat(store.run("passwd", "--to-key-file", second.toString(), "--new-key").exitCode())
        .isZero();
    Files.delete(store.keyFile());
    TestStore relocked = new TestStore(store.directory(), second);
    assertThat(relocked.read(1500, data.length)).isEqualTo(data);
  }
}
