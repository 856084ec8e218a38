package io.github.roram.tao;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.engine.Resealing;
import io.github.roram.path.LinkedTree;
import io.github.roram.path.PathWalk;
import io.github.roram.store.ExtentBatch;
import io.github.roram.tree.BucketVisitor;
import io.github.roram.tree.TreeGeometry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Reseals the buckets of a TaORAM in the places that are current, level by level from the uppermost
 * one. Content and version of a bucket stay, and so do the versions that it names of its children.
 *
 * <p>Which buckets a level has, and of which versions, is said by the level above. So what a change
 * of keys that broke off has done is read again, with the new key, before it is gone on with.
 *
 * <p>The other places stay as they are: nothing reads them before they are written again.
 */
final class TaoResealing implements Resealing {

  private final TaoTree tree;
  private final BucketCodec renewed;
  private final int epoch;
  private final PathWalk walk;
  private byte[] sealed = {};

  /** Whether the batch at hand has the new key. */
  private boolean done;

  /** Whether it is known what the batch at hand says of the next level. */
  private boolean known = true;

  /**
   * Of a tree whose client holds all that it knows.
   *
   * @param keys the new ones
   */
  TaoResealing(TaoTree tree, BucketKeys keys, UUID storeId) {
    this.tree = tree;
    renewed = new BucketCodec(tree.descriptor(), keys, storeId);
    epoch = keys.epoch();
    walk = new PathWalk(new UnderTwoKeys());
  }

  @Override
  public boolean next() {
    if (!known) {
      throw new IllegalStateException("the batch before was neither translated nor skipped");
    }
    do {
      if (!walk.next()) {
        return false;
      }
    } while (walk.written() == 0);
    known = false;
    if (sealed.length < bytes()) {
      sealed = new byte[bytes()];
    }
    return true;
  }

  @Override
  public int bytes() {
    return walk.written() * tree.descriptor().sealedBytes();
  }

  @Override
  public byte[] sealed() {
    return sealed;
  }

  @Override
  public void translate() throws IOException {
    int number = tree.geometry().tree();
    ByteBuffer target = ByteBuffer.wrap(sealed);
    walk.read(
        (bucket, plain) ->
            renewed.seal(plain, number, walk.level(), walk.versions()[bucket], epoch, target));
    known = true;
  }

  @Override
  public void write() throws IOException {
    ExtentBatch places = tree.written(walk.level(), walk.first(), walk.count(), walk.versions());
    tree.store()
        .write(
            places,
            (firstUnit, units) ->
                units.put(sealed, firstUnit * places.unitBytes(), units.remaining()));
    tree.store().sync();
  }

  @Override
  public void skip() throws IOException {
    done = true;
    walk.read((bucket, plain) -> {});
    done = false;
    known = true;
  }

  /** The tree while its key is changed. */
  private final class UnderTwoKeys implements LinkedTree {

    @Override
    public TreeGeometry geometry() {
      return tree.geometry();
    }

    @Override
    public BucketDescriptor descriptor() {
      return tree.descriptor();
    }

    @Override
    public long[] topVersions() {
      return tree.topVersions();
    }

    @Override
    public void readBuckets(
        int level, int firstBucket, int count, long[] expected, BucketVisitor visitor)
        throws IOException {
      if (done) {
        readRenewed(level, firstBucket, count, expected, visitor);
      } else {
        tree.readBuckets(level, firstBucket, count, expected, visitor);
      }
    }

    private void readRenewed(
        int level, int firstBucket, int count, long[] expected, BucketVisitor visitor)
        throws IOException {
      byte[] plain = new byte[descriptor().plainBytes()];
      int[] bucket = {firstBucket};
      tree.store()
          .read(
              tree.written(level, firstBucket, count, expected),
              (firstUnit, units) -> {
                while (units.hasRemaining()) {
                  while (expected[bucket[0]] <= 0) {
                    bucket[0]++;
                  }
                  int next = bucket[0]++;
                  renewed.open(
                      units,
                      plain,
                      geometry().tree(),
                      level,
                      expected[next],
                      BucketCodec.ANY_EPOCH);
                  visitor.opened(next, plain);
                }
              });
    }
  }
}
