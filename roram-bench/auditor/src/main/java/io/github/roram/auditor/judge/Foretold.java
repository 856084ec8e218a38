package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Seen.SeenRequest;
import io.github.roram.auditor.judge.StoreMap.Level;
import io.github.roram.auditor.judge.StoreMap.Tree;
import io.github.roram.storage.view.Action;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** What a server that counts can foretell of requests: evictions, scans, TaORAM's write-backs. */
final class Foretold {

  private Foretold() {}

  /** Which buckets an eviction must read and write, if it follows the counter. */
  static final class EvictionPlaces {

    /** No number of paths fits. */
    static final int NONE = -1;

    private final StoreMap map;

    EvictionPlaces(StoreMap map) {
      this.map = map;
    }

    /** Offsets of the buckets that evictions {@code [first, first + paths)} write, leaves first. */
    long[] written(Tree tree, long first, int paths) {
      Offsets offsets = new Offsets();
      for (int level = tree.height(); level >= tree.treetopLevels(); level--) {
        int width = width(level, paths);
        offsets.add(tree, level, first + paths - width, width);
      }
      return offsets.done();
    }

    /** Offsets of the buckets that they read, root side first; none that were never written. */
    long[] read(Tree tree, long first, int paths) {
      Offsets offsets = new Offsets();
      for (int level = tree.treetopLevels(); level <= tree.height(); level++) {
        offsets.add(tree, level, first - (1L << level), width(level, paths));
      }
      return offsets.done();
    }

    /** Returns how many paths evictions from {@code first} on wrote, if these are their buckets. */
    int pathsWritten(Tree tree, long first, long[] buckets) {
      int leaves = 0;
      for (long offset : buckets) {
        Level level = map.levelAt(offset);
        leaves += level != null && level.level() == tree.height() ? 1 : 0;
      }
      // A chunk that is longer than the tree is wide writes every leaf once.
      int most = leaves == tree.leaves() ? Math.max(leaves, tree.chunkPaths()) : leaves;
      for (int paths = Math.max(1, leaves); paths <= most; paths++) {
        if (buckets.length > 0
            && buckets[0] == map.offset(tree.level(tree.height()), first + paths - leaves)
            && Arrays.equals(buckets, written(tree, first, paths))) {
          return paths;
        }
      }
      return NONE;
    }

    /**
     * Returns the counter from which evictions wrote these buckets, worked out from their places
     * alone: the rings of a tree's levels have different lengths, so together they tell. Of several
     * that fit it is the least. −1 if none fits.
     *
     * @param least the counter is this at least
     */
    long firstOf(Tree tree, long least, long[] buckets) {
      long step = 1;
      long end = 0;
      int paths = 0;
      int next = 0;
      // A level of which the client holds a part tells nothing that those below it do not.
      for (int level = tree.height(); level >= tree.firstWholeLevel(); level--) {
        if (next >= buckets.length) {
          return NONE;
        }
        Level at = tree.level(level);
        long place = map.place(at, buckets[next]);
        int width = 0;
        while (next < buckets.length && tree.level(level).equals(map.levelAt(buckets[next]))) {
          width++;
          next++;
        }
        paths = level == tree.height() ? width : paths;
        if (width == 0) {
          // The level was added and not written since.
          continue;
        }
        long tries = 0;
        while (Math.floorMod(end - width - place, at.places()) != 0) {
          end += step;
          if (++tries > at.places()) {
            return NONE;
          }
        }
        step = step / gcd(step, at.places()) * at.places();
      }
      while (end - paths < least) {
        end += step;
      }
      return end - paths;
    }

    /**
     * Returns the counter of a tree at which exactly these buckets have ever been written, derived
     * from their places alone; −1 if none fits.
     *
     * @param buckets level by level, from the root
     */
    long endOf(Tree tree, List<Long> buckets) {
      List<Long> leavesFirst = new ArrayList<>();
      int leaves = 0;
      for (int level = tree.height(); level >= tree.treetopLevels(); level--) {
        for (long offset : buckets) {
          if (tree.level(level).equals(map.levelAt(offset))) {
            leavesFirst.add(offset);
            leaves += level == tree.height() ? 1 : 0;
          }
        }
      }
      long first =
          firstOf(tree, tree.first(), leavesFirst.stream().mapToLong(Long::longValue).toArray());
      return first == NONE ? NONE : first + leaves;
    }

    private static long gcd(long a, long b) {
      return b == 0 ? a : gcd(b, a % b);
    }

    private static int width(int level, int paths) {
      return (int) Math.min(paths, 1L << level);
    }

    /** Collects offsets. */
    private final class Offsets {
      private long[] values = new long[64];
      private int count;

