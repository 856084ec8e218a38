package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.AsyncOram;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Accesses that overlap over one connection, while servers go and come back. */
final class OverlapOverTcpTest extends ServerTest {

  private static final int IN_FLIGHT = 8;
  private static final int ROUNDS = 2;
  private static final int CALLS = 120;

  /** A read, and what it must find. */
  private record Expected(ByteBuffer found, int value, CompletableFuture<Void> answer) {}

  @Test
  void answersAreRightWhileServersGoAndComeBack() throws IOException {
    OramConfig config =
        OramConfig.builder(64)
            .blockBytes(512)
            .maxRangeBlocks(1)
            .chunkPaths(8)
            .windowBlocks(8)
            .treetopBytes(0)
            .build();
    assertThat(Orams.storeBytes(config)).isLessThanOrEqualTo(CAPACITY_BYTES);
    ClientVault vault = ClientVault.inMemory();
    OpenOptions options = OpenOptions.defaults().withInFlight(IN_FLIGHT);
    int[] model = new int[64];
    try (MasterKey key = MasterKey.generate();
        RemoteStore store = open(OPTIONS)) {
      try (AsyncOram oram = Orams.create(store, vault, config, key, options).async()) {
        Random random = new Random(1);
        for (int round = 0; round < ROUNDS; round++) {
          access(oram, random, model);
        }
      }
      try (Oram oram = Orams.open(store, vault, key)) {
        for (int block = 0; block < model.length; block++) {
          assertThat(oram.read(block, 1).getInt(0)).isEqualTo(model[block]);
        }
        assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      }
    }
  }

  private void access(AsyncOram oram, Random random, int[] model) throws IOException {
    Deque<CompletableFuture<Void>> writes = new ArrayDeque<>();
    List<Expected> reads = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      int block = random.nextInt(model.length);
      ByteBuffer buffer = ByteBuffer.allocate(512);
      if (random.nextBoolean()) {
        model[block] = random.nextInt();
        writes.add(oram.write(block, buffer.putInt(0, model[block])));
      } else {
        reads.add(new Expected(buffer, model[block], oram.read(block, 1, buffer)));
      }
      if (i == CALLS / 2) {
        restart();
      }
    }
    writes.forEach(CompletableFuture::join);
    for (Expected read : reads) {
      read.answer().join();
      assertThat(read.found().getInt(0)).isEqualTo(read.value());
    }
  }
}
