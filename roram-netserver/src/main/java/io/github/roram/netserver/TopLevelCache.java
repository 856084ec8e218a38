package io.github.roram.netserver;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.OnFailure;
import io.github.roram.store.PartsInMemory;
import io.github.roram.store.StoreParts.Part;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Parts of a volume, the top levels of its trees, that are in memory as well: every access reads
 * one bucket of each level, so what is read there most is the smallest part (TaoStore's cache at
 * the server). Reads of them touch no medium; writes go to both, the volume first.
 *
 * <p><b>Security.</b> What comes from memory is a function of where it is, which whoever has the
 * server knows anyway: each access reads as much of it as any other.
 *
 * <p>Closing it leaves the volume open. Thread safety: reads are safe for use by several threads,
 * alongside one that writes.
 */
final class TopLevelCache extends FilterBlockStore {

  private final PartsInMemory parts;

  /** Content of their ranges by where they begin; all of it once it is loaded. */
  private final NavigableMap<Long, byte[]> ranges = new TreeMap<>();

  private final CacheBudget budget;
  private final Deque<Loading> toLoad = new ArrayDeque<>();
  private long heldBytes;

  /** Whether all is in memory: until then what is read comes from the volume. */
  private volatile boolean loaded;

  /** Whether memory and volume hold the same, which nobody knows after a write that failed. */
  private volatile boolean valid = true;

  private TopLevelCache(BlockStore volume, PartsInMemory parts, CacheBudget budget) {
    super(volume);
    this.parts = parts;
    this.budget = budget;
    heldBytes = parts.bytes();
    parts.ranges().forEach(range -> toLoad.add(new Loading(range)));
  }

  /** A range of which some may be in memory. */
  private static final class Loading {
    private final Part range;
    private int done;

    Loading(Part range) {
      this.range = range;
    }
  }

  /**
   * Takes what there is memory for: the first parts, all of each. Nothing is loaded yet.
   *
   * @param parts within the volume, no two overlap
   */
  static TopLevelCache of(BlockStore volume, List<Part> parts, CacheBudget budget) {
    return new TopLevelCache(volume, PartsInMemory.first(parts, budget::take), budget);
  }

  /**
   * Loads some more. A volume's writer does it between writes: all at once could take minutes. If
   * it fails this is closed.
   *
   * @param most bytes
   * @return whether there is more to be loaded
   */
  boolean load(int most) throws IOException {
    return OnFailure.close(
        this,
        () -> {
          loadSome(most);
          loaded = toLoad.isEmpty();
          return valid && !loaded;
        });
  }

  private void loadSome(int most) throws IOException {
    int left = most;
    while (valid && left > 0 && !toLoad.isEmpty()) {
      Loading next = toLoad.element();
      int bytes = (int) Math.min(left, next.range.bytes() - next.done);
      load(next, bytes);
      left -= bytes;
      if (next.done == next.range.bytes()) {
        toLoad.remove();
      }
    }
  }

  private void load(Loading next, int bytes) throws IOException {
    long offset = next.range.offset();
    byte[] content =
        ranges.computeIfAbsent(offset, start -> new byte[Math.toIntExact(next.range.bytes())]);
    int from = next.done;
    ExtentBatch some = new ExtentBatch().reset(IoPhase.META, ExtentBatch.NO_TREE, 1);
    some.add(offset + from, bytes);
    delegate.read(some, (first, units) -> units.get(content, from + first, units.remaining()));
    next.done += bytes;
  }

  /** How much is in memory, or will be. */
  long heldBytes() {
    return heldBytes;
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    if (!valid || !loaded) {
      delegate.read(batch, sink);
      return;
    }
    batch.checkWithin(capacityBytes());
    Reading reading = new Reading(batch, sink);
    parts.split(batch, reading);
    reading.end();
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    boolean written = false;
    try {
      delegate.write(batch, new Copying(batch, source));
      written = true;
    } finally {
      if (!written) {
        valid = false;
      }
    }
  }

  /** Gives its memory back, and serves from the volume. */
  @Override
  public void close() {
    valid = false;
    budget.give(heldBytes);
    heldBytes = 0;
  }

