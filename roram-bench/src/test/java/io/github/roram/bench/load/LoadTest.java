package io.github.roram.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.bench.load.Load.AddressSource;
import io.github.roram.bench.load.Load.LoadOptions;
import io.github.roram.bench.load.Load.LoadOptions.Addresses;
import io.github.roram.bench.load.LoadResult.LoadTimes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Loads of an array, which is right, or wrong now and then. */
class LoadTest {

  private static final OramConfig CONFIG =
      OramConfig.builder(64).blockBytes(512).maxRangeBlocks(8).build();

  /** An array; every n-th read finds what it held before the last write, 0 for none. */
  private static final class ArrayOram implements AsyncOram {
    private final byte[] content = new byte[(int) CONFIG.bytes()];
    private final byte[] before = new byte[content.length];
    private final int staleEvery;
    private int reads;
    private int failAfter = Integer.MAX_VALUE;
    private Exception failure = new IOException("no disk");

    ArrayOram(int staleEvery) {
      this.staleEvery = staleEvery;
    }

    @Override
    public OramConfig config() {
      return CONFIG;
    }

    @Override
    public synchronized CompletableFuture<Void> readBytes(
        long offset, int leastBlocks, ByteBuffer target) {
      reads++;
      boolean stale = staleEvery > 0 && reads % staleEvery == 0;
      target.duplicate().put(stale ? before : content, (int) offset, target.remaining());
      return done();
    }

    @Override
    public synchronized CompletableFuture<Void> updateBytes(
        long offset, int leastBlocks, ByteBuffer source) {
      System.arraycopy(content, (int) offset, before, (int) offset, source.remaining());
      source.duplicate().get(content, (int) offset, source.remaining());
      return done();
    }

    private CompletableFuture<Void> done() {
      failAfter--;
      return failAfter < 0
          ? CompletableFuture.failedFuture(failure)
          : CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> flush() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public OramStats stats() {
      return new OramStats(0, 0, 0, List.of());
    }

    @Override
    public void close() {}
  }

  private static LoadOptions options(int readPercent, Addresses addresses, int range) {
    return new LoadOptions(3, Duration.ofMillis(100), readPercent, addresses, range, 1);
  }

  private static LoadResult run(AsyncOram oram, LoadOptions options) throws IOException {
    return Load.run(options, List.of(oram), () -> false);
  }

  @ParameterizedTest
  @EnumSource
  void anArrayIsRight(Addresses addresses) throws IOException {
    for (int range : new int[] {1, 8}) {
      LoadResult result = run(new ArrayOram(0), options(50, addresses, range));
      assertThat(result.mismatches()).isZero();
      // On a busy machine a run may be over before anything is answered that counts.
      for (int runs = 1; runs < 100 && result.operations() == 0; runs++) {
        result = run(new ArrayOram(0), options(50, addresses, range));
        assertThat(result.mismatches()).isZero();
      }
      assertThat(result.operations()).isPositive();
      assertThat(result.p50Millis()).isLessThanOrEqualTo(result.p99Millis());
      assertThat(result.p99Millis()).isLessThanOrEqualTo(result.maxMillis());
    }
  }

  @Test
  void staleAnswersAreFound() throws IOException {
    long found = 0;
    // On a busy machine a run may be over before a stale answer is one that nothing explains.
    for (int runs = 0; runs < 100 && found == 0; runs++) {
      found = run(new ArrayOram(7), options(50, Addresses.UNIFORM, 1)).mismatches();
    }
    assertThat(found).isPositive();
  }

  @Test
  void damagedAnswersAreFound() throws IOException {
    ArrayOram oram = new ArrayOram(0);
    LoadCheck check = new LoadCheck(5, 512);
    byte[] data = new byte[512];
    check.endWrite(check.startWrite(3, 1, data));
    for (int at : new int[] {9, 20, 511}) {
      LoadCheck.Operation read = check.startRead(3, 1);
      byte[] damaged = data.clone();
      damaged[at] ^= 1;
      check.endRead(read, damaged);
    }
    assertThat(check.mismatches()).isEqualTo(3);
    // What was there before may be anything, but must stay so.
    oram.content[5 * 512] = 1;
    check.endRead(check.startRead(5, 1), Arrays.copyOfRange(oram.content, 2560, 3072));
    assertThat(check.mismatches()).isEqualTo(3);
    check.endRead(check.startRead(5, 1), new byte[512]);
    assertThat(check.mismatches()).isEqualTo(4);
  }

