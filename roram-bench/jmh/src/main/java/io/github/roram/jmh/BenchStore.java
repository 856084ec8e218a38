package io.github.roram.jmh;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.bench.replay.DeviceContents;
import io.github.roram.bench.replay.DeviceContents.DevicePattern;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A new store, in memory or in a temporary directory, with an ORAM on it; deleted when closed. */
final class BenchStore implements Closeable {

  /** The scheme that benchmarks without a choice of schemes are of. */
  static final String RORAM = "roram";

  private static final int BLOCK_BYTES = 4096;
  private static final int MAX_RANGE_BLOCKS = 256;
  private static final int[] SIZE_CLASSES = {0, 4, 8};
  private static final long SEED = 1;

  private final Path directory;
  private final String uri;
  private final CountingStore store;
  private final RawReplay requests;
  private final Oram oram;

  /**
   * Creates it.
   *
   * @param kind {@code mem}, {@code file} or, past the page cache, {@code direct}
   * @param scheme its id
   * @param threads that open and seal buckets; 0 for the default
   */
  BenchStore(String kind, String scheme, long blocks, int threads) throws IOException {
    this(kind, config(scheme, blocks, BLOCK_BYTES), options(scheme, threads), false);
  }

  /** Creates a store with other parameters; {@code replayed} if {@link #requests} will be used. */
  BenchStore(String kind, OramConfig config, OpenOptions options, boolean replayed)
      throws IOException {
    directory = Files.createTempDirectory("roram-jmh");
    uri = kind.equals("mem") ? "mem:" : "file:" + directory.resolve("store");
    RawReplay[] replays = new RawReplay[1];
    CountingStore[] counts = new CountingStore[1];
    try (MasterKey key = MasterKey.generate()) {
      oram =
          Roram.at(uri)
              .store(storeOptions(kind))
              .key(Key.of(key))
              .options(options)
              .through(
                  below -> {
                    replays[0] = new RawReplay(below, replayed);
                    counts[0] = new CountingStore(replays[0]);
                    return counts[0];
                  })
              .create(config);
    }
    requests = replays[0];
    store = counts[0];
  }

  Oram oram() {
    return oram;
  }

  /** Returns the store itself. */
  BlockStore store() {
    return requests.below();
  }

  /** Bytes read and written since creation. */
  long bytesMoved() {
    return store.total().bytes();
  }

  /** Bytes read and written in a phase since creation. */
  long bytes(IoPhase phase) {
    return store.of(phase).bytes();
  }

  /** Returns the requests since creation or the last replay. */
  RawReplay requests() {
    return requests;
  }

  /** Bulk-loads every block; returns the bytes written to the store. */
  long fill() throws IOException {
    DeviceContents contents =
        DeviceContents.filled(
            oram.config().blocks(), new DevicePattern(SEED, oram.config().blockBytes()));
    contents.load(oram, oram.config().bytes(), bytes -> {});
    return oram.stats().bulkLoadBytes();
  }

  @Override
  public void close() throws IOException {
    oram.close();
    Stores.deleteIfThere(uri, StoreOptions.defaults());
    Files.delete(directory);
  }

  /**
   * Returns the options of a store; {@code -Droram.readDepth} applies to all benchmarks that read
   * files.
   */
  private static StoreOptions storeOptions(String kind) {
    FileOptions options = FileOptions.defaults().withDirectIo(kind.equals("direct"));
    int readDepth = Integer.getInteger("roram.readDepth", options.readDepth());
    return options.withReadDepth(readDepth).storeOptions();
  }

  /** Returns options without a journal, so that the store alone is measured. */
  static OpenOptions options(String scheme, int threads) {
    OpenOptions options = OpenOptions.defaults().withDurability(Durability.NONE);
    return threads > 0 ? options.withThreads(threads) : options;
  }

  /** Returns the configuration of the benchmarks. */
  static OramConfig config(String scheme, long blocks) {
    return config(scheme, blocks, BLOCK_BYTES);
  }

  /** Returns the configuration with another block size. */
  static OramConfig config(String scheme, long blocks, int blockBytes) {
    OramConfig.Builder builder =
        OramConfig.builder(blocks)
            .scheme(scheme)
            .blockBytes(blockBytes)
            .maxRangeBlocks(MAX_RANGE_BLOCKS);
    return scheme.equals(RORAM) ? builder.sizeClasses(SIZE_CLASSES).build() : builder.build();
  }

  /** Accesses of ranges of one size at random places, a read and a write in turn. */
  static final class RandomAccesses {

    private final SplittableRandom random = new SplittableRandom(1);
    private final Oram oram;
    private final int rangeBlocks;
    private final ByteBuffer buffer;
    private boolean write;

    RandomAccesses(Oram oram, int rangeBlocks) {
      this.oram = oram;
      this.rangeBlocks = rangeBlocks;
      buffer = ByteBuffer.allocate(rangeBlocks * oram.config().blockBytes());
    }

    /** Makes the next access; returns what was read or written. */
    ByteBuffer next() throws IOException {
      long block = random.nextLong(oram.config().blocks() - rangeBlocks + 1);
      buffer.clear();
      if (write) {
        oram.write(block, buffer);
      } else {
        oram.read(block, rangeBlocks, buffer);
      }
      write = !write;
      return buffer;
    }
  }

  /**
   * Notes the requests that pass, so that they can be made again of another store of the same size
   * with nobody at work on what is transferred: what the store alone costs.
   */
  static final class RawReplay extends FilterBlockStore {

    private record Request(boolean write, ExtentBatch extents) {}

    private final boolean active;
    private final List<Request> requests = new ArrayList<>();

    /** Notes the requests of a store, if {@code active}. */
    RawReplay(BlockStore delegate, boolean active) {
      super(delegate);
      this.active = active;
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      note(false, batch);
      super.read(batch, sink);
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      note(true, batch);
      super.write(batch, source);
    }

    BlockStore below() {
      return delegate;
    }

    private void note(boolean write, ExtentBatch batch) {
      if (active) {
        requests.add(new Request(write, copy(batch)));
      }
    }

    private static ExtentBatch copy(ExtentBatch batch) {
      ExtentBatch copy = new ExtentBatch();
      copy.reset(batch.phase(), batch.tree(), batch.unitBytes());
      for (int extent = 0; extent < batch.extents(); extent++) {
        copy.add(batch.offset(extent), batch.units(extent));
      }
      return copy;
    }

    /** Makes the requests noted since the last call of another store. */
    void replayOn(BlockStore other) throws IOException {
      for (Request request : requests) {
        if (request.write()) {
          other.write(request.extents(), (firstUnit, units) -> units.position(units.limit()));
        } else {
          other.read(request.extents(), (firstUnit, units) -> units.position(units.limit()));
        }
      }
      requests.clear();
    }
  }
}
