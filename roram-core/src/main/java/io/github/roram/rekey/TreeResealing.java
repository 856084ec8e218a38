package io.github.roram.rekey;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.engine.Resealing;
import io.github.roram.tree.BucketWalk;
import io.github.roram.tree.WholeTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;

/**
 * Reseals the current buckets of trees in place, part by part of a walk: content and version of a
 * bucket stay. If an interrupted change of keys has resealed a part, and the walk needs its
 * content, the part is read with the new key.
 */
public final class TreeResealing implements Resealing {

  private final BucketKeys keys;
  private final UUID storeId;
  private final Iterator<? extends WholeTree> left;
  private WholeTree tree;
  private BucketWalk walk;
  private BucketCodec renewed;
  private byte[] sealed = {};

  /** Whether the content of the present batch, on which the next ones may depend, was read. */
  private boolean known = true;

  /**
   * Creates the resealing of all trees of an ORAM, of which there is at least one. Their state must
   * be complete.
   *
   * @param keys the new keys
   */
  public TreeResealing(List<? extends WholeTree> trees, BucketKeys keys, UUID storeId) {
    this.keys = keys;
    this.storeId = storeId;
    left = trees.iterator();
    tree = left.next();
    walk = tree.rekeyedWalk();
    renewed = new BucketCodec(tree.descriptor(), keys, storeId);
  }

  @Override
  public boolean next() {
    if (!known) {
      throw new IllegalStateException("the batch before was neither translated nor skipped");
    }
    do {
      while (!walk.next()) {
        if (!left.hasNext()) {
          return false;
        }
        tree = left.next();
        walk = tree.rekeyedWalk();
        renewed = new BucketCodec(tree.descriptor(), keys, storeId);
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
    int epoch = keys.epoch();
    ByteBuffer target = ByteBuffer.wrap(sealed);
    walk.read(
        (bucket, plain) ->
            renewed.seal(plain, number, walk.level(), walk.version(bucket), epoch, target));
    known = true;
  }

  @Override
  public void write() throws IOException {
    walk.write(sealed, keys.epoch());
  }

  @Override
  public void skip() throws IOException {
    walk.readRenewed(renewed);
    known = true;
  }
}
