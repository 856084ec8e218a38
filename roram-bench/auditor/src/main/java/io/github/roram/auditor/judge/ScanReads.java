package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.StoreMap.Level;
import io.github.roram.auditor.judge.StoreMap.Tree;
import io.github.roram.storage.view.Action;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/**
 * The reads that a scan must make: all that was ever written of one tree, level by level from the
 * root, in requests that are as long as may be.
 */
final class ScanReads {

  /** Bytes that a scan asks for at once. */
  private static final int REQUEST_BYTES = 4 << 20;

  private final StoreMap map;

  /** Offsets of the buckets of each request. */
  private final List<long[]> requests = new ArrayList<>();

  private int done;

  private ScanReads(StoreMap map) {
    this.map = map;
  }

  /** Of a tree with this counter: each level in the order in which evictions wrote it. */
  static ScanReads counted(StoreMap map, Tree tree, long evictions) {
    ScanReads reads = new ScanReads(map);
    for (Level level : tree.levels()) {
      long written = Math.min(1L << level.level(), evictions - tree.leaves());
      reads.add(level, evictions - written, written, offset -> true);
    }
    return reads;
  }

  /** Of a classic Path ORAM tree: the buckets that were written, by their places. */
  static ScanReads classic(StoreMap map, Tree tree, LongPredicate written) {
    ScanReads reads = new ScanReads(map);
    for (Level level : tree.levels()) {
      reads.add(level, 0, level.places(), written);
    }
    return reads;
  }

  /** Of a TaORAM tree: the buckets that were written, in their order, where they are now. */
  static ScanReads twofold(
      StoreMap map, Tree tree, WrittenBack writtenBack, LongPredicate written) {
    ScanReads reads = new ScanReads(map);
    for (Level level : tree.levels()) {
      long width = level.places() / 2;
      reads.add(width, bucket -> writtenBack.current(level, bucket), written);
    }
    return reads;
  }

  private void add(long count, LongUnaryOperator offset, LongPredicate written) {
    int most = Math.max(1, REQUEST_BYTES / map.bucketBytes());
    for (long from = 0; from < count; from += most) {
      long[] offsets =
          LongStream.range(from, Math.min(count, from + most))
              .map(offset)
              .filter(written)
              .toArray();
      if (offsets.length > 0) {
        requests.add(offsets);
      }
    }
  }

  private void add(Level level, long first, long count, LongPredicate written) {
    int most = Math.max(1, REQUEST_BYTES / map.bucketBytes());
    for (long from = first; from < first + count; from += most) {
      long[] offsets =
          LongStream.range(from, Math.min(first + count, from + most))
              .map(writer -> map.offset(level, writer))
              .filter(written)
              .toArray();
      if (offsets.length > 0) {
        requests.add(offsets);
      }
    }
  }

  /** Whether a request is the next one. */
  boolean take(Request request, long[] buckets) {
    boolean next =
        done < requests.size()
            && request.action() == Action.READ
            && Arrays.equals(requests.get(done), buckets);
    done += next ? 1 : 0;
    return next;
  }

  /** Whether all were made. */
  boolean isComplete() {
    return done == requests.size();
  }
}
