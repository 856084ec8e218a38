package io.github.roram.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.HeapStore;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.open.Orams;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Accesses while the system gives no random bytes once, at any moment. */
@Isolated("the random bytes of the whole JVM fail")
final class AccessesWithoutRandomTest {

  private static final int BLOCKS = 64;
  private static final int BLOCK_BYTES = 512;
  private static final int WRITES = 24;

  /** It goes on or ends; either way a crash after that loses nothing that was acknowledged. */
  @ParameterizedTest
  @CsvSource({"roram, 1", "roram, 4", "path-batched, 1", "ring, 1", "ring, 4", "tao, 1", "tao, 4"})
  void whatWasAcknowledgedIsThereAfterACrash(String scheme, int inFlight) throws IOException {
    OramConfig.Builder builder =
        OramConfig.builder(BLOCKS).blockBytes(BLOCK_BYTES).maxRangeBlocks(1).scheme(scheme);
    // So that there are many evictions, which write buckets.
    OramConfig config =
        (scheme.equals("ring")
                ? builder.set("evictionBlocks", "4")
                : builder.chunkPaths(2).treetopBytes(0))
            .build();
    OpenOptions options =
        OpenOptions.defaults()
            .withThreads(1)
            .withInFlight(inFlight)
            .withBackgroundCheckpoints(false);
    int draws = 0;
    while (fails(config, options, draws)) {
      draws++;
    }
    assertThat(draws).isGreaterThan(WRITES);
  }

  /** Returns whether as many draws succeed before one fails. */
  private static boolean fails(OramConfig config, OpenOptions options, int draws)
      throws IOException {
    HeapStore store = new HeapStore(Orams.storeBytes(config));
    ClientVault vault = ClientVault.inMemory();
    List<List<Integer>> possible = new ArrayList<>();
    for (int block = 0; block < BLOCKS; block++) {
      possible.add(new ArrayList<>(List.of(0)));
    }
    int drawn;
    try (MasterKey key = MasterKey.generate()) {
      Oram dead = Orams.create(store, vault, config, key, options);
      drawn = drawing(draws, () -> writeSome(dead, possible));
      try (Oram after = Orams.open(store, vault, key, options)) {
        for (int block = 0; block < BLOCKS; block++) {
          assertThat(after.read(block, 1).getInt(0))
              .as("block %d, after %d draws", block, draws)
              .isIn(possible.get(block));
        }
      }
    }
    return drawn > draws;
  }

  /** Has the draw after so many fail; returns how many there were. */
  private static int drawing(int draws, Runnable work) {
    AtomicInteger drawn = new AtomicInteger();
    SystemRandom.Source system = Objects.requireNonNull(SystemRandom.SYSTEM.source);
    SystemRandom.SYSTEM.source =
        target -> {
          if (drawn.getAndIncrement() == draws) {
            throw new IOException("none");
          }
          system.fill(target);
        };
    try {
      work.run();
    } finally {
      SystemRandom.SYSTEM.source = system;
    }
    return drawn.get();
  }

  @Test
  void trimsBeforeAFlushAreThereAfterACrash() throws IOException {
    OramConfig config =
        OramConfig.builder(BLOCKS).blockBytes(BLOCK_BYTES).maxRangeBlocks(1).build();
    OpenOptions options = OpenOptions.defaults().withThreads(1).withTrims(true);
    int draws = 0;
    int drawn = 1;
    while (drawn > draws) {
      HeapStore store = new HeapStore(Orams.storeBytes(config));
      ClientVault vault = ClientVault.inMemory();
      try (MasterKey key = MasterKey.generate()) {
        Oram dead = Orams.create(store, vault, config, key, options);
        dead.write(3, ByteBuffer.allocate(BLOCK_BYTES).putInt(0, 1));
        dead.trim(3, 1);
        drawn = drawing(draws, () -> flushed(dead));
        try (Oram after = Orams.open(store, vault, key, options)) {
          assertThat(after.read(3, 1).getInt(0)).as("after %d draws", draws).isZero();
        }
      }
      draws++;
    }
    assertThat(draws).isGreaterThan(1);
  }

  private static void flushed(Oram oram) {
    for (boolean done = false; !done; ) {
      try {
        oram.flush();
        done = true;
      } catch (IOException | IllegalStateException e) {
        assertThat(e).hasMessageContaining("random");
      }
    }
  }

  private static void writeSome(Oram oram, List<List<Integer>> possible) {
    Random random = new Random(1);
    for (int i = 1; i <= WRITES; i++) {
      int block = random.nextInt(BLOCKS);
      List<Integer> contents = possible.get(block);
      try {
        oram.write(block, ByteBuffer.allocate(BLOCK_BYTES).putInt(0, i));
        contents.clear();
      } catch (IOException | IllegalStateException e) {
        // It may have been made or not.
      }
      contents.add(i);
    }
  }
}
