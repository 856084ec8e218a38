package io.github.roram.linked;

import com.carrotsearch.hppc.IntIntHashMap;
import com.carrotsearch.hppc.IntLongHashMap;
import com.carrotsearch.hppc.IntObjectHashMap;
import com.carrotsearch.hppc.cursors.IntCursor;
import io.github.roram.tree.ParallelBucketCodec;
import io.github.roram.tree.TreeGeometry;
import org.jspecify.annotations.Nullable;

/**
 * The fetched buckets that are needed: those on paths that are being read or wait to be written
 * back (TaoStore, subtree; the paths are its PathReqMultiSet). A bucket stays as long as any such
 * path meets it, so its content here is the newest, whatever copy of it arrives later; and all
 * buckets above a bucket in the subtree are in the subtree, too.
 *
 * <p>Which buckets are in the subtree follows from what the store saw. Not thread safe.
 */
final class Subtree {

  private final TreeGeometry geometry;
  private final ParallelBucketCodec lanes;
  private final IntIntHashMap uses = new IntIntHashMap();
  private final IntObjectHashMap<byte[]> buckets = new IntObjectHashMap<>();

  /** The last write-back of each bucket that was written back and stayed. */
  private final IntLongHashMap writtenAt = new IntLongHashMap();

  /** Creates an empty subtree, whose buckets lie in borrowed memory. */
  Subtree(TreeGeometry geometry, ParallelBucketCodec lanes) {
    this.geometry = geometry;
    this.lanes = lanes;
  }

  /** Marks a path as needed until it is {@linkplain #release released} as often as retained. */
  void retain(int label) {
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      uses.addTo(PathUnion.key(level, geometry.bucket(label, level)), 1);
    }
  }

  /** Takes back one {@link #retain}, and drops the buckets that no other path needs. */
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

  /** Returns the content of a bucket, which must be in the subtree. */
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

  /**
   * Takes over a bucket that arrived; if the subtree has it already, that one is newer or the same.
   */
  void arrived(int key, byte[] plain) {
    if (uses.containsKey(key) && !buckets.containsKey(key)) {
      buckets.put(key, plain);
    } else {
      lanes.giveBack(plain);
    }
  }

  /** Takes over the content with which a bucket was written back. */
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

  /** Forgets all buckets and paths. */
  void clear() {
    for (IntCursor key : buckets.keys()) {
      giveBack(buckets.get(key.value));
    }
    buckets.clear();
    uses.clear();
    writtenAt.clear();
  }
}
