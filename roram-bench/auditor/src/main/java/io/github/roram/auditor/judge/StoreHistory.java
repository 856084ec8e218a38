package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Foretold.EvictionPlaces;
import io.github.roram.auditor.judge.Foretold.ScanReads;
import io.github.roram.auditor.judge.Foretold.WrittenBack;
import io.github.roram.auditor.judge.Seen.SeenRequest;
import io.github.roram.auditor.judge.Seen.Step;
import io.github.roram.auditor.judge.ShownPaths.Shown;
import io.github.roram.auditor.judge.StoreMap.Level;
import io.github.roram.auditor.judge.StoreMap.Tree;
import io.github.roram.storage.view.Action;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Understands what the store saw, as a server can: evictions are told by their places, which follow
 * from a counter for each tree; every other read of a tree is one of random paths.
 *
 * <p>A view may begin with an older store. Then the places of its first eviction tell the counter,
 * since the rings of a tree's levels have different lengths; without any they stay unknown, and
 * reads are not explained. After a crash the counter may have gone back by the chunks that were not
 * committed: the next eviction tells by how many; reads before it are explained with it, and where
 * none follows they stay without labels.
 */
final class StoreHistory {

  private static final long UNKNOWN = -1;

  private final StoreMap map;
  private final EvictionPlaces places;
  private final ShownPaths paths;
  private final List<SeenRequest> requests;
  private final List<Step> steps = new ArrayList<>();

  /** cnt of every tree; {@link #UNKNOWN} where no eviction tells it. */
  private final long[] counters;

  private boolean bulkLoad;

  /** Blocks that the store is to have once its superblock is written; 0 if it is not to grow. */
  private long growing;

  /** Blocks of the access at hand. */
  private long accessBlocks;

  /** Whether the access at hand has read random paths, as each does before it evicts. */
  private boolean pathsRead;

  /** What the scan at hand must read; null between scans. */
  private @Nullable ScanReads scan;

  /** What follows from the paths that were read; null but for a TaORAM. */
  private final @Nullable WrittenBack writtenBack;

  /** Classic: the buckets that were written since the view began. */
  private final Set<Long> written = new HashSet<>();

  /** Classic: whether every bucket was. */
  private boolean loaded;

  private StoreHistory(StoreMap map, List<SeenRequest> requests) {
    this.map = map;
    this.requests = requests;
    places = new EvictionPlaces(map);
    paths = new ShownPaths(map);
    counters = new long[map.trees().size()];
    writtenBack =
        map.isTwofold() ? new WrittenBack(map, map.trees().get(0), !isCreated(requests)) : null;
  }

  /** Returns the steps of a run, a request each, oldest first. */
  static List<Step> of(StoreMap map, List<SeenRequest> requests) {
    return new StoreHistory(map, requests).walk();
  }

  private List<Step> walk() {
    for (Tree tree : map.trees()) {
      counters[tree.number()] = start(tree);
    }
    for (int i = 0; i < requests.size(); i++) {
      SeenRequest request = requests.get(i);
      if (request.isTransfer()) {
        steps.add(transfer(request, i));
        continue;
      }
      if (request.declared()) {
        declared(request, i);
      } else if (request.action() == Action.OPEN && writtenBack != null) {
        accessBlocks = 0;
        writtenBack.opened();
      }
      steps.add(Step.plain(request));
    }
    return steps;
  }

  private void declared(SeenRequest request, int index) {
    scan = null;
    switch (request.action()) {
      case GROW -> growing = request.extents().get(0).bytes();
      case BULK_LOAD -> bulkLoad = true;
      case ACCESS -> {
        endBulkLoad();
        pathsRead = false;
        accessBlocks = request.extents().get(0).bytes();
      }
      case CRASH -> goBack(index);
      case SCAN -> {
        endBulkLoad();
        scan = scanned(index);
      }
      default -> {}
    }
  }

