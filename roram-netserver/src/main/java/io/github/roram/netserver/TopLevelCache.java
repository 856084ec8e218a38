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
 * Keeps parts of a volume, the top levels of its trees, in memory as well. Every access reads one
 * bucket of each level, so the smallest levels are read most (TaoStore's cache at the server).
 * Reads of cached parts touch no medium; writes go to the volume first, then to memory.
 *
 * <p><b>Security.</b> Whether data come from memory depends only on their place, which the server
 * sees anyway: every access reads the same amount of cached data.
 *
 * <p>Closing the cache leaves the volume open. Thread safety: reads are safe for use by several
 * threads, concurrently with one writer.
 */
final class TopLevelCache extends FilterBlockStore {

  private final PartsInMemory parts;

  /** Content of the cached ranges by first offset; complete once {@link #loaded}. */
  private final NavigableMap<Long, byte[]> ranges = new TreeMap<>();

  private final CacheBudget budget;
  private final Deque<Loading> toLoad = new ArrayDeque<>();
  private long heldBytes;

  /** Whether everything is in memory; until then reads go to the volume. */
  private volatile boolean loaded;

  /** Whether memory and volume have the same content, which is unknown after a failed write. */
  private volatile boolean valid = true;

  private TopLevelCache(BlockStore volume, PartsInMemory parts, CacheBudget budget) {
    super(volume);
    this.parts = parts;
    this.budget = budget;
    heldBytes = parts.bytes();
    parts.ranges().forEach(range -> toLoad.add(new Loading(range)));
  }

  /** A range that is being loaded. */
  private static final class Loading {
    private final Part range;
    private int done;

    Loading(Part range) {
      this.range = range;
    }
  }

  /**
   * Creates a cache for the first parts, each complete, for which there is memory. Loads nothing
   * yet.
   *
   * @param parts parts within the volume, not overlapping
   */
  static TopLevelCache of(BlockStore volume, List<Part> parts, CacheBudget budget) {
    return new TopLevelCache(volume, PartsInMemory.first(parts, budget::take), budget);
  }

  /**
   * Loads some more. The volume's writer calls this between writes, because loading everything at
   * once could take minutes. If it fails, the cache is closed.
   *
   * @param most most bytes to load
   * @return whether more is to be loaded
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

  /** Returns the bytes that are in memory, or will be. */
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

  /** Gives the memory back; reads go to the volume. */
  @Override
  public void close() {
    valid = false;
    budget.give(heldBytes);
    heldBytes = 0;
  }

  /** Returns the range that contains an offset, if one does. */
  private Map.@Nullable Entry<Long, byte[]> rangeAt(long offset) {
    Map.Entry<Long, byte[]> range = ranges.floorEntry(offset);
    return range != null && offset - range.getKey() < range.getValue().length ? range : null;
  }

  /** Reads units in order: runs of them from memory, and runs from the volume. */
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

  /** Copies written data to memory. */
  private final class Copying implements UnitSource {
    private final ExtentBatch batch;
    private final UnitSource source;

    /**
     * Current extent. Pieces arrive in order, so the next piece is of this extent or a later one.
     */
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

  /** The memory for top levels that all volumes share. Thread safety: safe. */
  static final class CacheBudget {

    private final ServerObserver observer;
    private final long totalBytes;
    private long heldBytes;

    CacheBudget(long totalBytes, ServerObserver observer) {
      this.totalBytes = totalBytes;
      this.observer = observer;
    }

    /** Returns the observer, which learns how much is read from memory and from volumes. */
    ServerObserver observer() {
      return observer;
    }

    /** Takes bytes; returns false if there are fewer. */
    synchronized boolean take(long bytes) {
      if (bytes > totalBytes - heldBytes) {
        return false;
      }
      heldBytes += bytes;
      observer.cacheHolds(heldBytes);
      return true;
    }

    /** Gives bytes back. */
    synchronized void give(long bytes) {
      heldBytes -= bytes;
      observer.cacheHolds(heldBytes);
    }
  }
}
