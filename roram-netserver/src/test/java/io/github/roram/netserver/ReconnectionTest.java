package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.StoreUnreachableException;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Servers that go and come back. */
final class ReconnectionTest extends ServerTest {

  @Test
  void nothingIsLostWhenTheServerIsKilledAndStartedAgain() throws IOException {
    byte[] content = Batches.noise(200 * UNIT_BYTES, 1);
    try (RemoteStore store = open(OPTIONS)) {
      for (int round = 0; round < 5; round++) {
        Batches.write(store, units(round * 100L, 200), content);
        restart();
        assertThat(Batches.read(store, units(round * 100L, 200))).isEqualTo(content);
        restart();
        store.sync();
      }
      assertThat(store.counts().connections()).isEqualTo(11);
    }
  }

  @Test
  void theServerGoesDuringCallsAndTheyEndRight() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    try (RemoteStore store = open(OPTIONS)) {
      Thread restarts =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 6; i++) {
                    Thread.sleep(150);
                    restart();
                  }
                } catch (IOException | InterruptedException e) {
                  throw new IllegalStateException(e);
                } finally {
                  done.set(true);
                }
              });
      restarts.start();
      for (int round = 0; !done.get() || round < 20; round++) {
        byte[] content = Batches.noise(300 * UNIT_BYTES, round);
        Batches.write(store, units(round % 7, 300), content);
        assertThat(Batches.read(store, units(round % 7, 300))).isEqualTo(content);
        store.sync();
      }
      restarts.join();
    }
  }

  @Test
  void clientsThatWereDisconnectedComeBack() throws IOException {
    byte[] content = Batches.noise(UNIT_BYTES, 1);
    try (RemoteStore store = open(OPTIONS)) {
      Batches.write(store, units(0, 1), content);
      for (int time = 1; time <= 3; time++) {
        server().disconnectAll();
        assertThat(Batches.read(store, units(0, 1))).isEqualTo(content);
      }
      assertThat(store.counts().connections()).isEqualTo(4);
    }
  }

  @Test
  void writesThatTheServerCouldNotSyncAtItsEndAreSentAgain() throws IOException {
    byte[] synced = Batches.noise(50 * UNIT_BYTES, 1);
    byte[] newest = Batches.noise(50 * UNIT_BYTES, 2);
    try (RemoteStore store = open(OPTIONS)) {
      restart(config -> ServerConfig.loopback(config.listen().getPort(), syncless(config)));
      Batches.write(store, units(0, 50), newest);
      server().close();
      assertThat(server().isDrained()).isFalse();
      restart(config -> forgetful(config, synced));
      assertThat(Batches.read(store, units(0, 50))).isEqualTo(newest);
    }
  }

  private static VolumeBacking syncless(ServerConfig config) {
    return new DecoratedBacking(
        config.backing(),
        store ->
            new FilterBlockStore(store) {
              @Override
              public void sync() throws IOException {
                throw new IOException("injected: sync");
              }
            });
  }

  @Test
  void aServerThatStaysAwayIsAnErrorThatNamesItAndTheBound() throws IOException {
    Duration bound = Duration.ofMillis(300);
    try (RemoteStore store =
        open(
            OPTIONS.withTimeouts(
                Duration.ofSeconds(5), Duration.ofSeconds(20), bound, Duration.ofSeconds(5)))) {
      byte[] content = Batches.noise(UNIT_BYTES, 1);
      Batches.write(store, units(0, 1), content);
      String where = "127.0.0.1:" + server().address().getPort();
      int port = server().address().getPort();
      server().abort();
      assertThatThrownBy(() -> Batches.read(store, units(0, 1)))
          .isInstanceOf(StoreUnreachableException.class)
          .hasMessageContaining(where)
          .hasMessageContaining(bound.toString());
      try (BlockServer back = BlockServer.start(config(port))) {
        assertThat(back.address().getPort()).isEqualTo(port);
        assertThat(Batches.read(store, units(0, 1))).isEqualTo(content);
      }
    }
  }

  /** A medium that forgets what was not synced, as a machine does that loses its power. */
  @Test
  void writesThatTheServerLostBeforeTheyWereSyncedAreSentAgain() throws IOException {
    byte[] synced = Batches.noise(50 * UNIT_BYTES, 1);
    byte[] lost = Batches.noise(10 * UNIT_BYTES, 2);
    byte[] newest = Batches.noise(UNIT_BYTES, 3);
    try (RemoteStore store = open(OPTIONS)) {
      Batches.write(store, units(0, 50), synced);
      store.sync();
      Batches.write(store, units(5 * UNIT_BYTES, 10), lost);
      Batches.write(store, units(7 * UNIT_BYTES, 1), newest);
      restart(config -> forgetful(config, synced));
      byte[] expected = synced.clone();
      System.arraycopy(lost, 0, expected, 5 * UNIT_BYTES, lost.length);
      System.arraycopy(newest, 0, expected, 7 * UNIT_BYTES, newest.length);
      assertThat(Batches.read(store, units(0, 50))).isEqualTo(expected);
    }
  }

  /** The same volume with the content that it had at the last sync. */
  private ServerConfig forgetful(ServerConfig config, byte[] content) throws IOException {
    VolumeBacking files = config.backing();
    VolumeBacking forgot =
        new VolumeBacking() {
          @Override
          public OpenedStore create(String name, long bytes, FirstRecord record)
              throws IOException {
            return files.create(name, bytes, record);
          }

          @Override
          public OpenedStore open(String name) throws IOException {
            OpenedStore opened = files.open(name);
            Batches.write(opened.store(), units(0, 50), content);
            return opened;
          }

          @Override
          public Map<String, ClientVault> vaults() throws IOException {
            return files.vaults();
          }

          @Override
          public boolean exists(String name) throws IOException {
            return files.exists(name);
          }

          @Override
          public void delete(String name) throws IOException {
            files.delete(name);
          }
        };
    return ServerConfig.loopback(config.listen().getPort(), forgot);
  }

  @Test
  void writesAreKeptUpToTheirBoundAndThenSynced() throws IOException {
    try (RemoteStore store = open(OPTIONS.withMemory(100_000, 1 << 20))) {
      long before = store.counts().roundTrips();
      for (int i = 0; i < 10; i++) {
        Batches.write(store, units(0, 10), Batches.noise(10 * UNIT_BYTES, i));
      }
      assertThat(store.counts().roundTrips() - before).isBetween(13L, 16L);
    }
  }
}
