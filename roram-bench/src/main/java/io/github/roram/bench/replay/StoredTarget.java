package io.github.roram.bench.replay;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.ResourceStack;
import io.github.roram.bench.replay.DeviceContents.DevicePattern;
import io.github.roram.bench.replay.Replayer.ReplayedOram;
import io.github.roram.bench.replay.Target.ReplayDevice;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.file.FileOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A new store with an ORAM on it, which knows what every block must hold; deleted when it is
 * closed. Not thread safe.
 */
public final class StoredTarget extends Target {

  /**
   * Options for comparing ORAMs: without the syncs of journals. Classic Path ORAM has no journal,
   * and the syncs of the others would hide what their layouts save.
   */
  public static final OpenOptions UNSYNCED = OpenOptions.defaults().withDurability(Durability.NONE);

  private static final int HEAP_SHARE_FOR_FILLING = 4;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Key key;
  private Oram oram;
  private final DevicePattern pattern;

  /** What all blocks hold. */
  private DeviceContents contents;

  /**
   * What filling a store took.
   *
   * @param deviceBytes bytes of the device
   * @param storeBytes bytes written to the store for them
   * @param seconds measured time
   */
  public record Fill(long deviceBytes, long storeBytes, double seconds) {}

  /** Counts what an ORAM asks its store for. */
  private static final class Counting {
    private @Nullable CountingStore store;

    Roram at(String uri, StoreOptions options, Key key, OpenOptions open) {
      return Roram.at(uri)
          .store(options)
          .key(key)
          .options(open)
          .through(below -> store = new CountingStore(below));
    }

    CountingStore store() {
      return Objects.requireNonNull(store, "no store was opened");
    }
  }

  private StoredTarget(
      String uri,
      Key key,
      CountingStore store,
      Oram oram,
      DevicePattern pattern,
      DeviceContents contents,
      ResourceStack resources) {
    super(uri, store, resources, device(oram, contents));
    this.key = key;
    this.oram = oram;
    this.pattern = pattern;
    this.contents = contents;
  }

  private static ReplayDevice device(Oram oram, DeviceContents contents) {
    return new ReplayedOram(oram, contents, System::nanoTime);
  }

  /**
   * Creates a store at a URI and an ORAM on it, with a key of its own. All blocks are zeros; {@link
   * #fill} before measuring, since buckets that were never written are cheaper.
   *
   * @param open how the ORAM is opened; {@link #UNSYNCED} to compare it with others
   * @param seed of the contents that are written
   * @throws IOException if a store exists there, or cannot be created
   */
  public static StoredTarget create(
      String uri, StoreOptions options, OramConfig config, OpenOptions open, long seed)
      throws IOException {
    return create(new ResourceStack(), uri, options, config, open, seed);
  }

  /**
   * Creates a target on the resources that the store needs, which are closed with it, or if it
   * cannot be created.
   */
  public static StoredTarget create(
      ResourceStack resources,
      String uri,
      StoreOptions options,
      OramConfig config,
      OpenOptions open,
      long seed)
      throws IOException {
    return resources.closingOnFailure(
        () -> {
          MasterKey key = MasterKey.generate();
          resources.push(key::close);
          Key unlocking = Key.of(key);
          Counting counting = new Counting();
          Oram oram = counting.at(uri, options, unlocking, open).create(config);
          resources.push(() -> Stores.deleteIfThere(uri, options));
          resources.push(oram);
          DevicePattern pattern = new DevicePattern(seed, config.blockBytes());
          DeviceContents zeros = DeviceContents.zeros(config.blocks(), pattern);
          return new StoredTarget(
              uri, unlocking, counting.store(), oram, pattern, zeros, resources);
        });
  }

  /**
   * Returns a filled target in files below a directory, past the page cache; replaces what an
   * interrupted experiment left there.
   */
  public static StoredTarget onDisk(
      Path directory, OramConfig config, long seed, ProgressListener progress) throws IOException {
    String uri = uriBelow(directory, "store");
    StoreOptions options = FileOptions.defaults().withDirectIo(true).storeOptions();
    Stores.deleteIfThere(uri, options);
    return create(uri, options, config, UNSYNCED, seed).filled(progress);
  }

  /**
   * Returns the URI of a store of an experiment, which may delete existing files there: its name is
   * nobody's own, because the results may go to a directory where people have stores.
   */
  public static String uriBelow(Path directory, String name) {
    return "file:" + directory.resolve("roram-experiment-" + name);
  }

  /** This, filled; closed if that fails. */
  public StoredTarget filled(ProgressListener progress) throws IOException {
    return resources()
        .closingOnFailure(
            () -> {
              fill(progress);
              return this;
            });
  }

  /**
   * This, closed and opened anew where the same store has another address, as if it had a line
   * before it; closed if that fails.
   */
  public StoredTarget reopenedAt(String uri, StoreOptions options, OpenOptions open)
      throws IOException {
    return resources()
        .closingOnFailure(
            () -> {
              oram.close();
              Counting counting = new Counting();
              oram = counting.at(uri, options, key, open).open();
              resources().push(oram);
              use(counting.store(), device(oram, contents));
              return this;
            });
  }

  /**
   * Bulk-loads contents into every block, and syncs them; otherwise the replays would share the
   * disk with the write-back of the fill. Call it only before the first replay.
   */
  public Fill fill(ProgressListener progress) throws IOException {
    OramConfig config = oram.config();
    contents = DeviceContents.filled(config.blocks(), pattern);
    long memoryBytes = Runtime.getRuntime().maxMemory() / HEAP_SHARE_FOR_FILLING;
    progress.begin(config.scheme() + ": bulk load", "bytes", Orams.storeBytes(config));
    long start = System.nanoTime();
    try {
      AtomicLong done = new AtomicLong();
      contents.load(oram, memoryBytes, more -> progress.advanceTo(done.addAndGet(more)));
      store().sync();
    } finally {
      progress.end();
    }
    use(store(), device(oram, contents));
    double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
    return new Fill(config.bytes(), oram.stats().bulkLoadBytes(), seconds);
  }

  /** The ORAM. Writing to it, but by replays, makes later answers count as mismatches. */
  public Oram oram() {
    return oram;
  }
}