  /** Returns where a tree's counter stood when the view began. */
  private long start(Tree tree) {
    for (int i = 0; i < requests.size() && !map.isClassic(); i++) {
      SeenRequest request = requests.get(i);
      if (request.declared() && request.action() == Action.BULK_LOAD) {
        return tree.leaves();
      }
      long[] buckets = bucketsOf(request, Action.WRITE, tree);
      if (buckets != null) {
        boolean fresh = places.pathsWritten(tree, tree.first(), buckets) != EvictionPlaces.NONE;
        long found = fresh ? tree.first() : places.firstOf(tree, tree.first(), buckets);
        if (!isCreated(requests)
            && found != EvictionPlaces.NONE
            && !isRead(tree, found, buckets, i)) {
          // The rings are round: all was written before, since more was read for it.
          long later = places.firstOf(tree, 2L * tree.leaves(), buckets);
          found = isRead(tree, later, buckets, i) ? later : found;
        }
        return found == EvictionPlaces.NONE ? tree.first() : found;
      }
    }
    return map.isClassic() || isCreated(requests) ? tree.first() : UNKNOWN;
  }

  /**
   * Returns whether what was read last of a tree before a write is what evictions from there on
   * read.
   */
  private boolean isRead(Tree tree, long first, long[] written, int index) {
    int paths = places.pathsWritten(tree, first, written);
    for (int i = index - 1; i >= 0 && paths != EvictionPlaces.NONE; i--) {
      long[] read = bucketsOf(requests.get(i), Action.READ, tree);
      if (read != null) {
        return isRead(tree, first, paths, read);
      }
    }
    return false;
  }

  /** Returns whether the view begins with a new store: its superblock is written then. */
  static boolean isCreated(List<SeenRequest> requests) {
    for (SeenRequest request : requests) {
      if (request.declared() && request.action() == Action.GROW) {
        return false;
      }
      if (writesSuperblock(request)) {
        return true;
      }
    }
    return false;
  }

  private static boolean writesSuperblock(SeenRequest request) {
    return request.isTransfer()
        && request.action() == Action.WRITE
        && request.extents().get(0).offset() == 0;
  }

  /** Processes a growth of the store: from here on the added levels are written. */
  private void grow(int index) {
    map.grow(growing, counters);
    growing = 0;
    for (Tree tree : map.trees()) {
      for (int i = index + 1; i < requests.size() && counters[tree.number()] == UNKNOWN; i++) {
        long[] buckets = bucketsOf(requests.get(i), Action.WRITE, tree);
        if (buckets != null) {
          counters[tree.number()] = places.firstOf(tree, tree.first(), buckets);
          map.found(tree, UNKNOWN, counters[tree.number()]);
        }
      }
    }
  }

  /** Returns where its buckets are if a request does this to this tree; null otherwise. */
  private long @Nullable [] bucketsOf(SeenRequest request, Action action, Tree tree) {
    if (!request.isTransfer() || request.action() != action) {
      return null;
    }
    Level first = map.levelAt(request.extents().get(0).offset());
    return first == null || first.tree() != tree.number() ? null : map.buckets(request);
  }

  private void endBulkLoad() {
    if (bulkLoad) {
      bulkLoad = false;
      loaded = true;
      for (Tree tree : map.trees()) {
        if (!tree.isMap()) {
          counters[tree.number()] = 2L * tree.leaves();
        }
      }
    }
  }

  /** Determines each tree's counter after a crash from the eviction that follows. */
  private void goBack(int crash) {
    if (writtenBack != null) {
      accessBlocks = 0;
      writtenBack.opened();
    }
    for (Tree tree : map.trees()) {
      counters[tree.number()] = map.isClassic() ? tree.leaves() : after(tree, crash);
    }
  }

  private long after(Tree tree, int crash) {
    long before = counters[tree.number()];
    for (int i = crash + 1; i < requests.size(); i++) {
      SeenRequest request = requests.get(i);
      if (request.declared() && request.action() == Action.CRASH) {
        return UNKNOWN;
      }
      long[] buckets = bucketsOf(request, Action.WRITE, tree);
      if (buckets != null && before == UNKNOWN) {
        return places.firstOf(tree, tree.first(), buckets);
      }
      for (long back = 0; buckets != null && back <= 2L * map.slack(); back++) {
        if (places.pathsWritten(tree, before - back, buckets) != EvictionPlaces.NONE) {
          return before - back;
        }
      }
      if (buckets != null) {
        return before;
      }
    }
    return UNKNOWN;
  }

