package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.remote.LeaseLostException;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.StoreUnreachableException;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Servers that go and come back while many requests of one client are under way. */
@Isolated("threads of other clients would be counted")
final class AsyncReconnectionTest extends ServerTest {

  private static final int PLACES = 40;
  private static final int UNITS = 20;

  private static ExtentBatch place(int number) {
    return units(number * (long) UNITS * UNIT_BYTES, UNITS);
  }

  private static CompletableFuture<Void> write(AsyncBlockStore store, int place, byte[] content) {
    return store.write(
        place(place), (first, units) -> units.put(content, first * UNIT_BYTES, units.remaining()));
  }

  private static CompletableFuture<byte[]> read(AsyncBlockStore store, int place) {
    byte[] content = new byte[UNITS * UNIT_BYTES];
    return store
        .read(
            place(place),
            (first, units) -> units.get(content, first * UNIT_BYTES, units.remaining()))
        .thenApply(done -> content);
  }

  /** Each round begins before the server goes, and must end as if it had not gone. */
  @Test
  void requestsUnderWayAreRepeatedWhenTheServerComesBack() throws IOException {
    byte[][] contents = new byte[PLACES][UNITS * UNIT_BYTES];
    try (RemoteStore store = open(OPTIONS);
        AsyncBlockStore async = store.async(16)) {
      for (int round = 0; round < 8; round++) {
        read(async, 0).join(); // connects, if nothing of the last round did
        Deque<CompletableFuture<?>> all = new ArrayDeque<>();
        List<CompletableFuture<byte[]>> reads = new ArrayList<>();
        for (int place = round % 2; place < PLACES; place += 2) {
          reads.add(read(async, place));
          int other = place ^ 1;
          contents[other] = Batches.noise(UNITS * UNIT_BYTES, 100L * round + other);
          all.add(write(async, other, contents[other]));
          all.add(async.sync());
        }
        restart();
        for (int i = 0; i < reads.size(); i++) {
          assertThat(reads.get(i).join()).isEqualTo(contents[2 * i + round % 2]);
        }
        all.forEach(CompletableFuture::join);
      }
      for (int place = 0; place < PLACES; place++) {
        assertThat(Batches.read(store, place(place))).isEqualTo(contents[place]);
      }
      assertThat(store.counts().connections()).isGreaterThan(8);
    }
  }

  @Test
  void aServerThatStaysAwayFailsWhatIsUnderWayAndServesItLater() throws IOException {
    Duration bound = Duration.ofMillis(300);
    try (RemoteStore store =
            open(
                OPTIONS.withTimeouts(
                    Duration.ofSeconds(5), Duration.ofSeconds(20), bound, Duration.ofSeconds(5)));
        AsyncBlockStore async = store.async(4)) {
      byte[] content = Batches.noise(UNITS * UNIT_BYTES, 1);
      write(async, 0, content).join();
      int port = server().address().getPort();
      server().abort();
      List<CompletableFuture<?>> all = List.of(read(async, 0), async.sync());
      for (CompletableFuture<?> one : all) {
        assertThatThrownBy(one::join)
            .cause()
            .isInstanceOf(StoreUnreachableException.class)
            .hasMessageContaining(bound.toString());
      }
      try (BlockServer back = BlockServer.start(config(port))) {
        assertThat(back.address().getPort()).isEqualTo(port);
        assertThat(read(async, 0).join()).isEqualTo(content);
      }
    }
  }

  @Test
  void aClientWhoseLeaseWasTakenOverIsToldSo() throws IOException {
    try (RemoteStore fenced = open(OPTIONS);
        AsyncBlockStore async = fenced.async(4)) {
      write(async, 0, new byte[UNITS * UNIT_BYTES]).join();
      try (RemoteStore taker = open(OPTIONS.withTakeOver(true))) {
        byte[] content = Batches.noise(UNITS * UNIT_BYTES, 1);
        Batches.write(taker, place(0), content);
        for (int repeat = 0; repeat < 2; repeat++) {
          List<CompletableFuture<?>> all =
              List.of(write(async, 0, new byte[UNITS * UNIT_BYTES]), read(async, 0), async.sync());
          for (CompletableFuture<?> one : all) {
            assertThatThrownBy(one::join).cause().isInstanceOf(LeaseLostException.class);
          }
        }
        assertThat(Batches.read(taker, place(0))).isEqualTo(content);
      }
    }
  }

  /** One thread for all of them, however many they are. */
  @Test
  void requestsTakeNoThreadEach() throws IOException {
    try (RemoteStore store = open(OPTIONS);
        AsyncBlockStore async = store.async(64)) {
      long before = clientThreads();
      List<CompletableFuture<byte[]>> reads = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        reads.add(read(async, i % PLACES));
      }
      assertThat(clientThreads() - before).isLessThanOrEqualTo(1);
      reads.forEach(CompletableFuture::join);
    }
  }

  private static long clientThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("roram-client"))
        .count();
  }
}
