package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.storage.Rings;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What durability costs: bytes besides those of the trees, and syncs. */
final class JournalCostTest {

  private static final int RANGE = 256;
  private static final long TREETOP_BYTES = TreeParameters.DEFAULT_TREETOP_BYTES / 32;
  private static final double MOST_EXTRA = 0.05;

  /**
   * At the defaults but for blocks of an eighth of the bytes, and treetops of 1/32: as many levels
   * as 64 MB hold of a large tree would be nearly all of so small a one. With a tree for each class
   * the journal is little next to what the trees write; the default's two trees write far less, the
   * journal included.
   */
  @Test
  void journalBytesOfRanges() throws IOException {
    List<Bytes> ofMany = accesses(builder().sizeClasses(0, 1, 2, 3, 4, 5, 6, 7, 8).build());
    List<Bytes> ofFew = accesses(builder().build());
    for (int i = 0; i < ofMany.size(); i++) {
      Bytes many = ofMany.get(i);
      Bytes few = ofFew.get(i);
      assertThat(many.journal()).isLessThanOrEqualTo((long) (MOST_EXTRA * many.trees()));
      assertThat(few.journal()).isLessThanOrEqualTo(many.journal() + many.journal() / 100);
      assertThat(few.journal() + few.trees()).isLessThan((many.journal() + many.trees()) / 4);
    }
  }

  /** What was written while ranges were accessed. */
  private record Bytes(long journal, long trees) {}

  private static OramConfig.Builder builder() {
    return OramConfig.builder(1 << 14).blockBytes(512).treetopBytes(TREETOP_BYTES);
  }

  /** What reads cost a full store, and then what writes do. */
  private static List<Bytes> accesses(OramConfig config) throws IOException {
    CountingVault vault = new CountingVault(ClientVault.inMemory(), 0);
    try (MasterKey key = MasterKey.generate();
        CountingStore store = new CountingStore(new MemoryStore(Orams.storeBytes(config)));
        Oram oram = Orams.create(store, vault, config, key)) {
      for (int block = 0; block < config.blocks(); block += RANGE) {
        oram.write(block, ByteBuffer.allocate(RANGE * config.blockBytes()));
      }
      List<Bytes> readsAndWrites = new ArrayList<>();
      for (boolean writes : new boolean[] {false, true}) {
        store.reset();
        long journalBefore = vault.appendedBytes();
        access(oram, writes);
        Bytes bytes =
            new Bytes(vault.appendedBytes() - journalBefore, store.total().bytesWritten());
        System.out.printf(
            "%s of 2^8 blocks, %d trees: journal %d bytes, trees %d bytes, %.2f %%%n",
            writes ? "writes" : "reads",
            TreeParameters.of(config).trees().length,
            bytes.journal(),
            bytes.trees(),
            100.0 * bytes.journal() / bytes.trees());
        readsAndWrites.add(bytes);
      }
      return readsAndWrites;
    }
  }

  private static void access(Oram oram, boolean writes) throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < 20; i++) {
      int block = random.nextInt((int) oram.config().blocks() - RANGE + 1);
      if (writes) {
        oram.write(block, ByteBuffer.allocate(RANGE * oram.config().blockBytes()));
      } else {
        oram.read(block, RANGE);
      }
    }
  }

  /** Single blocks of 4 KB, with the client memory that the largest example of docs/ring.md has. */
  @Test
  void theRingsJournalIsHardlyLongerThanThatOfTrees() throws IOException {
    long ofRing = journalOfBlocks(Rings.of(1 << 14, 4096, 1, 220, 4, 4, 2));
    long ofTrees = journalOfBlocks(OramConfig.builder(1 << 14).trees(0).maxRangeBlocks(1).build());
    System.out.printf("journal of ring %d bytes, of trees(0) %d bytes%n", ofRing, ofTrees);
    assertThat(ofRing).isLessThanOrEqualTo(ofTrees + ofTrees / 50);
  }

  private static long journalOfBlocks(OramConfig config) throws IOException {
    CountingVault vault = new CountingVault(ClientVault.inMemory(), 0);
    try (MasterKey key = MasterKey.generate();
        MemoryStore store = new MemoryStore(Orams.storeBytes(config));
        Oram oram = Orams.create(store, vault, config, key)) {
      long before = vault.appendedBytes();
      for (int block = 0; block < 6 * 220; block++) {
        oram.write(block, ByteBuffer.allocate(config.blockBytes()));
      }
      return vault.appendedBytes() - before;
    }
  }

  /** Alone, an access syncs its intent and its blocks; together, callers share the latter. */
  @Test
  void callersShareSyncs() throws Exception {
    int accesses = 160;
    long alone = syncs(1, accesses, Durability.SYNC);
    long together = syncs(8, accesses, Durability.SYNC);
    // On a busy machine callers may come one after another, and have nothing to share.
    for (int again = 0; again < 5 && together >= alone * 2 / 3; again++) {
      together = syncs(8, accesses, Durability.SYNC);
    }
    System.out.printf("%d accesses: %d syncs of 1 thread, %d of 8%n", accesses, alone, together);
    assertThat(alone).isBetween(2L * accesses, 2L * accesses + accesses / 4);
    assertThat(together).isLessThan(alone * 2 / 3);
  }

  /** With {@code flush} an access syncs its intent alone. */
  @Test
  void flushHalvesTheSyncsOfOneCaller() throws Exception {
    int accesses = 160;
    long alone = syncs(1, accesses, Durability.FLUSH);
    assertThat(alone).isBetween((long) accesses, accesses + accesses / 8L);
  }

  private static long syncs(int threads, int accesses, Durability durability) throws Exception {
    OramConfig config =
        OramConfig.builder(1 << 10)
            .scheme("roram")
            .blockBytes(512)
            .maxRangeBlocks(4)
            .windowBlocks(4096)
            .build();
    CountingVault vault = new CountingVault(ClientVault.inMemory(), 1);
    OpenOptions options = OpenOptions.defaults().withDurability(durability);
    ExecutorService callers = Executors.newFixedThreadPool(threads);
    try (MasterKey key = MasterKey.generate();
        MemoryStore store = new MemoryStore(Orams.storeBytes(config));
        Oram oram = Orams.create(store, vault, config, key, options)) {
      long before = vault.syncs();
      List<Callable<Void>> calls = new ArrayList<>();
      for (int i = 0; i < accesses; i++) {
        int block = i;
        calls.add(
            () -> {
              oram.write(block, ByteBuffer.allocate(512));
              return null;
            });
      }
      for (Future<Void> call : callers.invokeAll(calls)) {
        call.get();
      }
      return vault.syncs() - before;
    } finally {
      callers.shutdownNow();
    }
  }
}
