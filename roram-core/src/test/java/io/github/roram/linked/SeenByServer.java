package io.github.roram.linked;

import io.github.roram.range.HeldStore.Held;
import io.github.roram.store.IoPhase;
import io.github.roram.tree.TreeGeometry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a server can foretell of a TaORAM: a read is of the current places of one whole path, a
 * write is of the other places of the k oldest paths that were read. Written anew from the
 * documents, so that it can disagree with the code.
 */
final class SeenByServer {

  private final LinkedStoreLayout.Tree layout;
  private final TreeGeometry geometry;
  private final int writeBackPaths;
  private final BitSet second = new BitSet();
  private final Deque<Integer> unwritten = new ArrayDeque<>();
  private final List<Integer> shown = new ArrayList<>();

  /** The write-back that is under way, as far as it was not seen. */
  private final List<Long> awaited = new ArrayList<>();

  /** Whose places change when it has ended. */
  private final List<Integer> changing = new ArrayList<>();

  SeenByServer(LinkedStoreLayout.Tree layout, int writeBackPaths) {
    this.layout = layout;
    this.writeBackPaths = writeBackPaths;
    geometry = layout.geometry();
  }

  /** Leaves of all paths that were read, in order. */
  List<Integer> shown() {
    return shown;
  }

  private static int key(int level, int bucket) {
    return (1 << level) + bucket;
  }

  private long offset(int level, int bucket, boolean other) {
    boolean isSecond = second.get(key(level, bucket)) != other;
    return layout.offset(level, bucket, isSecond ? 1 : 0);
  }

  /** What follows from what came before; null if the request is as it must be. */
  @Nullable String check(Held request) {
    List<Long> buckets = buckets(request);
    return request.phase() == IoPhase.READ ? read(buckets) : written(buckets);
  }

  private List<Long> buckets(Held request) {
    List<Long> buckets = new ArrayList<>();
    for (int i = 0; i < request.extents().size(); i += 2) {
      for (int unit = 0; unit < request.extents().get(i + 1); unit++) {
        buckets.add(request.extents().get(i) + (long) unit * layout.descriptor().sealedBytes());
      }
    }
    return buckets;
  }

  private @Nullable String read(List<Long> buckets) {
    for (int leaf = 0; leaf < geometry.leaves(); leaf++) {
      if (buckets.equals(path(leaf))) {
        shown.add(leaf);
        unwritten.add(leaf);
        return null;
      }
    }
    return "a read of no current path: " + buckets;
  }

  private List<Long> path(int leaf) {
    List<Long> path = new ArrayList<>();
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      path.add(offset(level, leaf % (1 << level), false));
    }
    return path;
  }

  private @Nullable String written(List<Long> buckets) {
    if (awaited.isEmpty()) {
      expectWriteBack();
    }
    if (awaited.size() < buckets.size() || !awaited.subList(0, buckets.size()).equals(buckets)) {
      return "a write of " + buckets + ", expected " + awaited;
    }
    awaited.subList(0, buckets.size()).clear();
    return null;
  }

  private void expectWriteBack() {
    Set<Integer> keys = new LinkedHashSet<>();
    List<Integer> oldest = unwritten.stream().limit(writeBackPaths).toList();
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      for (int leaf : oldest) {
        int bucket = leaf % (1 << level);
        if (keys.add(key(level, bucket))) {
          awaited.add(offset(level, bucket, true));
        }
      }
    }
    changing.addAll(keys);
  }

  /** The client has learnt that all was written that it asked for. */
  void writeBackEnded() {
    if (!changing.isEmpty() && awaited.isEmpty()) {
      changing.forEach(second::flip);
      changing.clear();
      for (int i = 0; i < writeBackPaths; i++) {
        unwritten.remove();
      }
    }
  }
}
