package io.github.roram.bench.replay;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.trace.Trace;
import io.github.roram.bench.workload.DeviceContents;
import io.github.roram.bench.workload.DevicePattern;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.CountingStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A new store with an ORAM on it, ready to replay traces one after another: it counts what the
 * store is asked for and knows what every block must hold. Not thread safe.
 *
 * <p>Every scheme runs with {@link Durability#NONE}, so that the ORAMs alone are compared: classic
 * Path ORAM has no journal, and the syncs of the others' journals would hide what their layouts
 * save.
 */
public final class ReplayTarget implements Closeable {

  /**
   * What filling a store took.
   *
   * @param deviceBytes bytes of the device
   * @param storeBytes bytes written to the store for them
   * @param seconds measured time
   */
  public record Fill(long deviceBytes, long storeBytes, double seconds) {}

  private static final int HEAP_SHARE_FOR_FILLING = 4;
  private static final double NANOS_PER_SECOND = 1e9;

  private final OpenedStore opened;
  private final CountingStore store;
  private final Oram oram;
  private final DevicePattern pattern;
  private final String storeUri;
  private DeviceContents contents;
  private Replayer replayer;

  private ReplayTarget(
      String storeUri, OpenedStore opened, CountingStore store, Oram oram, long seed) {
    this.storeUri = storeUri;
    this.opened = opened;
    this.store = store;
    this.oram = oram;
    this.pattern = new DevicePattern(seed, oram.config().blockBytes());
    this.contents = DeviceContents.zeros(oram.config().blocks(), pattern);
    this.replayer = new Replayer(oram, store, storeUri, contents);
  }

  /**
   * Creates a store at a URI and an ORAM on it. All blocks are zeros; {@link #fill} before
   * measuring, since buckets that were never written are cheaper.
   *
   * @param key copied; the caller closes his handle
   * @param seed of the contents that are written
   * @throws IOException if a store exists there, or cannot be created
   */
  public static ReplayTarget create(
      String storeUri, StoreOptions options, OramConfig config, MasterKey key, long seed)
      throws IOException {
    return create(storeUri, options, config, key, seed, OpenOptions.defaults());
  }

  /** As above, opened with these options but for the durability, which is none. */
  public static ReplayTarget create(
      String storeUri,
      StoreOptions options,
      OramConfig config,
      MasterKey key,
      long seed,
      OpenOptions open)
      throws IOException {
    OpenedStore opened = Stores.create(storeUri, Orams.storeBytes(config), options);
    try {
      CountingStore store = new CountingStore(opened.store());
      OpenOptions use = open.withDurability(Durability.NONE);
      Oram oram = Orams.create(store, opened.vault(), config, key, use);
      return new ReplayTarget(storeUri, opened, store, oram, seed);
    } catch (IOException | RuntimeException e) {
      try (opened) {
        throw e;
      } finally {
        deleteIfThere(storeUri, options);
      }
    }
  }

  /**
   * Bulk loads contents into every block, and syncs them: else the replays would share the disk
   * with what the fill still had to write back. Only before the first replay.
   */
  public Fill fill(ProgressListener progress) throws IOException {
    OramConfig config = oram.config();
    DeviceContents filled = DeviceContents.filled(config.blocks(), pattern);
    long memoryBytes = Runtime.getRuntime().maxMemory() / HEAP_SHARE_FOR_FILLING;
    progress.begin(config.scheme() + ": bulk load", "bytes", Orams.storeBytes(config));
    long start = System.nanoTime();
    try (SeekableByteChannel source = filled.initialContents()) {
      AtomicLong done = new AtomicLong();
      oram.bulkLoad(source, memoryBytes, more -> progress.advanceTo(done.addAndGet(more)));
      store.sync();
    } finally {
      progress.end();
    }
    contents = filled;
    replayer = new Replayer(oram, store, storeUri, contents);
    double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
    return new Fill(config.bytes(), oram.stats().bulkLoadBytes(), seconds);
  }

  /** Replays a trace; the blocks keep what earlier replays wrote. */
  public ReplayResult replay(Trace trace, ReplayOptions options, ProgressListener progress)
      throws IOException {
    return replayer.replay(trace, options, progress);
  }

  /** The ORAM with its contents, for single accesses. */
  public ReplayDevice device() {
    return replayer.device();
  }

  /** Counts what the store is asked for. */
  public CountingStore store() {
    return store;
  }

  /** The ORAM. Writing to it without {@link #replay} makes later answers count as mismatches. */
  public Oram oram() {
    return oram;
  }

  private static void deleteIfThere(String storeUri, StoreOptions options) throws IOException {
    if (Stores.exists(storeUri, options)) {
      Stores.delete(storeUri, options);
    }
  }

  /** Closes the ORAM, saving its state, and the store. */
  @Override
  public void close() throws IOException {
    try (opened) {
      oram.close();
    }
  }
}
