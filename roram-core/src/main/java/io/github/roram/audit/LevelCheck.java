package io.github.roram.audit;

import io.github.roram.IntegrityException;
import io.github.roram.VerifyReport.Kind;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.tree.BucketVisitor;
import io.github.roram.tree.TreeGeometry;

/**
 * Looks at the buckets of a level, whatever the scheme: each must authenticate, and each block in
 * it must exist and stand on the path of its label.
 */
public abstract class LevelCheck implements BucketVisitor {

  private final AuditLog log;
  private final TreeGeometry geometry;
  private final BucketDescriptor descriptor;
  private final int level;

  /** A check of a level of a tree. */
  protected LevelCheck(
      AuditLog log, TreeGeometry geometry, BucketDescriptor descriptor, int level) {
    this.log = log;
    this.geometry = geometry;
    this.descriptor = descriptor;
    this.level = level;
  }

  @Override
  public void refused(int bucket, IntegrityException reason) {
    log.found(Kind.BUCKET, geometry.tree(), reason.getMessage() + consequence());
  }

  /** What follows for the audit where a bucket is refused; empty if nothing. */
  protected String consequence() {
    return "";
  }

  @Override
  public void opened(int bucket, byte[] plain) {
    for (int slot = 0; slot < descriptor.slots(); slot++) {
      int address = PlainBucket.address(plain, slot);
      if (address < 0) {
        continue;
      }
      int label = PlainBucket.label(plain, slot);
      if (address >= geometry.blocks()) {
        misplaced(address, "there is no such block");
      } else if (geometry.bucket(label, level) != bucket) {
        misplaced(address, "bucket " + bucket + " of level " + level + " is off its path");
      } else {
        met(bucket, plain, slot, address, label);
      }
    }
  }

  /** A block that stands on its path. */
  protected abstract void met(int bucket, byte[] plain, int slot, int address, int label);

  /** Logs a block that is where it should not be. */
  protected final void misplaced(int address, String what) {
    log.misplaced(geometry.tree(), address, what);
  }
}
