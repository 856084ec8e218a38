package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.CopiedProcess;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.paging.PageStore;
import io.github.roram.storage.HeldVault;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.testkit.FaultyStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process in which a client runs is copied in the middle of its work, and every copy goes on with
 * other data: no key and nonce seals twice, in buckets, pages, the journal and the records, and
 * each copy shows labels of its own. Group {@code gate} takes more copies.
 */
@Isolated("the JVM's cipher is replaced")
final class ResumedCopiesTest {

  private static final int BLOCKS = 32;
  private static final int BLOCK_BYTES = 512;

  /** What is read of a store. */
  private static final class Reads extends FilterBlockStore {
    private final List<Long> offsets = new ArrayList<>();

    Reads(BlockStore delegate) {
      super(delegate);
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      for (int extent = 0; extent < batch.extents(); extent++) {
        offsets.add(batch.offset(extent));
      }
      delegate.read(batch, sink);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao", "detwo"})
  void everyCopySealsAndShowsWhatIsItsOwn(String scheme) throws IOException {
    copiesGoOn(scheme, 500);
  }

  @Tag("gate")
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao", "detwo"})
  void manyCopies(String scheme) throws IOException {
    copiesGoOn(scheme, 1_700);
  }

  private static void copiesGoOn(String scheme, int copies) throws IOException {
    OramConfig.Builder builder =
        OramConfig.builder(BLOCKS).scheme(scheme).blockBytes(BLOCK_BYTES).maxRangeBlocks(2);
    if (!scheme.equals("detwo")) {
      builder.treetopBytes(0).chunkPaths(2).windowBlocks(0);
    }
    OramConfig config = builder.build();
    FaultyStore store = new FaultyStore(new MemoryStore(Orams.storeBytes(config)));
    HeldVault vault = new HeldVault();
    Set<List<Long>> shown = new HashSet<>();
    try (MasterKey key = MasterKey.generate();
        CopiedProcess process = new CopiedProcess()) {
      Orams.create(store, vault, config, key).close();
      byte[] storeCopy = store.snapshot(0, (int) store.capacityBytes());
      List<byte[]> watermarks = store.watermarks();
      Map<String, byte[]> vaultCopy = vault.snapshot();
      for (int copy = 0; copy < copies; copy++) {
        store.restore(0, storeCopy);
        for (byte[] watermark : watermarks) {
          store.keepWatermark(watermark, true);
        }
        vault.restore(vaultCopy);
        process.begin();
        Reads reads = new Reads(store);
        try (Oram oram = Orams.open(reads, vault, key)) {
          write(oram, 3, 0);
          reads.offsets.clear();
          process.resume();
          write(oram, 6, copy);
        }
        shown.add(List.copyOf(reads.offsets));
      }
      assertThat(process.messages()).isGreaterThan(6 * copies);
      assertThat(process.keysOfAllCopies())
          .as("keys of buckets and, but for Path ORAM, of the journal")
          .isEqualTo(scheme.equals("path") ? 1 : 2);
      if (!scheme.equals("detwo")) {
        // Few leaves: some meet by chance.
        assertThat(shown.size()).isGreaterThan(copies / 2);
      }
    }
  }

  /** Pages that are sealed without an ORAM, too. */
  @Test
  void everyCopySealsPagesOfItsOwn() throws IOException {
    int copies = 1_700;
    byte[] page = new byte[BLOCK_BYTES];
    try (MasterKey key = MasterKey.generate();
        CopiedProcess process = new CopiedProcess()) {
      for (int copy = 0; copy < copies; copy++) {
        process.begin();
        BlockStore store = new MemoryStore(PageStore.sealedBytes(2, BLOCK_BYTES));
        try (PageStore pages = PageStore.sealedWithoutOram(store, 2, BLOCK_BYTES, key)) {
          pages.write(1, page);
          process.resume();
          page[0] = (byte) copy;
          pages.write(1, page);
          pages.write(0, page);
        }
      }
      assertThat(process.messages()).isEqualTo(2 * copies);
      assertThat(process.keysOfAllCopies()).isEqualTo(1);
    }
  }

  private static void write(Oram oram, int times, int value) throws IOException {
    byte[] block = new byte[BLOCK_BYTES];
    Arrays.fill(block, (byte) value);
    block[0] = (byte) (value >> 8);
    for (int i = 0; i < times; i++) {
      oram.write(5, ByteBuffer.wrap(block));
    }
  }
}
