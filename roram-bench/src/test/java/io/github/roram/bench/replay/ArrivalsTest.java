package io.github.roram.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.replay.Arrivals.Pace;
import io.github.roram.bench.replay.Arrivals.Responses;
import io.github.roram.bench.replay.DeviceContents.DevicePattern;
import io.github.roram.bench.replay.Replayer.ReplayOptions;
import io.github.roram.bench.trace.Trace;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Response times are those of a queue with one server, fed by the trace's clock. */
final class ArrivalsTest {

  private static final int BLOCK_BYTES = 512;
  private static final int BLOCKS = 64;
  private static final OramConfig CONFIG =
      OramConfig.builder(BLOCKS).blockBytes(BLOCK_BYTES).maxRangeBlocks(8).build();
  private static final long NANOS_PER_CALL = 4_000_000;
  private static final String SERVER = Arrivals.MEASURED;

  @TempDir private Path directory;

  /** Replays with a clock that goes on by 4 ms in each call. */
  private Responses replay(String requests, Pace pace) throws IOException {
    AtomicLong clock = new AtomicLong();
    try (OpenedStore opened =
        Stores.create("mem:", (long) BLOCKS * BLOCK_BYTES, StoreOptions.defaults())) {
      CountingStore store = new CountingStore(opened.store());
      DeviceContents contents = DeviceContents.zeros(BLOCKS, new DevicePattern(1, BLOCK_BYTES));
      Replayer replayer =
          new Replayer(
              new ArrayOram(CONFIG, store),
              store,
              "mem:",
              contents,
              () -> clock.getAndAdd(NANOS_PER_CALL));
      Path file = directory.resolve("trace.csv");
      Files.writeString(file, "timestamp_us,op,offset_bytes,length_bytes\n" + requests);
      ReplayOptions arrivals = ReplayOptions.DEFAULTS.withArrivals(true);
      ReplayResult result = replayer.replay(Trace.of(file), arrivals, ProgressListener.NONE);
      return Objects.requireNonNull(result.arrivals()).responses(SERVER, pace);
    }
  }

  @Test
  void whoComesWhileNobodyIsServedWaitsForNobody() throws IOException {
    Responses slow = replay("0,R,0,512\n10000,R,0,512\n20000,R,0,512\n", Pace.ofSpeed(1));
    assertThat(slow.millis(0)).isCloseTo(4, within(0.01));
    assertThat(slow.millis(100)).isCloseTo(4, within(0.01));
    assertThat(slow.perSecond()).isCloseTo(250, within(1e-9));
    assertThat(slow.load()).isCloseTo(12 / 20.0, within(1e-9));
  }

  @Test
  void whoComesEarlierIsServedFirst() throws IOException {
    Responses burst = replay("0,R,0,512\n0,R,0,512\n0,R,0,512\n30000,R,0,512\n", Pace.ofSpeed(1));
    assertThat(burst.millis(25)).isCloseTo(4, within(0.01));
    assertThat(burst.millis(75)).isCloseTo(8, within(0.01));
    assertThat(burst.millis(100)).isCloseTo(12, within(0.02));
  }

  @Test
  void aFasterClockBringsTheSameRequestsEarlier() throws IOException {
    Responses fast = replay("0,R,0,512\n10000,R,0,512\n20000,R,0,512\n", Pace.ofSpeed(10));
    assertThat(fast.millis(100)).as("2 ms late at 8").isCloseTo(10, within(0.02));
    assertThat(fast.load()).isCloseTo(6, within(1e-9));
  }

  @Test
  void warmUpAndEvictionsAreWhatTheStoreWasAskedFor() throws IOException {
    Arrivals arrivals = new Arrivals("some");
    DeviceModel device = DeviceModel.HDD;
    arrivals.add(0, 1, new IoCounts(1, 1, 1, 0, 0, 0));
    arrivals.add(1000, 1, new IoCounts(1, 3, 3, 0, 0, 0));
    Responses responses = arrivals.responses(device.id(), Pace.ofSpeed(1));
    assertThat(responses.millis(0)).isCloseTo(13.17, within(0.02));
    assertThat(responses.millis(100)).isCloseTo(4 * 13.17 - 1, within(0.05));
  }

  /** The same by events, one microsecond after another. */
  @Test
  void isTheQueueThatASimulationOfItIs() {
    Random random = new Random(7);
    int count = 500;
    long[] comes = random.longs(count, 0, 40_000).sorted().toArray();
    long[] takes = random.longs(count, 1, 140).toArray();
    Arrivals arrivals = new Arrivals("random");
    for (int i = 0; i < count; i++) {
      arrivals.add(comes[i], takes[i] * 1000, IoCounts.ZERO);
    }
    long[] took = simulate(comes, takes);
    Responses responses = arrivals.responses(SERVER, Pace.ofSpeed(1));
    assertThat(responses.load())
        .isCloseTo(
            (double) Arrays.stream(takes).sum() / (comes[count - 1] - comes[0]), within(1e-9));
    assertThat(responses.meanMillis())
        .isCloseTo(Arrays.stream(took).average().orElseThrow() / 1e3, within(0.01));
    Arrays.sort(took);
    for (int percentile : new int[] {10, 50, 90, 99}) {
      double expected = took[count * percentile / 100 - 1] / 1e3;
      assertThat(responses.millis(percentile)).isCloseTo(expected, within(expected / 500));
    }
  }

  private static long[] simulate(long[] comes, long[] takes) {
    long[] took = new long[comes.length];
    Queue<Integer> waiting = new ArrayDeque<>();
    int next = 0;
    long left = 0;
    for (long now = 0; next < comes.length || !waiting.isEmpty(); now++) {
      if (!waiting.isEmpty() && --left == 0) {
        int served = waiting.remove();
        took[served] = now - comes[served];
        left = waiting.isEmpty() ? 0 : takes[waiting.element()];
      }
      while (next < comes.length && comes[next] == now) {
        if (waiting.isEmpty()) {
          left = takes[next];
        }
        waiting.add(next++);
      }
    }
    return took;
  }

  @Test
  void aLoadIsAPartOfTheStoresOwnCapacity() {
    Arrivals arrivals = new Arrivals("regular");
    for (int i = 0; i < 101; i++) {
      arrivals.add(i, NANOS_PER_CALL, IoCounts.ZERO);
    }
    Responses responses = arrivals.responses(SERVER, Pace.ofLoad(0.8));
    assertThat(responses.load()).isCloseTo(0.8, within(1e-9));
    assertThat(responses.millis(100)).as("nobody waits").isCloseTo(4, within(0.01));
  }

  @Test
  void aTraceWithoutTimesHasNoClock() {
    Arrivals arrivals = new Arrivals("timeless");
    arrivals.add(0, 1, IoCounts.ZERO);
    arrivals.add(0, 1, IoCounts.ZERO);
    assertThatThrownBy(() -> arrivals.responses(SERVER, Pace.ofSpeed(1)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("timeless", "timestamps");
  }
}
