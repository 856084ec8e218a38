package io.github.roram.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.file.FileLog.LogRoom;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.StoreFullException;
import io.github.roram.testkit.AppendLogContract;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    try (AppendLog log = FileLog.in(full, new RandomAccessFile(full.toFile(), "rw"))) {
      assertThatThrownBy(() -> log.append(ByteBuffer.allocate(5)))
          .isInstanceOf(StoreFullException.class)
          .hasMessageContainingAll("no room left", full.toString(), "free some there");
    }
  }

  /** The system's words, "Invalid argument", name none. */
  @Test
  void theFileOfAFailureIsNamed() throws IOException {
    Path device = Path.of("/dev/full");
    Path process = Path.of("/proc/self");
    Assumptions.assumeTrue(Files.exists(device) && Files.exists(process));
    try (AppendLog log = FileLog.in(device, new RandomAccessFile(device.toFile(), "rw"))) {
      assertThatThrownBy(log::sync).hasMessageContaining("syncing /dev/full failed");
    }
    assertThatThrownBy(() -> DurableFiles.syncDirectory(process))
        .hasMessageContaining("syncing /proc/self failed");
  }

  /** A kill leaves the room: what was appended is at the start, and the rest is zeros. */
  @Test
  void hasRoomAheadWhileItIsSyncedOften() throws IOException {
    byte[] noise = Batches.noise(3 * LogRoom.BYTES, 1);
    Path file = directory.resolve("a.log");
    try (AppendLog log = vault().openLog("a")) {
      log.sync();
      for (int at = 0; at < noise.length; at += 4096) {
        log.append(ByteBuffer.wrap(noise, at, 4096));
        log.sync();
        byte[] there = Files.readAllBytes(file);
        int length = at + 4096;
        assertThat(there.length).isBetween(length, length + LogRoom.BYTES);
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
        log.append(ByteBuffer.allocate(LogRoom.BYTES));
        assertThat(Files.size(file)).isEqualTo(log.bytes());
        log.sync();
      }
    }
  }

  /** What a kill leaves is what was appended, then zeros, whether the room is mapped or not. */
  @ParameterizedTest
  @ValueSource(ints = {0, 7, 900})
  void holdsWhatWasAppendedAtEachMoment(int syncEvery) throws IOException {
    Path file = directory.resolve("a.log");
    Random random = new Random(syncEvery);
    byte[] noise = Batches.noise(4 * LogRoom.BYTES, 2);
    int length = 0;
    try (AppendLog log = vault().openLog("a")) {
      for (int i = 1; length < noise.length - 20_000; i++) {
        int bytes = i % 500 == 0 ? 20_000 : 1 + random.nextInt(150);
        log.append(ByteBuffer.wrap(noise, length, bytes));
        length += bytes;
        assertThat(log.bytes()).isEqualTo(length);
        if (syncEvery > 0 && i % syncEvery == 0) {
          log.sync();
        }
        if (i % 1000 == 0) {
          length -= 50;
          log.truncate(length);
        }
        if (i % 250 == 0) {
          byte[] there = Files.readAllBytes(file);
          assertThat(there.length).isBetween(length, length + LogRoom.BYTES);
          assertThat(there).isEqualTo(Arrays.copyOf(Arrays.copyOf(noise, length), there.length));
        }
        if (i % 3000 == 0) {
          try (InputStream in = log.read()) {
            assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOf(noise, length));
          }
        }
      }
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(Arrays.copyOf(noise, length));
  }

  @Test
  void shortRecordsAreWrittenWithoutCalls() throws IOException {
    Assumptions.assumeTrue(System.getProperty("os.name").contains("Linux"));
    Path path = directory.resolve("a.log");
    Files.createFile(path);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      LogRoom room = new LogRoom(path, file);
      byte[] record = {1, 2, 3};
      file.write(record);
      assertThat(room.put(3, ByteBuffer.wrap(record))).isFalse();
      assertThat(room.make(3, 3, LogRoom.BYTES)).isTrue();
      assertThat(room.put(3, ByteBuffer.wrap(record))).isTrue();
      assertThat(room.put(LogRoom.BYTES + 1, ByteBuffer.wrap(record))).isFalse();
      assertThat(Files.readAllBytes(path)).startsWith(1, 2, 3, 1, 2, 3).hasSize(3 + LogRoom.BYTES);
      assertThat(room.make(6, 3, LogRoom.BYTES)).as("there is room").isFalse();
      room.unmap();
      assertThat(room.put(6, ByteBuffer.wrap(record))).isFalse();
      room.cut(6);
      assertThat(Files.readAllBytes(path)).containsExactly(1, 2, 3, 1, 2, 3);
      assertThat(room.put(6, ByteBuffer.wrap(record))).isFalse();
    }
  }

  /** A crash in the middle of making room would leave a log that begins with zeros. */
  @Test
  void hasNoRoomAroundWhatItBeginsWith() throws IOException {
    Path path = directory.resolve("a.log");
    try (AppendLog log = vault().openLog("a")) {
      log.sync();
      log.append(ByteBuffer.wrap(new byte[] {1, 2, 3}));
      assertThat(Files.readAllBytes(path)).containsExactly(1, 2, 3);
      log.append(ByteBuffer.wrap(new byte[] {4}));
      assertThat(Files.size(path)).isEqualTo(3 + LogRoom.BYTES);
    }
  }

  @Test
  void cuttingTakesTheRoom() throws IOException {
    Path file = directory.resolve("a.log");
    try (AppendLog log = vault().openLog("a")) {
      log.append(ByteBuffer.allocate(90));
      log.sync();
      log.append(ByteBuffer.allocate(10));
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
