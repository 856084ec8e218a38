package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.ServerLimits.VolumeLimits;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an identity may have of a server, over all of its volumes and over restarts. */
@Timeout(60)
final class IdentityLimitsTest extends ServerTest {

  private static final int MAX_BYTES = 1_000_000;
  private static final int MAX_VOLUMES = 3;

  /** Whose token is a name has it; the volume of the other tests is nobody's. */
  @Override
  ServerConfig config(int port) throws IOException {
    return super.config(port)
        .withAccess(
            credentials ->
                Optional.of(
                    credentials.token().length == 0
                        ? ClientIdentity.ANONYMOUS
                        : new ClientIdentity(
                            new String(credentials.token(), StandardCharsets.US_ASCII))),
            AccessPolicy.everything());
  }

  private void restartWithLimits() throws IOException {
    restart(
        config -> config.withLimits(limits(new VolumeLimits(MAX_BYTES, MAX_BYTES, MAX_VOLUMES))));
  }

  private RemoteAddress address(String name) {
    return new RemoteAddress(false, "127.0.0.1", address().port(), name);
  }

  private RemoteOptions as(String identity) throws IOException {
    Path token = directory.resolve(identity + ".token");
    return OPTIONS.withTokenFile(Files.writeString(token, identity));
  }

  private void assertRefused(String who, String name, long bytes, String... message)
      throws IOException {
    RemoteOptions options = as(who);
    assertThatThrownBy(() -> RemoteVolumes.create(address(name), bytes, options))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(message);
  }

  @Test
  void aVolumeIsBoundedWithoutAnySetting() throws IOException {
    assertRefused("alice", "huge", 1L << 50, "allowed are 1 to 1099511627776");
  }

  @Test
  void allVolumesOfAnIdentityAreBoundedTogether() throws IOException {
    restartWithLimits();
    RemoteVolumes.create(address("a"), 600_000, as("alice"));
    assertRefused("alice", "b", 400_001, "the volumes of alice have 600000 bytes", "1000000");
    RemoteVolumes.create(address("b"), 400_000, as("alice"));
    assertRefused("alice", "c", 1, "the volumes of alice have 1000000 bytes");
    RemoteVolumes.create(address("c"), 1_000_000, as("bob"));
    restartWithLimits();
    assertRefused("alice", "d", 1, "the volumes of alice have 1000000 bytes");
    RemoteVolumes.delete(address("a"), as("bob")); // who deletes does not matter
    assertRefused("bob", "d", 1, "the volumes of bob have 1000000 bytes");
    RemoteVolumes.create(address("d"), 600_000, as("alice"));
  }

  @Test
  void tinyVolumesAreCounted() throws IOException {
    restartWithLimits();
    for (int i = 0; i < MAX_VOLUMES; i++) {
      RemoteVolumes.create(address("v" + i), 1, as("alice"));
    }
    assertRefused("alice", "v9", 1, "alice has 3 volumes, at most 3 are allowed", "operator");
    RemoteVolumes.create(address("v9"), 1, as("bob"));
    RemoteVolumes.delete(address("v0"), as("alice"));
    RemoteVolumes.create(address("v0"), 1, as("alice"));
  }

  /** A creation that was refused or failed takes nothing. */
  @Test
  void whatWasNotCreatedDoesNotCount() throws IOException {
    restartWithLimits();
    for (int i = 0; i < 2 * MAX_VOLUMES; i++) {
      Files.createDirectories(directory.resolve("volumes/left"));
      Files.writeString(directory.resolve("volumes/left/segment-000000"), "");
      RemoteOptions alice = as("alice");
      assertThatThrownBy(() -> RemoteVolumes.create(address("left"), MAX_BYTES, alice))
          .isInstanceOf(FileAlreadyExistsException.class);
    }
    RemoteVolumes.create(address("right"), MAX_BYTES, as("alice"));
  }

  /** What an operator mended without a restart is charged, else deleting it gave back too much. */
  @Test
  void aVolumeThatWasLeftOutCountsFromItsFirstUse() throws IOException {
    restartWithLimits();
    RemoteVolumes.create(address("a"), 600_000, as("alice"));
    Path vault = directory.resolve("volumes/a/vault");
    Path elsewhere = Files.move(vault, directory.resolve("elsewhere"));
    Files.createSymbolicLink(vault, elsewhere);
    restartWithLimits();
    Files.delete(vault);
    Files.move(elsewhere, vault);
    RemoteStore.open(address("a"), as("alice"), LeaseKeeper.NONE).close();
    assertRefused("alice", "b", 400_001, "the volumes of alice have 600000 bytes");
    RemoteVolumes.delete(address("a"), as("alice"));
    RemoteVolumes.create(address("b"), 1_000_000, as("alice"));
    assertRefused("alice", "c", 1, "the volumes of alice have 1000000 bytes");
  }
}
