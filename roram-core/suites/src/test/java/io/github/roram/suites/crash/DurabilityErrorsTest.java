package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.UncleanShutdownException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.store.StoreLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What can go wrong with the files of a client between a crash and the next opening: an error that
 * names it and the remedy, nothing changed, and all is there once the remedy was applied.
 */
final class DurabilityErrorsTest {

  private static final OramConfig CONFIG =
      OramConfig.builder(200).blockBytes(512).maxRangeBlocks(8).build();

  /** Of a journal, and of a record besides its plaintext: docs/file-formats.md. */
  private static final int HEADER_BYTES = 80;

  private static final int SEALING_BYTES = 52;

  @TempDir Path directory;
  private final MasterKey key = MasterKey.generate();
  private final byte[] content = new byte[8 * 512];
  private Path vault = Path.of("");
  private Path journal = Path.of("");

  private String uri(String name) {
    return "file:" + directory.resolve(name);
  }

  @BeforeEach
  void crashAfterAWrite() throws IOException {
    vault = directory.resolve("store").resolve("vault");
    journal = vault.resolve("journal-0.log");
    new Random(1).nextBytes(content);
    create("store");
  }

  @AfterEach
  void closeKey() {
    key.close();
  }

  private void create(String name) throws IOException {
    long bytes = Orams.storeBytes(CONFIG);
    try (OpenedStore opened = Stores.create(uri(name), bytes, StoreOptions.defaults())) {
      Oram oram = Orams.create(opened.store(), opened.vault(), CONFIG, key);
      for (int i = 0; i < 5; i++) {
        oram.write(8L * i, ByteBuffer.wrap(content));
      }
    }
  }

  private void assertRecovered() throws IOException {
    for (int i = 0; i < 2; i++) {
      try (OpenedStore opened = Stores.open(uri("store"), StoreOptions.defaults());
          Oram oram = Orams.open(opened.store(), opened.vault(), key)) {
        for (int write = 0; write < 5; write++) {
          assertThat(oram.read(8L * write, 8)).isEqualTo(ByteBuffer.wrap(content));
        }
      }
    }
  }

  private void assertRefused(Class<? extends Exception> type, String... message) {
    assertThatThrownBy(
            () -> {
              try (OpenedStore opened = Stores.open(uri("store"), StoreOptions.defaults())) {
                Orams.open(opened.store(), opened.vault(), key);
              }
            })
        .isInstanceOf(type)
        .hasMessageContainingAll(message);
  }

  @Test
  void nothingIsWrong() throws IOException {
    assertRecovered();
    assertThat(journal).doesNotExist();
  }

  @Test
  void theJournalIsDeleted() throws IOException {
    byte[] whole = Files.readAllBytes(journal);
    Files.delete(journal);
    assertRefused(
        UncleanShutdownException.class, "journal 0", "is missing", "restore it from a copy");
    assertThat(journal).doesNotExist();
    Files.write(journal, whole);
    assertRecovered();
  }

  /** Where the last record ends: what follows is room that was made for more. */
  private static int end(byte[] log) {
    int end = HEADER_BYTES;
    while (log.length - end >= SEALING_BYTES && log[end] == 'j') {
      end += SEALING_BYTES + ByteBuffer.wrap(log).getInt(end + 4);
    }
    return end;
  }

  @Test
  void theJournalIsDamagedInItsMiddle() throws IOException {
    byte[] whole = Files.readAllBytes(journal);
    for (int at : new int[] {3, 40, 70, 100, end(whole) / 2}) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 16;
      Files.write(journal, damaged);
      assertRefused(IntegrityException.class, "journal 0", "restore it from a copy");
      assertThat(journal).hasBinaryContent(damaged);
    }
    Files.write(journal, whole);
    assertRecovered();
  }

  @Test
  void theJournalIsTornAtItsEnd() throws IOException {
    byte[] whole = Files.readAllBytes(journal);
    byte[] torn = Arrays.copyOf(whole, end(whole) + 300);
    Arrays.fill(torn, end(whole), torn.length, (byte) 7);
    Files.write(journal, torn);
    assertRecovered();
  }

  @Test
  void theJournalIsOfAnotherStore() throws IOException {
    byte[] whole = Files.readAllBytes(journal);
    create("other");
    Path other = directory.resolve("other").resolve("vault").resolve("journal-0.log");
    Files.write(journal, Files.readAllBytes(other));
    assertRefused(IntegrityException.class, "journal 0", "of another store");
    Files.write(journal, whole);
    assertRecovered();
  }

  @Test
  void theCheckpointIsCorrupt() throws IOException {
    Path state = vault.resolve("state.record");
    byte[] whole = Files.readAllBytes(state);
    byte[] damaged = whole.clone();
    damaged[whole.length / 2] ^= 1;
    Files.write(state, damaged);
    assertRefused(IntegrityException.class, "'state'", "restore it from a");
    Files.delete(state);
    assertRefused(UncleanShutdownException.class, "'state'", "is missing");
    Files.write(state, whole);
    assertRecovered();
  }

  @Test
  void anotherClientHasTheStore() throws IOException {
    try (OpenedStore first = Stores.open(uri("store"), StoreOptions.defaults())) {
      assertThat(first.store().capacityBytes()).isPositive();
      assertRefused(StoreLockedException.class, directory.resolve("store").toString());
    }
    assertRecovered();
  }

  /** Opening changes nothing, so it is the first access that fails. */
  @Test
  void theVaultIsReadOnly() throws IOException {
    Assumptions.assumeFalse("root".equals(System.getProperty("user.name")), "root may do all");
    Files.setPosixFilePermissions(vault, PosixFilePermissions.fromString("r-x------"));
    try (OpenedStore opened = Stores.open(uri("store"), StoreOptions.defaults());
        Oram oram = Orams.open(opened.store(), opened.vault(), key)) {
      assertThatThrownBy(() -> oram.read(0, 1))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining(vault.toString());
    } finally {
      Files.setPosixFilePermissions(vault, PosixFilePermissions.fromString("rwx------"));
    }
    assertRecovered();
  }

  @Test
  void theJournalMayNotBeRead() throws IOException {
    Assumptions.assumeFalse("root".equals(System.getProperty("user.name")), "root may do all");
    Files.setPosixFilePermissions(journal, PosixFilePermissions.fromString("---------"));
    assertRefused(IOException.class, "journal-0.log", "Permission denied");
    Files.setPosixFilePermissions(journal, PosixFilePermissions.fromString("rw-------"));
    assertRecovered();
  }
}
