package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.store.BlockStore;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A volume whose files take long to be made is in the way of nobody but those who want it. */
@Timeout(120)
final class SlowCreationTest extends ServerTest {

  private static final RemoteOptions HASTY =
      OPTIONS.withTimeouts(
          Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ZERO, Duration.ofSeconds(5));

  private final ExecutorService clients = Executors.newCachedThreadPool();
  private volatile @Nullable CountDownLatch begun;
  private volatile @Nullable CountDownLatch disk;

  @Override
  ServerConfig config(int port) throws IOException {
    return ServerConfig.loopback(
        port, new DecoratedBacking(super.config(port).backing(), this::slow));
  }

  /** Is called while a volume is created or opened. */
  private BlockStore slow(BlockStore store) {
    CountDownLatch come = begun;
    CountDownLatch stuck = disk;
    if (come != null && stuck != null && store.capacityBytes() > CAPACITY_BYTES) {
      come.countDown();
      try {
        stuck.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return store;
  }

  @AfterEach
  void stopClients() {
    CountDownLatch stuck = disk;
    if (stuck != null) {
      stuck.countDown(); // a test that failed has not
    }
    clients.shutdownNow();
  }

  private RemoteAddress address(String name) {
    return new RemoteAddress(false, "127.0.0.1", address().port(), name);
  }

  private Future<?> create(String name) {
    return clients.submit(
        () -> {
          RemoteVolumes.create(address(name), CAPACITY_BYTES + 1, OPTIONS);
          return name;
        });
  }

  @Test
  void othersOpenLookAndDeleteMeanwhile() throws Exception {
    RemoteVolumes.create(address("other"), CAPACITY_BYTES, OPTIONS);
    restart(); // so that the volumes have to be opened
    CountDownLatch come = new CountDownLatch(1);
    CountDownLatch stuck = new CountDownLatch(1);
    begun = come;
    disk = stuck;
    Future<?> slow = create("slow");
    come.await();
    try (RemoteStore store = RemoteStore.open(address(), HASTY, LeaseKeeper.NONE)) {
      byte[] content = Batches.noise(10 * UNIT_BYTES, 1);
      Batches.write(store, units(0, 10), content);
      assertThat(Batches.read(store, units(0, 10))).isEqualTo(content);
    }
    assertThat(RemoteVolumes.exists(address("none"), HASTY)).isFalse();
    RemoteVolumes.delete(address("other"), HASTY);
    assertThat(slow.isDone()).isFalse();
    stuck.countDown();
    slow.get(60, TimeUnit.SECONDS);
    assertThat(RemoteVolumes.exists(address("slow"), HASTY)).isTrue();
  }

  /** Whoever comes second waits until the first is there, or failed. */
  @Test
  void ofTwoCreatorsOfOneNameOneWins() throws Exception {
    CountDownLatch come = new CountDownLatch(1);
    CountDownLatch stuck = new CountDownLatch(1);
    begun = come;
    disk = stuck;
    List<Future<?>> creators = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      creators.add(create("slow"));
    }
    come.await();
    stuck.countDown();
    int won = 0;
    for (Future<?> creator : creators) {
      try {
        creator.get(60, TimeUnit.SECONDS);
        won++;
      } catch (java.util.concurrent.ExecutionException e) {
        assertThat(e.getCause()).isInstanceOf(FileAlreadyExistsException.class);
      }
    }
    assertThat(won).isEqualTo(1);
    RemoteStore.open(address("slow"), OPTIONS, LeaseKeeper.NONE).close();
  }

  /** A client gives up, asks again, and gets the answer that it could not wait for. */
  @Test
  void aRepeatedCreationWaitsForTheFirst() throws Exception {
    CountDownLatch come = new CountDownLatch(1);
    CountDownLatch stuck = new CountDownLatch(1);
    begun = come;
    disk = stuck;
    RemoteOptions impatient =
        OPTIONS.withTimeouts(
            Duration.ofSeconds(5),
            Duration.ofMillis(200),
            Duration.ofSeconds(60),
            Duration.ofSeconds(5));
    Future<?> slow =
        clients.submit(
            () -> {
              RemoteVolumes.create(address("slow"), CAPACITY_BYTES + 1, impatient);
              return "slow";
            });
    come.await();
    Thread.sleep(600); // some of its requests are given up
    stuck.countDown();
    slow.get(60, TimeUnit.SECONDS);
    assertThat(RemoteVolumes.exists(address("slow"), OPTIONS)).isTrue();
  }
}
