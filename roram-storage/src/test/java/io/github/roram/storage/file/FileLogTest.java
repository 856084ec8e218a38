package io.github.roram.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.StoreFullException;
import io.github.roram.testkit.AppendLogContract;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileLogTest extends AppendLogContract {

  @TempDir Path directory;

  /** Opened again for every call. */
  @Override
  protected ClientVault vault() throws IOException {
    return FileVault.open(directory);
  }

  @Test
  void isTheOwnersOnly() throws IOException {
    vault().openLog("a").close();
    assertThat(Files.getPosixFilePermissions(directory.resolve("a.log")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void anInterruptDoesNotCloseIt() throws IOException {
    try (AppendLog log = vault().openLog("a")) {
      Thread.currentThread().interrupt();
      log.append(ByteBuffer.allocate(5));
      log.sync();
      assertThat(Thread.interrupted()).isTrue();
      log.append(ByteBuffer.allocate(5));
      assertThat(log.bytes()).isEqualTo(10);
    }
  }

  @Test
  void aFullVolumeIsNamedWithTheRemedy() throws IOException {
    Path full = Path.of("/dev/full");
    Assumptions.assumeTrue(Files.exists(full));
    Files.createSymbolicLink(directory.resolve("a.log"), full);
    try (AppendLog log = vault().openLog("a")) {
      assertThatThrownBy(() -> log.append(ByteBuffer.allocate(5)))
          .isInstanceOf(StoreFullException.class)
          .hasMessageContainingAll("no room left", "a.log", "free some there");
    }
  }

  /** A kill leaves the room: what was appended is at the start, and the rest is zeros. */
  @Test
  void hasRoomAheadWhileItIsSyncedOften() throws IOException {
    byte[] noise = Batches.noise(3 * FileLog.ROOM_BYTES, 1);
    Path file = directory.resolve("a.log");
    try (AppendLog log = vault().openLog("a")) {
      log.sync();
      for (int at = 0; at < noise.length; at += 4096) {
        log.append(ByteBuffer.wrap(noise, at, 4096));
        log.sync();
        byte[] there = Files.readAllBytes(file);
        int length = at + 4096;
        assertThat(there.length).isBetween(length, length + FileLog.ROOM_BYTES);
        assertThat(there).isEqualTo(Arrays.copyOf(Arrays.copyOf(noise, length), there.length));
        assertThat(log.bytes()).isEqualTo(length);
      }
      try (InputStream in = log.read()) {
        assertThat(in.readAllBytes()).isEqualTo(noise);
      }
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(noise);
  }

  @Test
  void hasNoRoomWhereItIsSyncedSeldomOrNever() throws IOException {
    Path file = directory.resolve("a.log");
    try (AppendLog log = vault().openLog("a")) {
      for (int i = 0; i < 4; i++) {
        log.append(ByteBuffer.allocate(FileLog.ROOM_BYTES));
        assertThat(Files.size(file)).isEqualTo(log.bytes());
        log.sync();
      }
    }
  }

  @Test
  void cuttingTakesTheRoom() throws IOException {
    Path file = directory.resolve("a.log");
    try (AppendLog log = vault().openLog("a")) {
      log.sync();
      log.append(ByteBuffer.allocate(100));
      assertThat(Files.size(file)).isGreaterThan(100);
      log.truncate(50);
      assertThat(Files.size(file)).isEqualTo(50);
      log.append(ByteBuffer.wrap(new byte[] {1}));
      assertThat(log.bytes()).isEqualTo(51);
    }
    assertThat(Files.size(file)).isEqualTo(51);
  }

  @Test
  void isClosedForGood() throws IOException {
    AppendLog log = vault().openLog("a");
    log.close();
    log.close();
    assertThatThrownBy(() -> log.append(ByteBuffer.allocate(1)))
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(log::sync).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(log::bytes).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(log::read).isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void refusesOtherNames() throws IOException {
    ClientVault vault = vault();
    for (String name : new String[] {"", "A", "../a", "a.b", "a/b"}) {
      assertThatThrownBy(() -> vault.openLog(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("\"" + name + "\"");
    }
  }
}
