package io.github.roram.bench.replay;

import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.ResourceStack;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.replay.Replayer.ReplayOptions;
import io.github.roram.bench.trace.Trace;
import io.github.roram.open.Orams;
import io.github.roram.pattern.PatternOram;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * An ORAM that is measured, and a count of what it asks its store for: with data ({@link
 * StoredTarget}), or the access pattern of one, exact at any scale. Not thread safe.
 */
public class Target implements Closeable {

  private static final String WITHOUT_PAYLOAD = "no-payload";

  private final String name;
  private final ResourceStack resources;
  private CountingStore store;
  private Replayer replayer;

  /** What the trees of an access pattern hold at first. */
  public enum Start {
    /** Nothing: buckets that were never written are not asked for, which flatters. */
    EMPTY,
    /** All blocks. */
    FULL,
    /** Nothing, in buckets that count as written: at any size, of schemes on the tree engine. */
    AS_WRITTEN
  }

  Target(String name, CountingStore store, ResourceStack resources, ReplayDevice device) {
    this.name = name;
    this.store = store;
    this.resources = resources;
    replayer = new Replayer(device, store, name);
  }

  /** Returns what is closed with it. */
  final ResourceStack resources() {
    return resources;
  }

  /**
   * Returns the access pattern of a contender with full trees.
   *
   * @param alive called often
   */
  public static Target pattern(Contender contender, OramConfig config, Runnable alive)
      throws IOException {
    CountingStore[] counting = new CountingStore[1];
    boolean split = contender.traits().likePrototype();
    UnaryOperator<BlockStore> counter =
        store -> {
          counting[0] = new CountingStore(store);
          return split ? new SplitRequests(counting[0]) : counting[0];
        };
    PatternOram oram =
        split
            ? PatternOram.createLikePrototype(config, counter)
            : PatternOram.create(config, counter);
    oram.fill(bytes -> alive.run());
    return of(oram, counting[0]);
  }

  /** Returns the access pattern of a configuration. */
  public static Target pattern(OramConfig config, Start start, ProgressListener progress)
      throws IOException {
    CountingStore[] counting = new CountingStore[1];
    UnaryOperator<BlockStore> counter = store -> counting[0] = new CountingStore(store);
    PatternOram oram =
        start == Start.AS_WRITTEN
            ? PatternOram.createAsWritten(config, counter)
            : PatternOram.create(config, counter);
    if (start == Start.FULL) {
      progress.begin(
          config.scheme() + ": filling without payload", "bytes", Orams.storeBytes(config));
      try {
        AtomicLong done = new AtomicLong();
        oram.fill(more -> progress.advanceTo(done.addAndGet(more)));
      } finally {
        progress.end();
      }
    }
    return of(oram, counting[0]);
  }

  private static Target of(PatternOram oram, CountingStore store) {
    ResourceStack resources = new ResourceStack();
    resources.push(oram);
    ReplayDevice device = new PatternDevice(oram, System::nanoTime);
    return new Target(WITHOUT_PAYLOAD, store, resources, device);
  }

  /** Replays a trace; what earlier replays wrote stays. */
  public ReplayResult replay(Trace trace, ReplayOptions options, ProgressListener progress)
      throws IOException {
    return replayer.replay(trace, options, progress);
  }

  /** Replays traces one after another. */
  public List<ReplayResult> replay(
      List<Trace> traces, ReplayOptions options, ProgressListener progress) throws IOException {
    List<ReplayResult> results = new ArrayList<>();
    for (Trace trace : traces) {
      results.add(replay(trace, options, progress));
    }
    return results;
  }

  /** The ORAM, for single accesses. */
  public ReplayDevice device() {
    return replayer.device();
  }

  /** Directs accesses to another device, on a store that counts them. */
  final void use(CountingStore newStore, ReplayDevice device) {
    store = newStore;
    replayer = new Replayer(device, store, name);
  }

  /** Counts what the store is asked for. */
  public CountingStore store() {
    return store;
  }

  /** Returns what the store was asked for since its counts were reset. */
  public Map<IoPhase, IoCounts> phases() {
    return phases(store);
  }

  /** Returns what a store was asked for since its counts were reset. */
  public static Map<IoPhase, IoCounts> phases(CountingStore store) {
    Map<IoPhase, IoCounts> phases = new EnumMap<>(IoPhase.class);
    for (IoPhase phase : IoPhase.values()) {
      phases.put(phase, store.of(phase));
    }
    return phases;
  }

  /** Closes the ORAM and all that it has of its own. */
  @Override
  public void close() throws IOException {
    resources.close();
  }

  /** An access pattern as a device: without contents. */
  private record PatternDevice(PatternOram oram, LongSupplier nanoClock) implements ReplayDevice {

    @Override
    public OramConfig config() {
      return oram.config();
    }

    @Override
    public OramStats stats() {
      return oram.stats();
    }

    @Override
    public long read(long block, int count, boolean verify) throws IOException {
      if (verify) {
        throw new IllegalArgumentException(
            "answers cannot be verified, the ORAM holds no data; replay with payload");
      }
      return access(block, count, false);
    }

    @Override
    public long write(long block, int count) throws IOException {
      return access(block, count, true);
    }

    private long access(long block, int count, boolean write) throws IOException {
      long start = nanoClock.getAsLong();
      oram.access(block, count, write);
      return nanoClock.getAsLong() - start;
    }

    @Override
    public long mismatches() {
      return 0;
    }

    @Override
    public boolean canVerify() {
      return false;
    }
  }

  /** Asks for one unit at a time, as a client without vectored I/O does. Not thread safe. */
  private static final class SplitRequests extends FilterBlockStore {

    private final ExtentBatch single = new ExtentBatch();

    SplitRequests(BlockStore delegate) {
      super(delegate);
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      for (int unit = 0; unit < batch.units(); unit++) {
        int number = unit;
        delegate.read(one(batch, unit), (first, units) -> sink.accept(number, units));
      }
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      for (int unit = 0; unit < batch.units(); unit++) {
        int number = unit;
        delegate.write(one(batch, unit), (first, units) -> source.fill(number, units));
      }
    }

    private ExtentBatch one(ExtentBatch batch, int unit) {
      int extent = 0;
      while (batch.firstUnit(extent) + batch.units(extent) <= unit) {
        extent++;
      }
      long within = (long) (unit - batch.firstUnit(extent)) * batch.unitBytes();
      single.reset(batch.phase(), batch.tree(), batch.unitBytes());
      single.add(batch.offset(extent) + within, 1);
      return single;
    }
  }

  /**
   * What accesses are replayed on: an ORAM with its contents, or only the access pattern of one.
   * Not thread safe.
   */
  public interface ReplayDevice {

    /** Returns the parameters of the ORAM. */
    OramConfig config();

    /** Returns what the ORAM did and holds. */
    OramStats stats();

    /**
     * Reads blocks.
     *
     * @param verify whether to check every byte of the answer
     * @return nanoseconds inside of the ORAM
     */
    long read(long block, int count, boolean verify) throws IOException;

    /**
     * Writes new contents into blocks.
     *
     * @return nanoseconds inside of the ORAM
     */
    long write(long block, int count) throws IOException;

    /** Blocks answered with wrong contents so far. */
    long mismatches();

    /** Returns whether there are contents that answers can be checked against. */
    boolean canVerify();
  }
}
