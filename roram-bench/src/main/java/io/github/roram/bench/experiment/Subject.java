package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener.Alive;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.replay.ReplayDevice;
import io.github.roram.bench.replay.ReplayTarget;
import io.github.roram.crypto.MasterKey;
import io.github.roram.pattern.PatternOram;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A contender at work, filled and counted: without payload in memory, or with data on this
 * machine's disk. Not thread safe.
 *
 * @param device takes the accesses
 * @param store counts
 * @param end what to do at the end
 */
public record Subject(ReplayDevice device, CountingStore store, Closeable end)
    implements Closeable {

  /**
   * What an experiment measures in its own way: its device is not there, its store is empty.
   *
   * @param end what to do at the end
   */
  public static Subject ofItsOwn(Closeable end) {
    return new Subject(new NoDevice(), new CountingStore(new MemoryStore(1)), end);
  }

  /** An ORAM without payload. */
  public static Subject pattern(Contender contender, OramConfig config, Runnable alive)
      throws IOException {
    CountingStore[] counting = new CountingStore[1];
    UnaryOperator<BlockStore> counter =
        store -> {
          counting[0] = new CountingStore(store);
          return contender.traits().likePrototype() ? new SplitRequests(counting[0]) : counting[0];
        };
    PatternOram oram =
        contender.traits().likePrototype()
            ? PatternOram.createLikePrototype(config, counter)
            : PatternOram.create(config, counter);
    oram.fill(bytes -> alive.run());
    return new Subject(ReplayDevice.of(oram), counting[0], oram);
  }

  /** An ORAM with data, on files below a directory, past the page cache; deleted when closed. */
  public static Subject onDisk(OramConfig config, Path directory, int run, Runnable alive)
      throws IOException {
    String uri = "file:" + directory.resolve("store");
    if (Stores.exists(uri)) {
      // An interrupted experiment left it.
      Stores.delete(uri);
    }
    StoreOptions options = FileOptions.defaults().withDirectIo(true).storeOptions();
    try (MasterKey key = MasterKey.generate()) {
      ReplayTarget target = ReplayTarget.create(uri, options, config, key, run);
      target.fill(new Alive(alive));
      return new Subject(
          target.device(),
          target.store(),
          () -> {
            target.close();
            Stores.delete(uri);
          });
    }
  }

  /** What the store was asked for since its counts were reset. */
  public Map<IoPhase, IoCounts> phases() {
    Map<IoPhase, IoCounts> phases = new EnumMap<>(IoPhase.class);
    for (IoPhase phase : IoPhase.values()) {
      phases.put(phase, store.of(phase));
    }
    return phases;
  }

  @Override
  public void close() throws IOException {
    end.close();
  }

  /** Asks for one unit at a time, as a client without vectored I/O does. Not thread safe. */
  static final class SplitRequests extends FilterBlockStore {

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
}