      void add(Tree tree, int level, long first, int width) {
        long from = Math.max(first, tree.level(level).since());
        for (long eviction = from; eviction < first + width; eviction++) {
          if (count == values.length) {
            values = Arrays.copyOf(values, 2 * count);
          }
          if (!tree.isHeld(level, eviction)) {
            values[count++] = map.offset(tree.level(level), eviction);
          }
        }
      }

      long[] done() {
        return Arrays.copyOf(values, count);
      }
    }
  }

  /**
   * The reads that a scan must make: all that was ever written of one tree, level by level from the
   * root, in requests that are as long as may be.
   */
  static final class ScanReads {

    /** Bytes that a scan asks for at once. */
    private static final int REQUEST_BYTES = 16 << 20;

    private final StoreMap map;

    /** Offsets of the buckets of each request. */
    private final List<long[]> requests = new ArrayList<>();

    private int done;

    private ScanReads(StoreMap map) {
      this.map = map;
    }

    /**
     * Returns the scan of a tree with this counter: each level in the order in which evictions
     * wrote it.
     */
    static ScanReads counted(StoreMap map, Tree tree, long evictions) {
      ScanReads reads = new ScanReads(map);
      for (Level level : tree.levels()) {
        long first = evictions - level.written(evictions);
        while (first < evictions) {
          long from = first;
          while (first < evictions
              && tree.isHeld(level.level(), from) == tree.isHeld(level.level(), first)) {
            first++;
          }
          if (!tree.isHeld(level.level(), from)) {
            reads.add(first - from, i -> map.offset(level, from + i), offset -> true);
          }
        }
      }
      return reads;
    }

    /** Returns the scan of a classic Path ORAM tree: the written buckets, by place. */
    static ScanReads classic(StoreMap map, Tree tree, LongPredicate written) {
      ScanReads reads = new ScanReads(map);
      for (Level level : tree.levels()) {
        reads.add(level.places(), place -> map.offset(level, place), written);
      }
      return reads;
    }

    /**
     * Returns the scan of a TaORAM tree: the written buckets, in order, at their present places.
     */
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

    /** Returns whether a request is the next one. */
    boolean take(SeenRequest request, long[] buckets) {
      boolean next =
          done < requests.size()
              && request.action() == Action.READ
              && Arrays.equals(requests.get(done), buckets);
      done += next ? 1 : 0;
      return next;
    }

    /** Returns whether all were made. */
    boolean isComplete() {
      return done == requests.size();
    }
  }

  /**
   * What a server can predict of a TaORAM. A read asks for the current places of one whole path. A
   * write goes to the other places of the k oldest paths that were read, level by level, each
   * bucket once. After an opening, all paths that were read and not written are fetched again.
   *
   * <p>After a crash, the last read may not have been complete, and the client may not know that
   * the last write-back was done: this shows in what it fetches. If it does not, because other
   * paths contain all buckets of the one in doubt, later requests show it, at the latest after the
   * next write-back.
   *
   * <p>In a view that begins with an older store, the place of a bucket shows when it is first read
   * or written. From then on it must be read there, and be written to its other place; which paths
   * are the oldest is unknown.
   */
  static final class WrittenBack {

    private final StoreMap map;
    private final Tree tree;

    /**
     * Everything that the client may know, given what was seen: at least one possibility; for an
     * older store exactly one.
     */
    private List<Known> possible = List.of(new Known(new ArrayList<>(), new BitSet(), 0, null));

    private boolean opened;
    private final boolean isOld;

    /**
     * Knowledge that a client may have.
     *
     * @param unwritten leaves of the paths that were read and must be written, oldest first
     * @param second the buckets whose current place is the second one
     * @param written number of buckets of the current write-back that were written
     * @param before knowledge before the last write-back
     */
    private record Known(
        List<Integer> unwritten, BitSet second, int written, @Nullable Known before) {

      /** Returns what a client that is opened may know. */
      List<Known> afterOpening() {
        List<Known> after = new ArrayList<>();
        after.add(new Known(unwritten, second, 0, before));
        if (!unwritten.isEmpty()) {
          List<Integer> complete = unwritten.subList(0, unwritten.size() - 1);
          after.add(new Known(new ArrayList<>(complete), second, 0, before));
        }
        if (before != null) {
          after.add(new Known(new ArrayList<>(before.unwritten), before.second, 0, null));
        }
        return after;
      }
    }

    /** For an older store, the buckets whose place was seen. */
    private final BitSet known = new BitSet();

    /**
     * Begins to predict.
     *
     * @param isOld whether the store was used before the view began
     */
    WrittenBack(StoreMap map, Tree tree, boolean isOld) {
      this.map = map;
      this.tree = tree;
      this.isOld = isOld;
    }

    /** Notes that the store was opened, after a crash or not. */
    void opened() {
      opened = true;
      known.clear();
    }

