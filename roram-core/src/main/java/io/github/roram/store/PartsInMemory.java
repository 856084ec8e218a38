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
 * The parts of a store that are held in memory, as in TaoStore's cache at the server. A request
 * reads a unit from memory if a single part contains all of the unit. Immutable.
 *
 * <p><b>Security.</b> What is in memory depends only on where the parts are, and so on the
 * parameters.
 */
public final class PartsInMemory {

  /** Longest range: each is held in one array. */
  private static final long MAX_RANGE_BYTES = 1 << 30;

  /** Lengths of ranges by their beginnings; two ranges are adjacent only if they are long. */
  private final NavigableMap<Long, Long> ranges;

  /** Receives runs of units in their order. */
  public interface Runs {

    /**
     * Receives units that are in memory.
     *
     * @param firstUnit number of the first unit in the request
     * @param range where the range that contains them begins, in bytes
     * @param offset where they begin in the store, in bytes
     * @param units number of units
     */
    void inMemory(int firstUnit, long range, long offset, int units) throws IOException;

    /** Receives units that are not in memory; adjacent ones may come one by one. */
    void missing(int firstUnit, long offset, int units) throws IOException;
  }

  private PartsInMemory(NavigableMap<Long, Long> ranges) {
    this.ranges = ranges;
  }

  /**
   * Returns the first parts for which there is memory, each in full.
   *
   * @param parts parts in descending order of how often they are read; no two overlap
   * @param takes reserves a number of bytes of memory, or returns false if there are fewer
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

  /** Joins adjacent parts. */
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

  /** Returns the ranges in memory, in the order of the store; each fits in an array. */
  public List<Part> ranges() {
    return ranges.entrySet().stream()
        .map(range -> new Part(range.getKey(), range.getValue()))
        .toList();
  }

  /** Returns the number of bytes in memory. */
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

  /** Returns the range that contains an offset, or null if there is none. */
  private Map.@Nullable Entry<Long, Long> rangeAt(long offset) {
    Map.Entry<Long, Long> range = ranges.floorEntry(offset);
    return range != null && offset - range.getKey() < range.getValue() ? range : null;
  }

  /** Returns the number of units from offset {@code at} on that end within the range. */
  private static int whole(Map.Entry<Long, Long> range, long at, int unitBytes) {
    return (int) ((range.getKey() + range.getValue() - at) / unitBytes);
  }

  /** Returns the number of units from offset {@code at} on that begin before the next range. */
  private int untilNext(long at, int unitBytes) {
    Long next = ranges.higherKey(at);
    return next == null
        ? Integer.MAX_VALUE
        : (int) Math.min(Integer.MAX_VALUE, (next - at + unitBytes - 1) / unitBytes);
  }
}
