package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;

/** An ORAM in memory whose contents are known, and the parts that it is opened from. */
final class KnownOram implements AutoCloseable {

  final MasterKey key = MasterKey.generate();
  final ClientVault vault = ClientVault.inMemory();
  final OramConfig config;
  final WatchedStore store;
  final Random random;

  /** What it holds. */
  final byte[] model;

  /** Which blocks were ever written. */
  final BitSet written = new BitSet();

  Oram oram;
  private final int blockBytes;

  KnownOram(OramConfig config) throws IOException {
    this(config, 3);
  }

  KnownOram(OramConfig config, long seed) throws IOException {
    this.config = config;
    blockBytes = config.blockBytes();
    random = new Random(seed);
    model = new byte[(int) config.bytes()];
    store = new WatchedStore(Orams.storeBytes(config));
    oram = Orams.create(store, vault, config, key);
  }

  /** Bulk loads the first bytes of the array. */
  void load(int bytes) throws IOException {
    Path file = Files.createTempFile("known", "");
    Files.write(file, Arrays.copyOf(model, bytes));
    try (FileChannel source = FileChannel.open(file, StandardOpenOption.DELETE_ON_CLOSE)) {
      oram.bulkLoad(source, 1 << 20, loaded -> {});
    }
    written.set(0, bytes / blockBytes);
  }

  /** Reads and writes at random places, as many blocks each as the other generator says. */
  void use(int accesses, Random sizes) throws IOException {
    for (int i = 0; i < accesses; i++) {
      int count = 1 + sizes.nextInt(config.maxRangeBlocks());
      int block = random.nextInt((int) config.blocks() - count + 1);
      if (random.nextBoolean()) {
        byte[] data = new byte[count * blockBytes];
        random.nextBytes(data);
        System.arraycopy(data, 0, model, block * blockBytes, data.length);
        written.set(block, block + count);
        oram.write(block, ByteBuffer.wrap(data));
      } else {
        oram.read(block, count);
      }
    }
  }

  void use(int accesses) throws IOException {
    use(accesses, random);
  }

  /** Reads until one fails, which a failed eviction makes the next one do. */
  boolean useUntilOneFails(int most) {
    for (int i = 0; i < most; i++) {
      try {
        oram.read(random.nextInt((int) config.blocks()), 1);
      } catch (IOException e) {
        assertThat(e).hasMessage("injected");
        return true;
      }
    }
    return false;
  }

  /** Closes it, or has the process die, and opens the store in another one. */
  void reopen(boolean died) throws IOException {
    // Path ORAM has no journal.
    if (!died || "path".equals(config.scheme())) {
      oram.close();
    }
    oram = Orams.open(store, vault, key);
  }

  /** A place in a bucket, or where one may be. */
  int anyPlace() {
    int superblockBytes = 4096;
    return superblockBytes + random.nextInt((int) store.capacityBytes() - superblockBytes);
  }

  /** Scans; what blocks that do not come read as is zeros. */
  void checkScan() throws IOException {
    byte[] scanned = new byte[model.length];
    BitSet met = new BitSet();
    oram.scan(
        (block, data) -> {
          assertThat(met.get((int) block)).as("block %s comes again", block).isFalse();
          met.set((int) block);
          assertThat(data.isReadOnly()).isTrue();
          assertThat(data.remaining()).isEqualTo(blockBytes);
          data.get(scanned, (int) block * blockBytes, blockBytes);
        });
    assertThat(scanned).isEqualTo(model);
    BitSet missing = (BitSet) written.clone();
    missing.andNot(met);
    assertThat(missing.isEmpty()).isTrue();
  }

  VerifyReport verify() throws IOException {
    return oram.verify((done, total) -> {});
  }

  @Override
  public void close() {
    key.close();
  }
}
