package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.storage.remote.StoreUnreachableException;
import io.github.roram.store.BlockStore;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.StoreFullException;
import io.github.roram.testkit.Batches;
import io.github.roram.testkit.FaultyStore;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Servers whose disks fail. */
final class FaultyServerTest extends ServerTest {

  private final List<FaultyStore> disks = new ArrayList<>();

  @Override
  ServerConfig config(int port) throws IOException {
    ServerConfig plain = super.config(port);
    VolumeBacking faulty =
        new DecoratedBacking(
            plain.backing(),
            store -> {
              FaultyStore disk = new FaultyStore(store);
              disks.add(disk);
              return disk;
            });
    return ServerConfig.loopback(port, faulty);
  }

  private FaultyStore disk() {
    return disks.get(disks.size() - 1);
  }

  /** The medium drops what it could not write, and says so only once. */
  @Test
  void aSyncThatFailsOnTheServerIsDoneAgainWithTheWritesBeforeIt() throws IOException {
    byte[] content = Batches.noise(20 * UNIT_BYTES, 1);
    byte[] zeros = new byte[20 * UNIT_BYTES];
    try (RemoteStore store = open(OPTIONS)) {
      Batches.write(store, units(0, 20), content);
      disk().restore(0, zeros);
      disk().failNthSync(1);
      store.sync();
      assertThat(disks).hasSize(2);
      assertThat(Batches.read(store, units(0, 20))).isEqualTo(content);
      Batches.write(store, units(0, 20), zeros);
      disk().failNthSync(1);
      store.sync();
      assertThat(store.counts().connections()).isEqualTo(3);
    }
  }

  /** Not that it cannot be reached, or that another has the volume. */
  @Test
  void aSyncThatFailsAgainAndAgainIsToldAsWhatItIs() throws IOException {
    restart(
        config ->
            ServerConfig.loopback(
                config.listen().getPort(),
                new DecoratedBacking(
                    config.backing(),
                    store ->
                        new FilterBlockStore(store) {
                          @Override
                          public void sync() throws IOException {
                            throw new IOException("injected: sync");
                          }
                        })));
    Duration limit = Duration.ofSeconds(5);
    RemoteOptions brief = OPTIONS.withTimeouts(limit, limit, Duration.ofMillis(300), limit);
    try (RemoteStore store = open(brief)) {
      assertThatThrownBy(store::sync)
          .isInstanceOf(StoreUnreachableException.class)
          .hasMessageContainingAll("volume volume could not be synced", "the server's log")
          .hasMessageNotContaining("injected");
    }
  }

  @Test
  void aFullDiskIsToldAndOnceThereIsRoomTheCallWorks() throws IOException {
    byte[] content = Batches.noise(50 * UNIT_BYTES, 1);
    try (RemoteStore store = open(OPTIONS)) {
      disk().fullAfter(10 * UNIT_BYTES);
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> Batches.write(store, units(0, 50), content))
            .isInstanceOf(StoreFullException.class)
            .hasMessageContaining("127.0.0.1");
      }
      disk().addRoom();
      Batches.write(store, units(0, 50), content);
      store.sync();
      assertThat(Batches.read(store, units(0, 50))).isEqualTo(content);
      assertThat(store.counts().connections()).isEqualTo(1);
    }
  }

  /** It is closed, whatever the server says to that. */
  @Test
  void aStoreIsClosedThoughTheServerRefusesTheLease() throws IOException {
    restart(
        config ->
            ServerConfig.loopback(
                config.listen().getPort(),
                new DecoratedBacking(
                    config.backing(),
                    store ->
                        new FilterBlockStore(store) {
                          @Override
                          public void keepWatermark(byte[] watermark, boolean durably) {
                            throw new ConfigurationException("injected: the server's own");
                          }
                        })));
    RemoteStore store = open(OPTIONS);
    store.keepWatermark(Batches.noise(BlockStore.WATERMARK_BYTES, 1), true);
    store.close();
    assertThatThrownBy(store::sync).isInstanceOf(ClosedChannelException.class);
  }

  /** Else it would be neither there nor gone. */
  @Test
  void aVolumeWhoseStoreDoesNotCloseIsDeletedAllTheSame() throws IOException {
    restart(
        config ->
            ServerConfig.loopback(
                config.listen().getPort(),
                new DecoratedBacking(
                    config.backing(),
                    store ->
                        new FilterBlockStore(store) {
                          @Override
                          public void close() throws IOException {
                            super.close();
                            throw new IOException("injected: close");
                          }
                        })));
    RemoteVolumes.delete(address(), OPTIONS);
    assertThat(RemoteVolumes.exists(address(), OPTIONS)).isFalse();
    assertThat(RemoteVolumes.list(address(), OPTIONS)).isEmpty();
    RemoteVolumes.create(address(), CAPACITY_BYTES, OPTIONS);
  }

  @Test
  void anOramGoesOnWhenTheServersDiskHasRoomAgain() throws IOException {
    ScriptedClient.Template template = new ScriptedClient.Template();
    RemoteAddress place = new RemoteAddress(false, "127.0.0.1", address().port(), "oram");
    RemoteVolumes.create(place, ScriptedClient.STORE_BYTES, OPTIONS);
    template.fill(disk());
    ScriptedClient client = template.newClient(RemoteOptions.defaults());
    try (RemoteStore store = RemoteStore.open(place, OPTIONS, LeaseKeeper.NONE);
        Oram oram = client.open(store)) {
      client.access(oram, 6);
      int refused = 0;
      for (int i = 0; i < 8; i++) {
        disk().fullAfter(3000L * i);
        try {
          client.access(oram, 3);
        } catch (StoreFullException e) {
          refused++;
        }
        disk().addRoom();
        client.settle(oram);
      }
      client.checkAll(oram);
      assertThat(refused).isPositive();
    }
  }
}
