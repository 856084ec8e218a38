package io.github.roram.store;

import io.github.roram.store.StoreParts.Part;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Which parts of a store are in memory, and so what of a request is read there: the units that lie
 * in them whole (TaoStore's cache at the server). Immutable.
 *
 * <p><b>Security.</b> A function of where the parts are, which follows from the parameters.
 */
public final class PartsInMemory {

  /** Of a range: it is held in one array. */
  private static final long MAX_RANGE_BYTES = 1 << 30;

  /** Length of ranges by where they begin; none touches another unless both are long. */
  private final NavigableMap<Long, Long> ranges;

  /** Takes runs of units in their order. */
  public interface Runs {

    /**
     * Units that are in memory.
     *
     * @param firstUnit number of the first one in the request
     * @param range where the range begins that they are in
     * @param offset where they begin in the store
     */
    void inMemory(int firstUnit, long range, long offset, int units) throws IOException;

    /** Units that are not, as above; neighbours may come one by one. */
    void missing(int firstUnit, long offset, int units) throws IOException;
  }

  private PartsInMemory(NavigableMap<Long, Long> ranges) {
    this.ranges = ranges;
  }

  /**
   * The first parts for which there is memory, all of each.
   *
   * @param parts what is read most first; no two overlap
   * @param takes takes so many bytes of memory, or says that there are fewer
   */
  public static PartsInMemory first(List<Part> parts, LongPredicate takes) {
    NavigableMap<Long, Long> taken = new TreeMap<>();
    for (Part part : parts) {
      if (part.bytes() > MAX_RANGE_BYTES || !takes.test(part.bytes())) {
        break;
      }
      taken.put(part.offset(), part.bytes());
    }
    return new PartsInMemory(joined(taken));
  }

  /** Neighbours are one. */
  private static NavigableMap<Long, Long> joined(NavigableMap<Long, Long> parts) {
    NavigableMap<Long, Long> joined = new TreeMap<>();
    parts.forEach(
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

  /** What is in memory, in the order of the store; a range is no longer than an array can be. */
  public List<Part> ranges() {
    return ranges.entrySet().stream()
        .map(range -> new Part(range.getKey(), range.getValue()))
        .toList();
  }

  /** Number of bytes in memory. */
  public long bytes() {
    return ranges.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Splits the units of a request. */
  public void split(ExtentBatch batch, Runs runs) throws IOException {
    for (int extent = 0; extent < batch.extents(); extent++) {
      long at = batch.offset(extent);
      int unit = batch.firstUnit(extent);
      int left = batch.units(extent);
      while (left > 0) {
        Map.Entry<Long, Long> range = rangeAt(at);
        int run =
            Math.min(
                left,
                range == null
                    ? untilNext(at, batch.unitBytes())
                    : whole(range, at, batch.unitBytes()));
        if (range != null && run > 0) {
          runs.inMemory(unit, range.getKey(), at, run);
        } else {
          run = Math.max(run, 1); // a unit that is in memory in part only
          runs.missing(unit, at, run);
        }
        unit += run;
        left -= run;
        at += (long) run * batch.unitBytes();
      }
    }
  }

  /** The range that begins at or before an offset, if the offset is in it. */
  private Map.@Nullable Entry<Long, Long> rangeAt(long offset) {
    Map.Entry<Long, Long> range = ranges.floorEntry(offset);
    return range != null && offset - range.getKey() < range.getValue() ? range : null;
  }

  /** Units from there on that end in the range. */
  private static int whole(Map.Entry<Long, Long> range, long at, int unitBytes) {
    return (int) ((range.getKey() + range.getValue() - at) / unitBytes);
  }

  /** Units from there on that begin before the next range. */
  private int untilNext(long at, int unitBytes) {
    Long next = ranges.higherKey(at);
    return next == null
        ? Integer.MAX_VALUE
        : (int) Math.min(Integer.MAX_VALUE, (next - at + unitBytes - 1) / unitBytes);
  }
}
