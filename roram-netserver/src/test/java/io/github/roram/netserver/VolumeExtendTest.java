package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.AccessPolicy.Action;
import io.github.roram.netserver.FaultProxy.Direction;
import io.github.roram.netserver.ServerLimits.VolumeLimits;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A volume that its client makes larger, as an ORAM does that grows. */
@Timeout(60)
final class VolumeExtendTest extends ServerTest {

  private static final long LARGER_BYTES = CAPACITY_BYTES + 3_000_017;
  private static final long LAST_UNIT = LARGER_BYTES - UNIT_BYTES;

  private static final Optional<ClientIdentity> ALICE = Optional.of(new ClientIdentity("alice"));

  private void restartWith(long maxVolumeBytes, long maxBytes, AccessPolicy access)
      throws IOException {
    ServerLimits limits = limits(new VolumeLimits(maxVolumeBytes, maxBytes, 10));
    restart(config -> config.withLimits(limits).withAccess(credentials -> ALICE, access));
  }

  @Test
  void itIsAsLargeForCallersWhoWaitForThoseWhoDoNotAndAfterRestarts() throws Exception {
    byte[] content = Batches.noise(UNIT_BYTES, 1);
    try (RemoteStore store = open(OPTIONS);
        AsyncBlockStore async = store.async(2)) {
      assertThat(store.extend(LARGER_BYTES)).isTrue();
      Batches.write(store, units(LAST_UNIT, 1), content);
      assertThat(async.capacityBytes()).isEqualTo(LARGER_BYTES);
      async.write(units(LAST_UNIT - UNIT_BYTES, 1), (unit, to) -> to.put(content)).get();
      restart();
      assertThat(Batches.read(store, units(LAST_UNIT, 1))).isEqualTo(content);
      assertThat(store.capacityBytes()).isEqualTo(LARGER_BYTES);
    }
    assertThat(RemoteVolumes.list(address(), OPTIONS).get(0).capacityBytes())
        .isEqualTo(LARGER_BYTES);
    try (RemoteStore again = open(OPTIONS)) {
      assertThat(again.capacityBytes()).isEqualTo(LARGER_BYTES);
      assertThat(Batches.read(again, units(LAST_UNIT - UNIT_BYTES, 1))).isEqualTo(content);
    }
  }

  /** The request reaches the server or not, and so does the answer: it is done once. */
  @Test
  void aRequestThatIsCutOffAnywhereIsRepeated() throws IOException {
    try (FaultProxy proxy = new FaultProxy(server().address())) {
      RemoteAddress way = new RemoteAddress(false, "127.0.0.1", proxy.port(), "volume");
      try (RemoteStore store = RemoteStore.open(way, OPTIONS, LeaseKeeper.NONE)) {
        long bytes = CAPACITY_BYTES;
        for (Direction direction : Direction.values()) {
          for (int passed : new int[] {0, 5, 27}) {
            bytes += 1000;
            proxy.cutAfter(direction, passed);
            assertThat(store.extend(bytes)).isTrue();
            assertThat(store.capacityBytes()).isEqualTo(bytes);
            Batches.write(store, units(bytes - UNIT_BYTES, 1), Batches.noise(UNIT_BYTES, 2));
          }
        }
        assertThat(store.counts().connections()).isEqualTo(7);
      }
    }
    try (RemoteStore store = open(OPTIONS)) {
      assertThat(store.capacityBytes()).isEqualTo(CAPACITY_BYTES + 6000);
    }
  }

  @Test
  void limitsHoldAsForANewVolumeAndWhatIsRefusedChangesNothing() throws IOException {
    long most = LARGER_BYTES + 10;
    restartWith(most, most + 5, AccessPolicy.everything());
    RemoteAddress first = new RemoteAddress(false, "127.0.0.1", address().port(), "first");
    RemoteVolumes.create(first, CAPACITY_BYTES, OPTIONS);
    try (RemoteStore store = RemoteStore.open(first, OPTIONS, LeaseKeeper.NONE)) {
      assertThatThrownBy(() -> store.extend(most + 1))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("allowed are 1 to " + most);
      assertThat(store.extend(LARGER_BYTES)).isTrue();
      assertThat(store.extend(LARGER_BYTES)).isTrue();
    }
    RemoteAddress other = new RemoteAddress(false, "127.0.0.1", address().port(), "other");
    RemoteVolumes.create(other, 10, OPTIONS);
    restartWith(most, most + 5, AccessPolicy.everything());
    try (RemoteStore store = RemoteStore.open(other, OPTIONS, LeaseKeeper.NONE)) {
      assertThatThrownBy(() -> store.extend(16))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("the volumes of alice have " + (LARGER_BYTES + 10) + " bytes");
      assertThat(store.capacityBytes()).isEqualTo(10);
      assertThat(store.extend(15)).isTrue();
    }
    RemoteVolumes.delete(first, OPTIONS);
    RemoteVolumes.create(first, most + 5 - 15, OPTIONS);
  }

  @Test
  void whoMayNotCreateAVolumeMayNotMakeItLarger() throws IOException {
    restartWith(LARGER_BYTES, LARGER_BYTES, (client, volume, action) -> action == Action.USE);
    try (RemoteStore store = open(OPTIONS)) {
      assertThatThrownBy(() -> store.extend(LARGER_BYTES))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("operator");
      assertThat(store.capacityBytes()).isEqualTo(CAPACITY_BYTES);
    }
  }
}
