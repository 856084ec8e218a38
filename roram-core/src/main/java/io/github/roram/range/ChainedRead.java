package io.github.roram.range;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.journal.Intent;
import io.github.roram.maptree.MapChain;
import io.github.roram.store.AsyncBucketStore;
import io.github.roram.tree.PathRead;
import io.github.roram.tree.RangeTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The reads of paths for an intent, one after another: first those of the position map, if it is on
 * the store, each of which brings the labels for the next, then that of the data.
 *
 * <p>It is either {@linkplain #run run} while the caller waits, or its parts are {@linkplain #ask
 * requested} concurrently with those of other reads, and {@linkplain #keep kept} together once all
 * older intents are complete: until then evictions, and a client that restarts, find the map as it
 * was. In both cases a part that fails can be repeated, and then shows the same.
 */
final class ChainedRead {

  private static final byte[] NOTHING = {};

  private final Intent intent;
  private final RangeTree[] trees;
  private final @Nullable MapChain maps;

  /** The parts whose labels are known. */
  private final List<PathRead> paths = new ArrayList<>();

  private int arrived;

  /**
   * Creates a read of which no part was read.
   *
   * @param trees all trees, those of the position map last
   * @param maps the map, if it is on the store
   */
  ChainedRead(Intent intent, RangeTree[] trees, @Nullable MapChain maps) {
    this.intent = intent;
    this.trees = trees;
    this.maps = maps;
  }

  Intent intent() {
    return intent;
  }

  private Intent part(int part) {
    return part < intent.maps().size() ? intent.maps().get(part) : intent;
  }

  /** Returns how many parts have arrived. */
  int arrived() {
    return arrived;
  }

  /** Returns whether all have. */
  boolean hasArrived() {
    return arrived > intent.maps().size();
  }

  /** Returns whether a part has arrived, and the next was not asked for. */
  boolean awaitsNext() {
    return arrived > 0 && arrived == paths.size() && !hasArrived();
  }

  /** Reads what was not read, part by part, and keeps each. */
  void run() throws IOException {
    for (; !hasArrived(); arrived++) {
      next(MapChain.UnderWay.NONE).run();
      created(arrived);
    }
  }

  /**
   * Asks for the next part, or again for one that failed.
   *
   * @param reads those that are under way
   */
  CompletableFuture<Void> ask(AsyncBucketStore store, MapChain.UnderWay reads) {
    return next(reads).ask(store);
  }

  private PathRead next(MapChain.UnderWay reads) {
    if (paths.size() == arrived) {
      Intent part = part(arrived);
      RangeTree tree = trees[part.tree()];
      if (maps != null) {
        maps.fillIn(part, tree, reads);
      }
      paths.add(tree.planRead(part.ranges(), part.labels()));
    }
    return paths.get(arrived);
  }

  /** Notes that the requested part has arrived. */
  void partArrived() {
    arrived++;
  }

  /** Keeps what was asked for; all older reads are complete. */
  void keep() {
    for (int part = 0; part < paths.size(); part++) {
      paths.get(part).keep();
      created(part);
    }
  }

  /** Creates map blocks that were never written. */
  private void created(int part) {
    if (maps != null && part < intent.maps().size()) {
      maps.createAbsent(part(part));
    }
  }

  /** Abandons the read, whose requests the store has ended; another one does the same. */
  void giveUp() {
    paths.forEach(PathRead::giveUp);
  }

  /**
   * Returns the part that shows the label of a range, or of a block of the map; null if none does
   * yet.
   */
  @Nullable PathRead showing(int tree, int range) {
    for (int part = 0; part < paths.size(); part++) {
      if (part(part).tree() == tree && part(part).relabelsRange(range)) {
        return paths.get(part);
      }
    }
    return null;
  }

  /** Returns cnt for which the part in flight was planned, if it is of this tree. */
  long plannedAt(int tree) {
    int last = paths.size() - 1;
    return last >= 0 && part(last).tree() == tree ? paths.get(last).plannedAt() : Long.MAX_VALUE;
  }

  /** Returns what was looked up, before it is changed, for a journal; nothing where nothing is. */
  byte[] lookUp() throws IOException {
    return maps == null ? NOTHING : maps.record(intent);
  }

  /** Addresses of the blocks of data that came by it. */
  IntArrayList arrivals() {
    return paths.get(intent.maps().size()).arrivals();
  }
}
