package io.github.roram.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.replay.DeviceContents.DevicePattern;
import io.github.roram.bench.replay.Replayer.ReplayOptions;
import io.github.roram.bench.replay.Replayer.RequestOutOfRangeException;
import io.github.roram.bench.trace.Trace;
import io.github.roram.bench.trace.TraceFormat.TraceFormatException;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class ReplayerTest {

  private static final int BLOCK_BYTES = 512;
  private static final int BLOCKS = 64;
  private static final OramConfig CONFIG =
      OramConfig.builder(BLOCKS).blockBytes(BLOCK_BYTES).maxRangeBlocks(8).build();
  private static final long NANOS_PER_CALL = 1_000_000;

  @TempDir private Path directory;
  private OpenedStore opened;
  private CountingStore store;
  private DeviceContents contents;
  private final AtomicLong clock = new AtomicLong();

  @BeforeEach
  void open() throws IOException {
    opened = Stores.create("mem:", (long) BLOCKS * BLOCK_BYTES, StoreOptions.defaults());
    store = new CountingStore(opened.store());
    contents = DeviceContents.zeros(BLOCKS, new DevicePattern(1, BLOCK_BYTES));
  }

  @AfterEach
  void close() throws IOException {
    opened.close();
  }

  @Test
  void countsWhatItAsksFor() throws IOException {
    ReplayResult result = replay("0,W,0,10240\n1,R,0,4096\n", ReplayOptions.DEFAULTS);

    assertThat(result.queries()).isEqualTo(2);
    assertThat(result.blocksRequested()).isEqualTo(28);
    assertThat(result.mismatches()).isZero();
    assertThat(result.io().bytesWritten()).isEqualTo(10_240);
    assertThat(result.io().bytesRead()).isEqualTo(4096);
    assertThat(result.io().requests()).as("20 blocks in ranges of 8, then 8").isEqualTo(4);
    assertThat(result.io().seeks()).as("the start, and back to it").isEqualTo(2);
    assertThat(result.ioByPhase().get(IoPhase.READ)).isNotNull();
    assertThat(result.stashMax()).isEqualTo(11);
  }

  @Test
  void timesTheCallsOfTheOramAlone() throws IOException {
    ReplayResult result = replay("0,W,0,10240\n1,R,0,4096\n", ReplayOptions.DEFAULTS);

    assertThat(result.seconds()).isEqualTo(4 * NANOS_PER_CALL / 1e9);
    assertThat(result.medianMillis()).isBetween(0.999, 1.001);
    assertThat(result.p99Millis()).isBetween(2.99, 3.01);
    assertThat(result.queriesPerSecond()).isEqualTo(500);
  }

  @Test
  @Timeout(60)
  void aRequestOfAnyLengthCanBeStopped() {
    AtomicLong calls = new AtomicLong();
    ProgressListener stopping =
        new ProgressListener.Alive(
            () -> {
              if (calls.incrementAndGet() == 3) {
                throw new CancellationException();
              }
            });
    assertThatThrownBy(
            () ->
                new Replayer(new LyingOram(1), store, "mem:", contents)
                    .replay(
                        trace("0,R,0,9223372036854775807\n"),
                        ReplayOptions.DEFAULTS.withFold(true),
                        stopping))
        .isInstanceOf(CancellationException.class);
  }

  @Test
  void warmUpIsNotCountedButChecked() throws IOException {
    ReplayResult result =
        new Replayer(new LyingOram(1), store, "mem:", contents)
            .replay(
                trace("0,R,0,512\n0,R,0,512\n0,R,512,512\n"),
                ReplayOptions.DEFAULTS.withWarmupQueries(2),
                ProgressListener.NONE);
    assertThat(result.queries()).isEqualTo(1);
    assertThat(result.io().bytesRead()).isEqualTo(512);
    assertThat(result.mismatches()).isEqualTo(3);
  }

  @Test
  void limitEndsTheReplay() throws IOException {
    ReplayResult result =
        replay("0,R,0,512\n".repeat(10) + "garbage", ReplayOptions.DEFAULTS.withMaxQueries(4));
    assertThat(result.queries()).isEqualTo(4);
  }

  @Test
  void traceShorterThanTheWarmUpYieldsZeros() throws IOException {
    ReplayResult result = replay("0,R,0,512\n", ReplayOptions.DEFAULTS.withWarmupQueries(5));
    assertThat(result.queries()).isZero();
    assertThat(result.queriesPerSecond()).isZero();
    assertThat(result.secondsPerQuery()).isZero();
  }

  @Test
  void writingPartsOfBlocksReadsThemFirst() throws IOException {
    ReplayResult result = replay("0,W,100,1024\n", ReplayOptions.DEFAULTS);
    assertThat(result.blocksRequested()).isEqualTo(3);
    assertThat(result.io().bytesRead()).isEqualTo(2 * 512);
    assertThat(result.io().bytesWritten()).isEqualTo(3 * 512);
  }

  @Test
  void mixedRequestsMatchAndGoOnInTheNextReplay() throws IOException {
    Random random = new Random(5);
    Replayer replayer = new Replayer(new ArrayOram(CONFIG, store), store, "mem:", contents);
    for (int round = 0; round < 3; round++) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 300; i++) {
        lines.append(i).append(random.nextBoolean() ? ",R," : ",W,");
        lines.append(random.nextInt(200_000)).append(',');
        lines.append(1 + random.nextInt(40_000)).append('\n');
      }
      ReplayResult result =
          replayer.replay(
              trace(lines.toString()),
              ReplayOptions.DEFAULTS.withFold(true),
              ProgressListener.NONE);
      assertThat(result.mismatches()).isZero();
      assertThat(result.queries()).isEqualTo(300);
    }
  }

  @Test
  void liesAreCountedBlockByBlock() throws IOException {
    Replayer replayer = new Replayer(new LyingOram(3), store, "mem:", contents);
    String lines = "0,W,0,4096\n1,R,0,4096\n2,R,8192,512\n3,R,0,4096\n";
    ReplayResult result =
        replayer.replay(trace(lines), ReplayOptions.DEFAULTS, ProgressListener.NONE);
    assertThat(result.verified()).isTrue();
    assertThat(result.mismatches()).as("every third block read of 17").isEqualTo(5);
  }

  @Test
  void liesPassUnverified() throws IOException {
    Replayer replayer = new Replayer(new LyingOram(1), store, "mem:", contents);
    ReplayResult result =
        replayer.replay(
            trace("1,R,0,4096\n"), ReplayOptions.DEFAULTS.withVerify(false), ProgressListener.NONE);
    assertThat(result.verified()).isFalse();
    assertThat(result.mismatches()).isZero();
  }

  @Test
  void requestBeyondTheDeviceNamesPlaceCapacityAndRemedy() throws IOException {
    assertThatThrownBy(() -> replay("0,R,0,512\n1,R,32256,513\n", ReplayOptions.DEFAULTS))
        .isInstanceOf(RequestOutOfRangeException.class)
        .hasMessageContaining("trace.csv, line 3")
        .hasMessageContaining("offset 32256")
        .hasMessageContaining("device of 32768 bytes")
        .hasMessageContaining("--fold")
        .hasMessageContaining("--blocks 65");
  }

  @Test
  void malformedLinePassesThroughAndProgressEnds() throws IOException {
    List<String> events = new ArrayList<>();
    ProgressListener progress =
        new ProgressListener() {
          @Override
          public void begin(String task, String unit, long total) {
            events.add("begin " + unit + " " + total);
          }

          @Override
          public void advanceTo(long done) {
            events.add("at " + done);
          }

          @Override
          public void end() {
            events.add("end");
          }
        };
    Replayer replayer = new Replayer(new ArrayOram(CONFIG, store), store, "mem:", contents);
    Trace trace = trace("0,R,0,512\n0,R\n");
    assertThatThrownBy(() -> replayer.replay(trace, ReplayOptions.DEFAULTS, progress))
        .isInstanceOf(TraceFormatException.class);
    assertThat(events).containsExactly("begin queries -1", "at 0", "at 1", "end");
  }

  @Test
  void contentsOfAnotherSizeAreRefused() {
    DeviceContents other = DeviceContents.zeros(BLOCKS + 1, new DevicePattern(1, BLOCK_BYTES));
    assertThatThrownBy(() -> new Replayer(new ArrayOram(CONFIG, store), store, "mem:", other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65 blocks");
  }

  private ReplayResult replay(String lines, ReplayOptions options) throws IOException {
    return new Replayer(
            new ArrayOram(CONFIG, store),
            store,
            "mem:",
            contents,
            () -> clock.getAndAdd(NANOS_PER_CALL))
        .replay(trace(lines), options, ProgressListener.NONE);
  }

  private Trace trace(String lines) throws IOException {
    Path file = directory.resolve("trace.csv");
    Files.writeString(file, "timestamp_us,op,offset_bytes,length_bytes\n" + lines);
    return Trace.of(file);
  }

  /** Spoils one byte of every n-th block that it returns. */
  private final class LyingOram extends ArrayOram {
    private final int period;
    private int blocksRead;

    LyingOram(int period) {
      super(CONFIG, store);
      this.period = period;
    }

    @Override
    public void read(long block, int count, ByteBuffer destination) throws IOException {
      int start = destination.position();
      super.read(block, count, destination);
      for (int i = 0; i < count; i++) {
        if (++blocksRead % period == 0) {
          int at = start + i * BLOCK_BYTES + 77;
          destination.put(at, (byte) (destination.get(at) ^ 1));
        }
      }
    }
  }
}
