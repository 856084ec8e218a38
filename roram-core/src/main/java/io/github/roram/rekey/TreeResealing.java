package io.github.roram.rekey;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.engine.Resealing;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.IoPhase;
import io.github.roram.tree.RangeTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;

/** Reseals the current buckets of trees, level by level in the order of their evictions. */
public final class TreeResealing implements Resealing {

  private static final int BATCH_BUCKETS = 256;

  private final BucketKeys keys;
  private final UUID storeId;
  private final Iterator<RangeTree> left;
  private final BucketRuns old = new BucketRuns();
  private final BucketRuns renewed = new BucketRuns();
  private byte[] sealed = {};

  /** What is being rewritten: a tree, one of its levels, and from which eviction on. */
  private RangeTree tree;

  private int level;
  private long first;
  private long end;

  /**
   * Of all trees of an ORAM, of which there is at least one.
   *
   * @param keys the new ones
   */
  public TreeResealing(List<RangeTree> trees, BucketKeys keys, UUID storeId) {
    this.keys = keys;
    this.storeId = storeId;
    left = trees.iterator();
    tree = left.next();
    begin();
  }

  private void begin() {
    end = tree.schedule().evictions();
    enter(tree.geometry().treetopLevels());
    int batch = BATCH_BUCKETS * tree.descriptor().sealedBytes();
    if (sealed.length < batch) {
      sealed = new byte[batch];
    }
  }

  private void enter(int newLevel) {
    level = newLevel;
    first = end - (1L << level);
  }

  @Override
  public boolean next() {
    while (true) {
      if (level > tree.geometry().height()) {
        if (!left.hasNext()) {
          return false;
        }
        tree = left.next();
        begin();
      } else if (first >= end) {
        enter(level + 1);
      } else {
        int count = (int) Math.min(BATCH_BUCKETS, end - first);
        boolean any = take(count);
        first += count;
        if (any) {
          return true;
        }
      }
    }
  }

  /** Takes the buckets of the level that the next evictions wrote; false if none was written. */
  private boolean take(int count) {
    int number = tree.geometry().tree();
    int bucketBytes = tree.descriptor().sealedBytes();
    old.reset(IoPhase.META, number, bucketBytes);
    tree.addWritten(old, level, first, count);
    renewed.reset(IoPhase.META, number, bucketBytes);
    if (old.units() > 0) {
      renewed.add(level, old.eviction(0), old.units(), keys.epoch());
    }
    return old.units() > 0;
  }

  @Override
  public int bytes() {
    return (int) renewed.bytes();
  }

  @Override
  public byte[] sealed() {
    return sealed;
  }

  @Override
  public void translate() throws IOException {
    BucketDescriptor descriptor = tree.descriptor();
    BucketCodec opening = tree.memory().codec();
    BucketCodec sealing = new BucketCodec(descriptor, keys, storeId);
    byte[] plain = new byte[descriptor.plainBytes()];
    ByteBuffer target = ByteBuffer.wrap(sealed);
    int number = tree.geometry().tree();
    tree.buckets()
        .read(
            old,
            (firstUnit, units) -> {
              for (int unit = firstUnit; units.hasRemaining(); unit++) {
                int ofLevel = old.level(unit);
                long eviction = old.eviction(unit);
                opening.open(units, plain, number, ofLevel, eviction, old.epoch(unit));
                sealing.seal(plain, number, ofLevel, eviction, keys.epoch(), target);
              }
            });
  }

  @Override
  public void write() throws IOException {
    int bucketBytes = renewed.bucketBytes();
    tree.buckets()
        .write(
            renewed,
            (firstUnit, units) -> units.put(sealed, firstUnit * bucketBytes, units.remaining()));
    tree.buckets().sync();
  }
}