  /** The range that begins at or before an offset, if the offset is in it. */
  private Map.@Nullable Entry<Long, byte[]> rangeAt(long offset) {
    Map.Entry<Long, byte[]> range = ranges.floorEntry(offset);
    return range != null && offset - range.getKey() < range.getValue().length ? range : null;
  }

  /** A read, in the order of its units: runs of them from memory, and runs from the volume. */
  private final class Reading implements PartsInMemory.Runs {
    private final UnitSink sink;
    private final int unitBytes;
    private final ExtentBatch missing = new ExtentBatch();
    private int firstMissing;
    private long cachedBytes;

    Reading(ExtentBatch batch, UnitSink sink) {
      this.sink = sink;
      unitBytes = batch.unitBytes();
      missing.reset(batch.phase(), batch.tree(), unitBytes);
    }

    @Override
    public void missing(int firstUnit, long offset, int units) {
      missing.add(offset, units);
    }

    @Override
    public void inMemory(int firstUnit, long range, long offset, int units) throws IOException {
      fromVolume();
      int bytes = units * unitBytes;
      byte[] content = Objects.requireNonNull(ranges.get(range), "a range that was not loaded");
      sink.accept(
          firstUnit,
          ByteBuffer.wrap(content, (int) (offset - range), bytes).slice().asReadOnlyBuffer());
      cachedBytes += bytes;
      firstMissing = firstUnit + units;
    }

    private void fromVolume() throws IOException {
      if (missing.units() > 0) {
        int first = firstMissing;
        delegate.read(missing, (at, units) -> sink.accept(first + at, units));
        budget.observer().partRead(0, missing.bytes());
        missing.reset(missing.phase(), missing.tree(), unitBytes);
      }
    }

    void end() throws IOException {
      fromVolume();
      budget.observer().partRead(cachedBytes, 0);
    }
  }

  /** Copies to memory what is written. */
  private final class Copying implements UnitSource {
    private final ExtentBatch batch;
    private final UnitSource source;

    /** Pieces come in order: the next one is of this extent or a later one. */
    private int extent;

    Copying(ExtentBatch batch, UnitSource source) {
      this.batch = batch;
      this.source = source;
    }

    @Override
    public void fill(int firstUnit, ByteBuffer units) throws IOException {
      ByteBuffer filled = units.duplicate();
      source.fill(firstUnit, units);
      while (firstUnit >= batch.firstUnit(extent) + batch.units(extent)) {
        extent++;
      }
      long inExtent = (long) (firstUnit - batch.firstUnit(extent)) * batch.unitBytes();
      copy(batch.offset(extent) + inExtent, filled);
    }

    private void copy(long offset, ByteBuffer written) {
      long end = offset + written.remaining();
      Map.Entry<Long, byte[]> before = rangeAt(offset);
      long from = before == null ? offset : before.getKey();
      ranges
          .subMap(from, true, end, false)
          .forEach(
              (start, content) -> {
                long first = Math.max(start, offset);
                int bytes = (int) (Math.min(start + content.length, end) - first);
                written
                    .slice(written.position() + (int) (first - offset), bytes)
                    .get(content, (int) (first - start), bytes);
              });
    }
  }

  /** The memory that all volumes have for their top levels. Thread safety: safe. */
  static final class CacheBudget {

    private final ServerObserver observer;
    private final long totalBytes;
    private long heldBytes;

    CacheBudget(long totalBytes, ServerObserver observer) {
      this.totalBytes = totalBytes;
      this.observer = observer;
    }

    /** Is told what comes from the memory and what does not. */
    ServerObserver observer() {
      return observer;
    }

    /** Takes as much; false if there is less. */
    synchronized boolean take(long bytes) {
      if (bytes > totalBytes - heldBytes) {
        return false;
      }
      heldBytes += bytes;
      observer.cacheHolds(heldBytes);
      return true;
    }

    /** Gives back what was taken. */
    synchronized void give(long bytes) {
      heldBytes -= bytes;
      observer.cacheHolds(heldBytes);
    }
  }
}
