package io.github.roram.linked;

import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntLongHashMap;
import com.carrotsearch.hppc.IntObjectHashMap;
import com.carrotsearch.hppc.cursors.IntCursor;
import io.github.roram.tree.ParallelBucketCodec;
import io.github.roram.tree.TreeGeometry;
import org.jspecify.annotations.Nullable;

/**
 * The buckets that were fetched and are needed: those on paths whose read is under way, or that
 * wait to be written back (TaoStore, subtree; the paths are its PathReqMultiSet). A bucket stays as
 * long as any such path meets it, so what is here is the newest content, whatever of it arrives
 * later; and above a bucket that is here those above it are too.
 *
 * <p>Which buckets are here follows from what the store saw. Not thread safe.
 */
final class Subtree {

  private final TreeGeometry geometry;
  private final ParallelBucketCodec lanes;
  private final IntIntHashMap uses = new IntIntHashMap();
  private final IntObjectHashMap<byte[]> buckets = new IntObjectHashMap<>();

  /** Of those that were written back and stayed: when. */
  private final IntLongHashMap writtenAt = new IntLongHashMap();

  /** An empty subtree, whose memory is borrowed. */
  Subtree(TreeGeometry geometry, ParallelBucketCodec lanes) {
    this.geometry = geometry;
    this.lanes = lanes;
  }

  /** A path is needed, until it is {@linkplain #release released} as often. */
  void retain(int label) {
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      uses.addTo(PathUnion.key(level, geometry.bucket(label, level)), 1);
    }
  }

  /** Takes back one {@link #retain}; what no other path needs goes. */
  void release(int label) {
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      int key = PathUnion.key(level, geometry.bucket(label, level));
      if (uses.addTo(key, -1) == 0) {
        uses.remove(key);
        writtenAt.remove(key);
        giveBack(buckets.remove(key));
      }
    }
  }

  private void giveBack(byte @Nullable [] plain) {
    if (plain != null) {
      lanes.giveBack(plain);
    }
  }

  /** The content of a bucket that is here. */
  byte[] get(int key) {
    byte[] plain = buckets.get(key);
    if (plain == null) {
      throw new IllegalStateException("bucket " + key + " was not fetched");
    }
    return plain;
  }

  /** Returns whether a path that is needed meets a bucket. */
  boolean isNeeded(int key) {
    return uses.containsKey(key);
  }

  boolean contains(int key) {
    return buckets.containsKey(key);
  }

  /** A bucket arrived; what is here already is newer, or the same. The memory is taken over. */
  void arrived(int key, byte[] plain) {
    if (uses.containsKey(key) && !buckets.containsKey(key)) {
      buckets.put(key, plain);
    } else {
      lanes.giveBack(plain);
    }
  }

  /** A bucket was written back with this content, whose memory is taken over. */
  void written(int key, byte[] plain, long writeBack) {
    giveBack(buckets.put(key, plain));
    writtenAt.put(key, writeBack);
  }

  /**
   * Returns whether a bucket was written back by this write-back or a later one, since it is here.
   */
  boolean isWrittenSince(int key, long writeBack) {
    return writtenAt.getOrDefault(key, -1) >= writeBack;
  }

  /** Returns the number of buckets that are here. */
  int size() {
    return buckets.size();
  }

  /** Forgets all. */
  void clear() {
    for (IntCursor key : buckets.keys()) {
      giveBack(buckets.get(key.value));
    }
    buckets.clear();
    uses.clear();
    writtenAt.clear();
  }
}