  @Test
  void readsAloneChangeNothing() throws IOException {
    ArrayOram oram = new ArrayOram(0);
    oram.content[700] = 9;
    LoadResult result = run(oram, options(100, Addresses.ZIPF, 1));
    assertThat(result.mismatches()).isZero();
    assertThat(oram.content[700]).isEqualTo((byte) 9);
  }

  @Test
  void aFailureEndsIt() {
    ArrayOram oram = new ArrayOram(0);
    oram.failAfter = 10;
    LoadOptions longOnes = new LoadOptions(4, Duration.ofHours(1), 50, Addresses.UNIFORM, 1, 1);
    assertThatThrownBy(() -> run(oram, longOnes)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> run(oram, options(50, Addresses.UNIFORM, 9)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("at most 8");
  }

  /** Whoever runs it tells damage from a disk that failed. */
  @Test
  void damageIsToldAsSuch() {
    ArrayOram damaged = new ArrayOram(0);
    damaged.failAfter = 10;
    damaged.failure = new IntegrityException("a bucket is forged");
    LoadOptions options = new LoadOptions(2, Duration.ofSeconds(30), 50, Addresses.UNIFORM, 1, 1);
    assertThatThrownBy(() -> run(damaged, options)).isSameAs(damaged.failure);
  }

  @Test
  void whatWasNotMeasuredIsNotTold() {
    LoadTimes times = new LoadTimes(0, 2_000_000_000L);
    assertThat(times.result(3, 0).summary())
        .contains("3 clients", "no request answered", "0 mismatches")
        .doesNotContain("NaN", "mean");
    times.add(0, 50_000_000L);
    assertThat(times.result(3, 0).summary()).contains("mean 50.00 ms, half").doesNotContain("NaN");
  }

  @Test
  void aResultIsJson() throws IOException {
    LoadTimes times = new LoadTimes(0, 2_000_000_000L);
    for (int i = 1; i <= 200; i++) {
      times.add(i * 9_999_000L - 1_000_000L * (i % 2 + 1), i * 9_999_000L);
    }
    times.add(0, 2_000_000_000L); // too late
    JsonNode json = times.result(4, 3).json();
    List<String> names = new ArrayList<>();
    json.fieldNames().forEachRemaining(names::add);
    assertThat(names)
        .startsWith(
            "schema",
            "clients",
            "operations",
            "operationsPerSecond",
            "meanMs",
            "p50Ms",
            "p99Ms",
            "maxMs",
            "mismatches");
    assertThat(json.get("operations").asInt()).isEqualTo(200);
    assertThat(json.get("operationsPerSecond").asDouble()).isEqualTo(100);
    assertThat(json.get("meanMs").asDouble()).isEqualTo(1.5);
    assertThat(json.get("maxMs").asDouble()).isBetween(2.0, 2.01);
    assertThat(json.get("mismatches").asInt()).isEqualTo(3);
    assertThat(json.get("meanMsInterval").get(0).asDouble()).isLessThanOrEqualTo(1.5);
  }

  @Test
  void addressesStayWithin() {
    for (Addresses addresses : Addresses.values()) {
      AddressSource source = AddressSource.of(addresses, 100, 8, 1);
      int[] counts = new int[100];
      for (int i = 0; i < 20_000; i++) {
        counts[(int) source.next()]++;
      }
      assertThat(counts[93]).isZero();
      int most = Arrays.stream(counts).max().orElse(0);
      // H(93) = 5.1: the first of Zipf's has a fifth of all.
      assertThat(most)
          .isBetween(
              addresses == Addresses.ZIPF ? 3500 : 200, addresses == Addresses.ZIPF ? 4400 : 300);
    }
  }
}
