package io.github.roram.netserver;

import io.github.roram.storage.remote.protocol.VolumeUseDescriptor.Part;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
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
 * beside one that writes.
 */
final class TopLevelCache extends FilterBlockStore {

  /** Of a volume's part in one array. */
  private static final long MAX_RANGE_BYTES = 1 << 30;

  /** Content of ranges by where they begin; none touches another unless both are long. */
  private final NavigableMap<Long, byte[]> ranges = new TreeMap<>();

  private final CacheBudget budget;
  private long heldBytes;

  /** Whether memory and volume hold the same, which nobody knows after a write that failed. */
  private volatile boolean valid = true;

  private TopLevelCache(BlockStore volume, CacheBudget budget) {
    super(volume);
    this.budget = budget;
  }

  /**
   * Loads what there is memory for: the first parts, all of each.
   *
   * @param parts within the volume, no two overlap
   */
  static TopLevelCache load(BlockStore volume, List<Part> parts, CacheBudget budget)
      throws IOException {
    TopLevelCache cache = new TopLevelCache(volume, budget);
    boolean loaded = false;
    try {
      cache.loadAll(cache.joined(parts));
      loaded = true;
      return cache;
    } finally {
      if (!loaded) {
        cache.close();
      }
    }
  }

  /** What there is memory for, in the order of the volume; neighbours are one. */
  private NavigableMap<Long, Long> joined(List<Part> parts) {
    NavigableMap<Long, Long> lengths = new TreeMap<>();
    for (Part part : parts) {
      if (part.bytes() > MAX_RANGE_BYTES || !budget.take(part.bytes())) {
        break;
      }
      heldBytes += part.bytes();
      lengths.put(part.offset(), part.bytes());
    }
    NavigableMap<Long, Long> joined = new TreeMap<>();
    lengths.forEach(
        (offset, bytes) -> {
          Map.Entry<Long, Long> before = joined.lastEntry();
          if (before != null
              && before.getKey() + before.getValue() == offset
              && before.getValue() + bytes <= MAX_RANGE_BYTES) {
            joined.put(before.getKey(), before.getValue() + bytes);
          } else {
            joined.put(offset, bytes);
          }
        });
    return joined;
  }

  private void loadAll(NavigableMap<Long, Long> lengths) throws IOException {
    for (Map.Entry<Long, Long> range : lengths.entrySet()) {
      byte[] content = new byte[Math.toIntExact(range.getValue())];
      ExtentBatch all = new ExtentBatch().reset(IoPhase.META, ExtentBatch.NO_TREE, 1);
      all.add(range.getKey(), content.length);
      delegate.read(all, (first, units) -> units.get(content, first, units.remaining()));
      ranges.put(range.getKey(), content);
    }
  }

  /** How much is in memory. */
  long heldBytes() {
    return heldBytes;
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    if (!valid) {
      delegate.read(batch, sink);
      return;
    }
    batch.checkWithin(capacityBytes());
    Reading reading = new Reading(batch, sink);
    for (int extent = 0; extent < batch.extents(); extent++) {
      reading.extent(batch.offset(extent), batch.units(extent));
    }
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
  private final class Reading {
    private final UnitSink sink;
    private final int unitBytes;
    private final ExtentBatch missing = new ExtentBatch();
    private int unit;
    private int firstMissing;
    private long cachedBytes;

    Reading(ExtentBatch batch, UnitSink sink) {
      this.sink = sink;
      unitBytes = batch.unitBytes();
      missing.reset(batch.phase(), batch.tree(), unitBytes);
    }

    void extent(long offset, int units) throws IOException {
      long at = offset;
      int left = units;
      while (left > 0) {
        Map.Entry<Long, byte[]> range = rangeAt(at);
        int run = Math.min(left, range == null ? untilNext(at) : whole(range, at));
        if (range != null && run > 0) {
          fromMemory(range, at, run);
        } else {
          run = Math.max(run, 1); // a unit that is in memory in part only
          missing.add(at, run);
        }
        unit += run;
        left -= run;
        at += (long) run * unitBytes;
      }
    }

    /** Units from there on that end in the range. */
    private int whole(Map.Entry<Long, byte[]> range, long at) {
      return (int) ((range.getKey() + range.getValue().length - at) / unitBytes);
    }

    /** Units from there on that begin before the next range. */
    private int untilNext(long at) {
      Long next = ranges.higherKey(at);
      return next == null
          ? Integer.MAX_VALUE
          : (int) Math.min(Integer.MAX_VALUE, (next - at + unitBytes - 1) / unitBytes);
    }

    private void fromMemory(Map.Entry<Long, byte[]> range, long at, int run) throws IOException {
      fromVolume();
      int bytes = run * unitBytes;
      sink.accept(
          unit,
          ByteBuffer.wrap(range.getValue(), (int) (at - range.getKey()), bytes)
              .slice()
              .asReadOnlyBuffer());
      cachedBytes += bytes;
      firstMissing = unit + run;
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
}
