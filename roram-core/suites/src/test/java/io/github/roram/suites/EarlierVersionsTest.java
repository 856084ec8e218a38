package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.VerifyReport;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.suites.StoreMap.Level;
import io.github.roram.testkit.FaultyStore;
import io.github.roram.testkit.ModelledOram;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every earlier version of every bucket of a small store, put back alone in the place where it
 * stood, is found out where the place is that of a current bucket.
 */
final class EarlierVersionsTest {

  private static final int ACCESSES = 30;

  static Stream<OramConfig> configurations() {
    return Stream.of(recursive(small("roram").trees(0, 2)), recursive(small("path-batched")));
  }

  private static OramConfig.Builder small(String scheme) {
    return OramConfig.builder(40)
        .scheme(scheme)
        .blockBytes(512)
        .maxRangeBlocks(4)
        .treetopBytes(0)
        .chunkPaths(2)
        .windowBlocks(0);
  }

  private static OramConfig recursive(OramConfig.Builder builder) {
    return builder
        .positionMap("recursive")
        .set("blocksPerMapBlock", 4)
        .set("clientLabels", 4)
        .build();
  }

  /** A place for a bucket, and what stood there, oldest first: the last stands there now. */
  private record Place(Level level, List<byte[]> versions) {}

  @ParameterizedTest
  @MethodSource("configurations")
  void areFoundOut(OramConfig config) throws IOException {
    FaultyStore store = new FaultyStore(new MemoryStore(Orams.storeBytes(config)));
    Random random = new Random(3);
    try (ModelledOram oram =
        new ModelledOram(Medium.memory(1, memory -> store), config, ModelledOram.seededLabels(5))) {
      Map<Long, Place> places = places(new StoreMap(config, oram.oram().stats()));
      for (int access = 0; access < ACCESSES; access++) {
        watch(store, places);
        int count = 1 + random.nextInt(config.maxRangeBlocks());
        int block = random.nextInt((int) config.blocks() - count + 1);
        if (random.nextBoolean()) {
          oram.write(block, count, random);
        } else {
          oram.read(block, count);
        }
      }
      watch(store, places);
      assertThat(verify(oram).clean()).isTrue();
      int foundOut = 0;
      for (Map.Entry<Long, Place> place : places.entrySet()) {
        foundOut += check(oram, store, place.getKey(), place.getValue());
      }
      assertThat(foundOut).isGreaterThan(50);
      oram.checkAll();
    }
  }

  private static Map<Long, Place> places(StoreMap map) {
    Map<Long, Place> places = new TreeMap<>();
    for (Level level : map.levels()) {
      for (long place = 0; place < level.places(); place++) {
        long offset = level.offset() + place * level.bucketBytes();
        places.put(offset, new Place(level, new ArrayList<>()));
      }
    }
    return places;
  }

  /** Keeps what is new in each place. */
  private static void watch(FaultyStore store, Map<Long, Place> places) throws IOException {
    for (Map.Entry<Long, Place> place : places.entrySet()) {
      List<byte[]> versions = place.getValue().versions();
      byte[] now = store.snapshot(place.getKey(), place.getValue().level().bucketBytes());
      if (versions.isEmpty() || !Arrays.equals(now, versions.get(versions.size() - 1))) {
        versions.add(now);
      }
    }
  }

  /** Puts each earlier version back; returns how many were found out. */
  private static int check(ModelledOram oram, FaultyStore store, long offset, Place place)
      throws IOException {
    List<byte[]> versions = place.versions();
    byte[] now = versions.get(versions.size() - 1);
    byte[] damaged = now.clone();
    damaged[damaged.length / 2] ^= 1;
    store.restore(offset, damaged);
    boolean isCurrent = !verify(oram).clean();
    int foundOut = 0;
    for (byte[] earlier : versions.subList(0, versions.size() - 1)) {
      store.restore(offset, earlier);
      VerifyReport report = verify(oram);
      assertThat(report.clean()).as("%s at %d", place.level(), offset).isEqualTo(!isCurrent);
      if (isCurrent) {
        assertThat(report.findings().get(0).kind()).isEqualTo(VerifyReport.Kind.BUCKET);
        assertThat(report.findings().get(0).tree()).isEqualTo(place.level().tree());
        foundOut++;
      }
    }
    store.restore(offset, now);
    return foundOut;
  }

  private static VerifyReport verify(ModelledOram oram) throws IOException {
    return oram.oram().verify((done, total) -> {});
  }
}
