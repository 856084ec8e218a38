package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.storage.remote.StoreUnreachableException;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Networks that are silent, slow, late, or change the order of answers. */
final class BadNetworkTest extends ServerTest {

  /** Far more than any bound below, and far less than forever. */
  private static final int NEVER_SECONDS = 60;

  private static final RemoteOptions HASTY =
      OPTIONS.withTimeouts(
          Duration.ofMillis(300),
          Duration.ofMillis(500),
          Duration.ofMillis(400),
          Duration.ofMillis(200));

  private FaultProxy proxy;

  @BeforeEach
  void startProxy() {
    proxy = new FaultProxy(server().address());
  }

  @AfterEach
  void stopProxy() {
    proxy.close();
  }

  private RemoteStore openThroughProxy(RemoteOptions options) throws IOException {
    RemoteAddress address = new RemoteAddress(false, "127.0.0.1", proxy.port(), "volume");
    return RemoteStore.open(address, options, LeaseKeeper.NONE);
  }

  /** Again until it succeeds: what is hasty gives up on a machine that is busy, too. */
  private static <T> T reached(Callable<T> call) throws Exception {
    while (true) {
      try {
        return call.call();
      } catch (StoreUnreachableException e) {
        // the test's own bound ends this
      }
    }
  }

  private static boolean write(RemoteStore store, byte[] content) throws IOException {
    Batches.write(store, units(0, 20), content);
    return true;
  }

  @Test
  @Timeout(NEVER_SECONDS)
  void aSilentNetworkIsAnErrorWithinTheBoundAndTheStoreGoesOnOnceItSpeaks() throws Exception {
    byte[] content = Batches.noise(20 * UNIT_BYTES, 1);
    byte[] next = Batches.noise(20 * UNIT_BYTES, 2);
    try (RemoteStore store = reached(() -> openThroughProxy(HASTY.withTakeOver(true)))) {
      reached(() -> write(store, content));
      proxy.swallow(true);
      assertThatThrownBy(() -> Batches.read(store, units(0, 20)))
          .isInstanceOf(StoreUnreachableException.class)
          .hasMessageContaining("PT0.4S");
      assertThatThrownBy(() -> Batches.write(store, units(0, 20), next))
          .isInstanceOf(StoreUnreachableException.class);
      assertThatThrownBy(store::sync).isInstanceOf(StoreUnreachableException.class);
      proxy.swallow(false);
      proxy.cutAll();
      assertThat(reached(() -> Batches.read(store, units(0, 20)))).isEqualTo(content);
      reached(() -> write(store, next));
      assertThat(reached(() -> Batches.read(store, units(0, 20)))).isEqualTo(next);
      proxy.swallow(true); // closing gives up as well
    }
    proxy.swallow(false);
  }

  @Test
  @Timeout(NEVER_SECONDS)
  void aNetworkThatIsSilentFromTheStartIsAnErrorWithinTheBound() {
    proxy.swallow(true);
    assertThatThrownBy(() -> openThroughProxy(HASTY)).isInstanceOf(StoreUnreachableException.class);
  }

  @Test
  void delaysChangeNothing() throws IOException {
    byte[] content = Batches.noise(100 * UNIT_BYTES, 1);
    try (RemoteStore store = openThroughProxy(OPTIONS)) {
      proxy.delay(15);
      for (int round = 0; round < 5; round++) {
        Batches.write(store, units(round, 100), content);
        assertThat(Batches.read(store, units(round, 100))).isEqualTo(content);
      }
      assertThat(store.counts().connections()).isEqualTo(1);
    }
  }