    /**
     * Returns whether a read of these buckets fetches paths again.
     *
     * @param isBeyond whether the access reads more than its class says: nothing else tells one
     *     path that is fetched again from one that is asked for
     */
    boolean isFetchedAgain(long[] buckets, boolean isBeyond) {
      if (!opened) {
        return false;
      }
      opened = false;
      if (isOld) {
        return isBeyond && learn(buckets, false);
      }
      List<Known> after =
          possible.stream().flatMap(known -> known.afterOpening().stream()).distinct().toList();
      List<Known> fetched =
          after.stream()
              .filter(known -> known.unwritten.size() > (isBeyond ? 0 : 1))
              .filter(known -> Arrays.equals(buckets, union(known.unwritten, known.second, false)))
              .toList();
      List<Known> nothing = after.stream().filter(known -> known.unwritten.isEmpty()).toList();
      if (!fetched.isEmpty()) {
        possible = fetched;
      } else if (!nothing.isEmpty()) {
        possible = nothing;
      }
      return !fetched.isEmpty();
    }

    /**
     * Returns whether buckets of an older store are read where they are, or written where they are
     * not, as far as that is known; it is known then.
     */
    boolean learn(long[] buckets, boolean writes) {
      BitSet second = possible.get(0).second;
      for (long offset : buckets) {
        int key = key(offset);
        boolean isThere = second.get(key) == isSecond(offset);
        if (known.get(key) && isThere == writes) {
          return false;
        }
        known.set(key);
        second.set(key, isSecond(offset));
      }
      return true;
    }

    private int key(long offset) {
      Level level = Objects.requireNonNull(map.levelAt(offset));
      int width = 1 << level.level();
      return width + ((int) map.place(level, offset) & (width - 1));
    }

    private boolean isSecond(long offset) {
      Level level = Objects.requireNonNull(map.levelAt(offset));
      return map.place(level, offset) >= 1L << level.level();
    }

    /** Returns whether these buckets are a path as it is; it then waits to be written. */
    boolean read(long[] buckets) {
      if (isOld && !learn(buckets, false)) {
        return false;
      }
      Level leaves = tree.level(tree.height());
      long last = buckets[buckets.length - 1];
      int leaf = (int) map.place(leaves, last) & (tree.leaves() - 1);
      List<Known> whole =
          possible.stream()
              .filter(known -> Arrays.equals(buckets, union(List.of(leaf), known.second, false)))
              .toList();
      possible = whole.isEmpty() ? possible : whole;
      if (!isOld) {
        possible.forEach(known -> known.unwritten.add(leaf));
      }
      return !whole.isEmpty();
    }

    /** Returns whether these buckets are written next. */
    boolean written(long[] buckets) {
      if (isOld) {
        return learn(buckets, true);
      }
      List<Known> after =
          possible.stream()
              .map(known -> afterWrite(known, buckets))
              .filter(Objects::nonNull)
              .distinct()
              .toList();
      if (!after.isEmpty()) {
        possible = after;
      }
      return !after.isEmpty();
    }

    /** Returns what is known after buckets were written; null if they are not the next. */
    private @Nullable Known afterWrite(Known known, long[] buckets) {
      List<Integer> unwritten = known.unwritten;
      if (unwritten.size() < tree.chunkPaths()) {
        return null;
      }
      List<Integer> oldest = unwritten.subList(0, tree.chunkPaths());
      long[] expected = union(oldest, known.second, true);
      int end = known.written + buckets.length;
      if (end > expected.length
          || !Arrays.equals(buckets, Arrays.copyOfRange(expected, known.written, end))) {
        return null;
      }
      if (end < expected.length) {
        return new Known(unwritten, known.second, end, known.before);
      }
      BitSet second = (BitSet) known.second.clone();
      keys(oldest).forEach(second::flip);
      return new Known(
          new ArrayList<>(unwritten.subList(tree.chunkPaths(), unwritten.size())),
          second,
          0,
          new Known(unwritten, known.second, 0, null));
    }

    /** Buckets of all levels that leaves meet, root side first. */
    private Set<Integer> keys(List<Integer> leaves) {
      Set<Integer> keys = new LinkedHashSet<>();
      for (int level = tree.treetopLevels(); level <= tree.height(); level++) {
        for (int leaf : leaves) {
          keys.add((1 << level) + (leaf & ((1 << level) - 1)));
        }
      }
      return keys;
    }

    private long[] union(List<Integer> leaves, BitSet places, boolean others) {
      return keys(leaves).stream()
          .mapToLong(key -> offset(key, places.get(key) != others))
          .toArray();
    }

    private long offset(int key, boolean isSecond) {
      int number = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(key);
      Level level = tree.level(number);
      long place = (isSecond ? 1L << number : 0) + key - (1L << number);
      return level.offset() + place * level.bucketBytes();
    }

    /** Returns where a bucket of a level is now. */
    long current(Level level, long bucket) {
      int key = (1 << level.level()) + (int) bucket;
      return offset(key, possible.get(0).second.get(key));
    }
  }
}
