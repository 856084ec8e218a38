package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.HeldVault;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.store.BlockStore;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.testkit.Batches;
import io.github.roram.testkit.TestOrams;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The user of an ORAM on a volume of a server, who does the same in every run: creates the volume,
 * which holds the ORAM of a template, reads and writes ranges, and knows what must be there. With
 * its journal.
 */
final class ScriptedClient {

  private static final int BLOCKS = 40;
  private static final int BLOCK_BYTES = 512;
  private static final int RANGE_BLOCKS = 4;
  private static final OramConfig CONFIG =
      OramConfig.builder(BLOCKS)
          .scheme("roram")
          .blockBytes(BLOCK_BYTES)
          .maxRangeBlocks(RANGE_BLOCKS)
          .sizeClasses(0, 2)
          .treetopBytes(0)
          .chunkPaths(4)
          .windowBlocks(3)
          .build();
  static final int STORE_BYTES = (int) Orams.storeBytes(CONFIG);

  private final byte[] model = new byte[BLOCKS * BLOCK_BYTES];
  private final MasterKey key = MasterKey.copyOf(new byte[32]);
  private final Random random = new Random(7);
  private final LabelSource labels;
  private final RemoteOptions options;
  private final HeldVault vault;
  private byte @Nullable [] failed;
  private int failedBlock;

  private ScriptedClient(RemoteOptions options, HeldVault vault) {
    this.options = options;
    this.vault = vault;
    Random labelRandom = new Random(8);
    labels = leaves -> labelRandom.nextInt() & (leaves - 1);
  }

  /** An empty ORAM, so that runs begin with the same secrets and thus ask for the same. */
  static final class Template {
    private final HeldVault vault = new HeldVault();
    private final byte[] content;
    private final byte[] watermark;

    Template() throws IOException {
      ScriptedClient creator = new ScriptedClient(RemoteOptions.defaults(), vault);
      try (MemoryStore store = new MemoryStore(STORE_BYTES)) {
        BlockStore shielded = new Shielded(store);
        TestOrams.create(shielded, vault, CONFIG, creator.key, creator.labels).close();
        content = Batches.read(store, Batches.of(1, 0, STORE_BYTES));
        watermark = store.watermarks().get(0);
      }
    }

    /** Puts it on a new volume. */
    BlockStore fill(BlockStore volume) {
      try {
        Batches.write(volume, Batches.of(1, 0, STORE_BYTES), content);
        volume.keepWatermark(watermark, true);
        return volume;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    ScriptedClient newClient(RemoteOptions options) {
      return new ScriptedClient(options, vault.copy());
    }
  }

  /** Everything, from creating the volume to closing the ORAM. */
  void run(RemoteAddress address, int accesses) throws IOException {
    RemoteVolumes.create(address, STORE_BYTES, options);
    try (RemoteStore store = RemoteStore.open(address, options, LeaseKeeper.in(vault));
        Oram oram = open(store)) {
      access(oram, accesses);
    }
  }

  /** Opens the ORAM on a store. */
  Oram open(BlockStore store) throws IOException {
    OpenOptions journalled =
        OpenOptions.defaults().withCheckpointBytes(1 << 20); // the journal is in memory
    return TestOrams.open(store, vault, CONFIG, key, journalled, labels);
  }

  /** Repeats the write that failed, if one did. */
  void settle(Oram oram) throws IOException {
    byte[] content = failed;
    if (content != null) {
      oram.write(failedBlock, ByteBuffer.wrap(content));
      System.arraycopy(content, 0, model, failedBlock * BLOCK_BYTES, content.length);
      failed = null;
    }
  }

  /** Accesses, and checks what was read. */
  void access(Oram oram, int accesses) throws IOException {
    for (int i = 0; i < accesses; i++) {
      access(oram, i % 3 != 2);
    }
  }

  private void access(Oram oram, boolean write) throws IOException {
    int count = 1 + random.nextInt(RANGE_BLOCKS);
    int block = random.nextInt(BLOCKS - count + 1);
    int from = block * BLOCK_BYTES;
    if (write) {
      byte[] content = new byte[count * BLOCK_BYTES];
      random.nextBytes(content);
      failedBlock = block;
      failed = content;
      oram.write(block, ByteBuffer.wrap(content));
      failed = null;
      System.arraycopy(content, 0, model, from, content.length);
    } else {
      assertThat(oram.read(block, count))
          .isEqualTo(ByteBuffer.wrap(model, from, count * BLOCK_BYTES));
    }
  }

  /** Opens the ORAM again: everything is there, and the whole store is sound. */
  void check(RemoteAddress address) throws IOException {
    try (RemoteStore store = RemoteStore.open(address, options, LeaseKeeper.in(vault));
        Oram oram = open(store)) {
      checkAll(oram);
    }
  }

  /** Everything is there, and the whole store is sound. */
  void checkAll(Oram oram) throws IOException {
    for (int block = 0; block < BLOCKS; block += RANGE_BLOCKS) {
      assertThat(oram.read(block, RANGE_BLOCKS))
          .isEqualTo(ByteBuffer.wrap(model, block * BLOCK_BYTES, RANGE_BLOCKS * BLOCK_BYTES));
    }
    assertThat(oram.verify((done, all) -> {}).findings()).isEmpty();
  }

  /** Stays open when its ORAM is closed. */
  private static final class Shielded extends FilterBlockStore {
    Shielded(BlockStore delegate) {
      super(delegate);
    }

    @Override
    public void close() {}
  }
}