  @Test
  void answersOfDifferentRequestsMayOvertakeEachOther() throws Exception {
    int threads = 8;
    try (RemoteStore store = openThroughProxy(OPTIONS)) {
      proxy.reorder(true);
      ExecutorService users = Executors.newFixedThreadPool(threads);
      List<Future<Boolean>> done = new ArrayList<>();
      for (int user = 0; user < threads; user++) {
        long place = user * 100L * UNIT_BYTES;
        int seed = user;
        Callable<Boolean> work =
            () -> {
              for (int round = 0; round < 15; round++) {
                byte[] content = Batches.noise(90 * UNIT_BYTES, 31L * seed + round);
                Batches.write(store, units(place, 90), content);
                assertThat(Batches.read(store, units(place, 90))).isEqualTo(content);
                store.sync();
              }
              return true;
            };
        done.add(users.submit(work));
      }
      for (Future<Boolean> one : done) {
        assertThat(one.get(NEVER_SECONDS, TimeUnit.SECONDS)).isTrue();
      }
      users.shutdown();
      assertThat(proxy.overtakings()).isGreaterThan(10);
      assertThat(store.counts().connections()).isEqualTo(1);
    }
  }

  /** An old connection's write, delivered while or after a newer connection takes over. */
  @Test
  @Timeout(NEVER_SECONDS)
  void aWriteThatComesLateDoesNotOverwriteANewerOne() throws Exception {
    RemoteOptions hasty =
        OPTIONS.withTimeouts(
            Duration.ofSeconds(5),
            Duration.ofMillis(150),
            Duration.ofSeconds(20),
            Duration.ofSeconds(5));
    try (RemoteStore store = openThroughProxy(hasty)) {
      // More rounds if a busy machine was too early or too late with all of them.
      for (int round = 0;
          round < 6 || store.counts().connections() <= 3 || proxy.lateBytes() == 0;
          round++) {
        byte[] old = Batches.noise(20 * UNIT_BYTES, 2L * round);
        byte[] newer = Batches.noise(20 * UNIT_BYTES, 2L * round + 1);
        store.sync();
        proxy.hold();
        long releasedAfterMillis = 155 + 4L * (round % 6); // around the moment of the reconnection
        Thread late =
            new Thread(
                () -> {
                  sleep(releasedAfterMillis);
                  proxy.release();
                });
        late.start();
        Batches.write(store, units(0, 20), old); // held; repeated on a new connection
        Batches.write(store, units(0, 20), newer);
        late.join();
        for (int i = 0; i < 10; i++) {
          assertThat(Batches.read(store, units(0, 20))).isEqualTo(newer);
        }
      }
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void deletingAVolumeSucceedsWhereverTheAnswerIsCut() throws IOException {
    for (int place = 1; place < 80; place += 13) {
      RemoteAddress direct =
          new RemoteAddress(false, "127.0.0.1", address().port(), "volume" + place);
      RemoteVolumes.create(direct, 1000, OPTIONS);
      proxy.cutAfter(FaultProxy.Direction.TO_CLIENT, place);
      RemoteAddress cut = new RemoteAddress(false, "127.0.0.1", proxy.port(), direct.volume());
      RemoteVolumes.delete(cut, OPTIONS);
      assertThat(proxy.hasCut(FaultProxy.Direction.TO_CLIENT)).isTrue();
      assertThat(RemoteVolumes.exists(direct, OPTIONS)).isFalse();
      assertThatThrownBy(() -> RemoteVolumes.delete(direct, OPTIONS))
          .isInstanceOf(NoSuchFileException.class);
    }
  }

  /** An old connection's request for the volume, delivered after a newer connection has it. */
  @Test
  @Timeout(NEVER_SECONDS)
  void aResumptionThatComesLateDoesNotEndTheLease() throws IOException {
    byte[] content = Batches.noise(20 * UNIT_BYTES, 1);
    try (RemoteStore store =
        openThroughProxy(
            HASTY.withTimeouts(
                Duration.ofSeconds(5),
                Duration.ofMillis(300),
                Duration.ofSeconds(20),
                Duration.ofSeconds(5)))) {
      Batches.write(store, units(0, 20), content);
      proxy.cutAll();
      proxy.holdNewAfter(1); // its hello passes, its request for the volume is late
      assertThat(Batches.read(store, units(0, 20))).isEqualTo(content);
      assertThat(proxy.heldBytes()).isPositive();
      proxy.release();
      for (int i = 0; i < 50; i++) {
        Batches.write(store, units(i, 20), content);
        assertThat(Batches.read(store, units(i, 20))).isEqualTo(content);
      }
      store.sync();
    }
  }
}
