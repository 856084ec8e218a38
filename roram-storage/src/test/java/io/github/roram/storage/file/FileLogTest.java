package io.github.roram.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.StoreFullException;
import io.github.roram.testkit.AppendLogContract;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