  private Step transfer(SeenRequest request, int index) {
    Level first = map.levelAt(request.extents().get(0).offset());
    if (first == null) {
      if (growing > 0 && writesSuperblock(request)) {
        grow(index);
      }
      return Step.plain(request);
    }
    Tree tree = map.trees().get(first.tree());
    long[] buckets = map.buckets(request);
    if (buckets == null) {
      return Step.of(request, Step.Kind.UNEXPLAINED, tree.number());
    }
    if (bulkLoad) {
      return Step.of(request, Step.Kind.BULK_WRITE, tree.number());
    }
    if (scan != null && scan.take(request, buckets)) {
      return Step.of(request, Step.Kind.SCAN_READ, tree.number());
    }
    Step step = step(request, tree, buckets, index);
    boolean instead = scan != null && !scan.isComplete() && step.kind() == Step.Kind.PATHS;
    scan = null;
    return instead ? Step.of(request, Step.Kind.UNEXPLAINED, tree.number()) : step;
  }

  private Step step(SeenRequest request, Tree tree, long[] buckets, int index) {
    if (writtenBack != null) {
      return twofold(request, tree, buckets, index, writtenBack);
    }
    if (map.isClassic()) {
      return classic(request, tree, buckets);
    }
    return request.action() == Action.WRITE
        ? written(request, tree, buckets)
        : read(request, tree, buckets, index);
  }

  /** Returns what the scan that is declared must read. */
  private @Nullable ScanReads scanned(int index) {
    if (map.isClassic()) {
      Tree tree = map.trees().get(0);
      Set<Long> known = new HashSet<>(written);
      if (!isCreated(requests)) {
        List<Long> read = readsFrom(tree, index);
        known.addAll(read);
        if (writtenBack != null) {
          writtenBack.learn(read.stream().mapToLong(Long::longValue).toArray(), false);
        }
      }
      if (writtenBack != null) {
        return ScanReads.twofold(
            map, tree, writtenBack, offset -> loaded || known.contains(offset));
      }
      return ScanReads.classic(map, tree, offset -> loaded || known.contains(offset));
    }
    Tree least = null;
    for (Tree tree : map.trees()) {
      if (tree.isMap()) {
        continue;
      }
      if (counters[tree.number()] == UNKNOWN) {
        counters[tree.number()] = places.endOf(tree, readsFrom(tree, index));
      }
      if (counters[tree.number()] != UNKNOWN) {
        least = least == null || storedBuckets(tree) <= storedBuckets(least) ? tree : least;
      }
    }
    return least == null ? null : ScanReads.counted(map, least, counters[least.number()]);
  }

  /** Returns how many buckets of a tree were ever written. */
  private long storedBuckets(Tree tree) {
    return tree.levels().stream().mapToLong(at -> at.written(counters[tree.number()])).sum();
  }

  /** Buckets of a tree that are read from a request on, before anything is declared or written. */
  private List<Long> readsFrom(Tree tree, int index) {
    List<Long> read = new ArrayList<>();
    for (int i = index + 1; i < requests.size(); i++) {
      SeenRequest request = requests.get(i);
      boolean writes = request.isTransfer() && request.action() == Action.WRITE;
      if (request.declared() || writes) {
        break;
      }
      long[] buckets = bucketsOf(request, Action.READ, tree);
      if (buckets != null) {
        Arrays.stream(buckets).forEach(read::add);
      }
    }
    return read;
  }

  private Step written(SeenRequest request, Tree tree, long[] buckets) {
    long first = counters[tree.number()];
    int count = first == UNKNOWN ? EvictionPlaces.NONE : places.pathsWritten(tree, first, buckets);
    if (count == EvictionPlaces.NONE) {
      return Step.of(request, Step.Kind.UNEXPLAINED, tree.number());
    }
    counters[tree.number()] = first + count;
    return new Step(request, Step.Kind.EVICTION_WRITE, tree.number(), first, count, null);
  }

  private Step read(SeenRequest request, Tree tree, long[] buckets, int index) {
    long evictions = counters[tree.number()];
    int count = evictedAfter(tree, evictions, buckets, index);
    if (count != EvictionPlaces.NONE) {
      return new Step(request, Step.Kind.EVICTION_READ, tree.number(), evictions, count, null);
    }
    pathsRead = true;
    Shown shown = evictions == UNKNOWN ? null : paths.of(tree, buckets, evictions);
    return new Step(request, Step.Kind.PATHS, tree.number(), 0, 0, shown);
  }

