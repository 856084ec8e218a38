package io.github.roram.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.roram.OramConfig;
import io.github.roram.bench.experiment.ClosedLoop.CachingDisk;
import io.github.roram.storage.link.Link;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.StoreParts;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Clients in virtual time: what a line allows, and no more. */
final class ClosedLoopTest {

  private static final Link LINE = new Link(12_000_000, 11_000_000, 11_000_000);
  private static final int REQUESTS = 200;

  /** 2^8 leaves: 9 buckets. */
  private static final double PATH_MILLIS = 9 * 16_476 / 11e3;

  private static OramConfig config(String scheme) {
    return OramConfig.builder(1000).scheme(scheme).treetopBytes(0).build();
  }

  private static ClosedLoop.Result run(String scheme, int clients) throws IOException {
    return run(scheme, clients, OptionalLong.empty());
  }

  private static ClosedLoop.Result run(String scheme, int clients, OptionalLong cacheBytes)
      throws IOException {
    return new ClosedLoop(config(scheme), clients, LINE, cacheBytes, REQUESTS).run(1);
  }

  @Test
  void oneClientWaitsForAPathAndARoundTrip() throws IOException {
    ClosedLoop.Result tao = run("tao", 1);
    assertThat(tao.counted()).isEqualTo(REQUESTS - REQUESTS / 10);
    assertThat(tao.meanMillis()).isCloseTo(12 + PATH_MILLIS, within(2.0));
    ClosedLoop.Result path = run("path", 1);
    assertThat(path.meanMillis()).isCloseTo(2 * (12 + PATH_MILLIS), within(2.0));
  }

  @Test
  void overlappingAccessesFillTheLineAndOthersDoNot() throws IOException {
    double most = 1000 / PATH_MILLIS;
    ClosedLoop.Result tao = run("tao", 10);
    assertThat(tao.counted() / tao.seconds()).isBetween(0.97 * most, most);
    assertThat(tao.meanMillis()).isCloseTo(10 * PATH_MILLIS, within(0.05 * 10 * PATH_MILLIS));
    ClosedLoop.Result path = run("path", 10);
    assertThat(path.meanMillis()).isCloseTo(10 * run("path", 1).meanMillis(), within(20.0));
  }

  @Test
  void aServerReadsFromItsDiskWhatItDoesNotHave() throws IOException {
    CachingDisk disk = new CachingDisk(new MemoryStore(40_000), 10_000);
    disk.arrange(new StoreParts(List.of(List.of(0L, 5_000L, 20_000L))));
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.READ, 0, 1000);
    batch.add(4000, 1);
    batch.add(5000, 2);
    batch.add(9000, 15);
    assertThat(disk.readNanos(batch)).as("the second part is too long").isEqualTo(17 * 360_000L);
    double without = run("tao", 1).meanMillis();
    assertThat(run("tao", 1, OptionalLong.of(0)).meanMillis())
        .isCloseTo(without + 9 * 0.36, within(1.5));
    // Three levels of nine, both places of each bucket, and less than a fourth.
    long levels = 7 * 2 * 16_476L;
    for (long cacheBytes : new long[] {levels, 2 * levels}) {
      assertThat(run("tao", 1, OptionalLong.of(cacheBytes)).meanMillis())
          .isCloseTo(without + 6 * 0.36, within(0.2));
    }
  }
}
