package io.github.roram.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link ClientVault}: extend it for each implementation, and {@link
 * AppendLogContract} for its logs:
 *
 * <pre>{@code
 * final class MyVaultTest extends ClientVaultContract {
 *   @TempDir Path directory;
 *
 *   @Override
 *   protected ClientVault open() throws IOException {
 *     return MyVault.open(directory);
 *   }
 * }
 * }</pre>
 *
 * <p>It cannot test that a save survives a power failure: test that where the vault syncs.
 */
public abstract class ClientVaultContract {

  private static final String[] FOREIGN_NAMES = {"", "../a", "A", "a.b", "a/b"};

  /**
   * Opens the vault under test: in each test first a new one, then the same one with its content. A
   * vault without a medium returns the same object.
   */
  protected abstract ClientVault open() throws IOException;

  /** Returns whether invalid names are refused. A vault without a medium need not refuse them. */
  protected boolean refusesForeignNames() {
    return true;
  }

  private static byte[] load(ClientVault vault, String name) throws IOException {
    try (InputStream in = vault.load(name).orElseThrow()) {
      return in.readAllBytes();
    }
  }

  @Test
  void keepsTheLastSaveOfEveryName() throws IOException {
    byte[] large = Batches.noise(1_000_000, 1);
    ClientVault vault = open();
    assertThat(vault.load("a-b")).isEmpty();
    vault.save("a-b", out -> out.write(1));
    vault.save("a-b", out -> out.write(large));
    vault.save("b", out -> {});
    for (ClientVault opened : new ClientVault[] {vault, open()}) {
      assertThat(opened.names()).containsExactlyInAnyOrder("a-b", "b");
      assertThat(load(opened, "a-b")).isEqualTo(large);
      assertThat(load(opened, "b")).isEmpty();
      assertThat(opened.load("c")).isEmpty();
    }
  }

  @Test
  void aRecordIsReplacedAsAWhole() throws IOException {
    ClientVault vault = open();
    vault.save("a", out -> out.write(Batches.noise(100_000, 2)));
    vault.save("a", out -> out.write(new byte[] {1, 2}));
    assertThat(load(vault, "a")).containsExactly(1, 2);
    assertThat(load(open(), "a")).containsExactly(1, 2);
  }

  @Test
  void aFailedSaveLeavesTheOldRecord() throws IOException {
    ClientVault vault = open();
    vault.save("a", out -> out.write(1));
    for (Exception failure : new Exception[] {new IOException("x"), new ArithmeticException()}) {
      for (String name : new String[] {"a", "never-saved"}) {
        assertThatThrownBy(() -> failingSave(vault, name, failure)).isSameAs(failure);
      }
      assertThat(load(vault, "a")).containsExactly(1);
      assertThat(load(open(), "a")).containsExactly(1);
      assertThat(open().load("never-saved")).isEmpty();
    }
    vault.save("a", out -> out.write(2));
    assertThat(load(vault, "a")).containsExactly(2);
  }

  private static void failingSave(ClientVault vault, String name, Exception failure)
      throws IOException {
    vault.save(
        name,
        out -> {
          out.write(new byte[100_000]);
          if (failure instanceof IOException io) {
            throw io;
          }
          throw (RuntimeException) failure;
        });
  }

  @Test
  void anInterruptedCallerSavesAndStaysInterrupted() throws IOException {
    ClientVault vault = open();
    Thread.currentThread().interrupt();
    try {
      vault.save("a", out -> out.write(1));
      assertThat(load(vault, "a")).containsExactly(1);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void recordsOfDifferentNamesAreSavedAtTheSameTime() throws Exception {
    ClientVault vault = open();
    ExecutorService executor = Executors.newFixedThreadPool(2);
    try {
      Future<?> other = executor.submit(() -> saveOften(vault, "a"));
      saveOften(vault, "b");
      other.get();
    } finally {
      executor.shutdownNow();
    }
    assertThat(load(vault, "a")).isEqualTo(Batches.noise(20_000, 19));
    assertThat(load(vault, "b")).isEqualTo(Batches.noise(20_000, 19));
  }

  private static Void saveOften(ClientVault vault, String name) throws IOException {
    for (int i = 0; i < 20; i++) {
      byte[] content = Batches.noise(20_000, i);
      vault.save(name, out -> out.write(content));
      assertThat(load(vault, name)).isEqualTo(content);
    }
    return null;
  }

  @Test
  void logsAndRecordsHaveNamesOfTheirOwn() throws IOException {
    ClientVault vault = open();
    vault.save("a", out -> out.write(1));
    assertThat(vault.logs()).isEmpty();
    append(vault, "a", 2);
    append(vault, "b", 3);
    assertThat(load(vault, "a")).containsExactly(1);
    vault.save("a", out -> out.write(4));

    ClientVault again = open();
    assertThat(again.logs()).containsExactlyInAnyOrder("a", "b");
    assertThat(again.load("b")).isEmpty();
    append(again, "a", 5);
    again.deleteLog("b");
    again.deleteLog("b");
    assertThat(again.logs()).containsExactly("a");
    try (AppendLog log = open().openLog("a");
        InputStream in = log.read()) {
      assertThat(in.readAllBytes()).containsExactly(2, 5);
    }
    again.deleteLog("a");
    assertThat(open().logs()).isEmpty();
    assertThat(load(open(), "a")).containsExactly(4);
  }

  private static void append(ClientVault vault, String name, int value) throws IOException {
    try (AppendLog log = vault.openLog(name)) {
      log.append(ByteBuffer.wrap(new byte[] {(byte) value}));
      log.sync();
    }
  }

  @Test
  void namesThatCouldLeaveTheVaultAreRefused() throws IOException {
    if (!refusesForeignNames()) {
      return;
    }
    ClientVault vault = open();
    for (String name : FOREIGN_NAMES) {
      assertThatThrownBy(() -> vault.save(name, out -> {}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("\"" + name + "\"");
      assertThatThrownBy(() -> vault.load(name)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> vault.openLog(name)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