  /**
   * Returns the number of paths of the eviction that a request reads for; none if it reads random
   * paths.
   */
  private int evictedAfter(Tree tree, long first, long[] buckets, int index) {
    if (first == UNKNOWN) {
      return EvictionPlaces.NONE;
    }
    for (int i = index + 1; i < requests.size(); i++) {
      SeenRequest next = requests.get(i);
      if (next.declared() && next.action() == Action.CRASH) {
        break;
      }
      if (next.isTransfer()) {
        long[] written = bucketsOf(next, Action.WRITE, tree);
        int count =
            written == null ? EvictionPlaces.NONE : places.pathsWritten(tree, first, written);
        return count != EvictionPlaces.NONE && isRead(tree, first, count, buckets)
            ? count
            : EvictionPlaces.NONE;
      }
    }
    // Nothing follows, or a crash came between: any chunk may have been meant, but not by the first
    // read of an access, whose random paths may by chance be those of a chunk. One path alone is
    // taken for a random one, as which it passes.
    if (!pathsRead) {
      return EvictionPlaces.NONE;
    }
    for (int count = Math.min(tree.chunkPaths(), buckets.length); count > 1; count--) {
      if (isRead(tree, first, count, buckets)) {
        return count;
      }
    }
    return EvictionPlaces.NONE;
  }

  private boolean isRead(Tree tree, long first, int count, long[] buckets) {
    return Arrays.equals(buckets, places.read(tree, first, count));
  }

  /** Processes a request that reads a path, or one that writes the same path, leaf first. */
  private Step classic(SeenRequest request, Tree tree, long[] buckets) {
    if (request.action() == Action.READ) {
      Shown shown = paths.of(tree, buckets, tree.leaves());
      return new Step(request, Step.Kind.PATHS, tree.number(), 0, 0, shown);
    }
    Step last = lastTransfer(tree);
    long[] read = last == null ? null : map.buckets(last.request());
    Arrays.stream(buckets).forEach(written::add);
    boolean same = read != null && Arrays.equals(read, reversed(buckets));
    return Step.of(request, same ? Step.Kind.EVICTION_WRITE : Step.Kind.UNEXPLAINED, tree.number());
  }

  /** Processes a request that reads a path, or one that writes the k oldest that were read. */
  private Step twofold(
      SeenRequest request, Tree tree, long[] buckets, int index, WrittenBack foretold) {
    if (request.action() == Action.WRITE) {
      Arrays.stream(buckets).forEach(written::add);
      return foretold.written(buckets)
          ? new Step(request, Step.Kind.EVICTION_WRITE, tree.number(), 0, tree.chunkPaths(), null)
          : Step.of(request, Step.Kind.UNEXPLAINED, tree.number());
    }
    if (foretold.isFetchedAgain(buckets, readsInAccess(index) > accessBlocks)) {
      // How many paths they are shows only if each has buckets of its own.
      return Step.of(request, Step.Kind.EVICTION_READ, tree.number());
    }
    Shown shown = paths.of(tree, buckets, tree.leaves());
    return foretold.read(buckets)
        ? new Step(request, Step.Kind.PATHS, tree.number(), 0, 0, shown)
        : Step.of(request, Step.Kind.UNEXPLAINED, tree.number());
  }

  /** Reads of an access from a request on. */
  private long readsInAccess(int index) {
    long access = requests.get(index).access();
    return requests.subList(index, requests.size()).stream()
        .takeWhile(request -> request.access() == access)
        .filter(request -> request.isTransfer() && request.action() == Action.READ)
        .count();
  }

  private @Nullable Step lastTransfer(Tree tree) {
    for (int i = steps.size() - 1; i >= 0; i--) {
      Step step = steps.get(i);
      if (step.tree() == tree.number() && step.kind() == Step.Kind.PATHS) {
        return step;
      }
    }
    return null;
  }

  private static long[] reversed(long[] values) {
    long[] result = new long[values.length];
    for (int i = 0; i < values.length; i++) {
      result[i] = values[values.length - 1 - i];
    }
    return result;
  }
}
