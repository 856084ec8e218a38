package io.github.roram.tree;

import io.github.roram.AccessCost;
import io.github.roram.IntegrityException;
import io.github.roram.bucket.BucketCodec;
import java.io.IOException;
import java.util.function.IntUnaryOperator;

/**
 * A pass over all buckets of a tree that were ever written, part by part: level by level, root side
 * first. So of two copies that pass as current the newer one is met first (construction, section
 * 2.4). A part is one request.
 *
 * <h2>Security</h2>
 *
 * The requests follow from the configuration, and from which buckets were ever written, as the
 * store saw.
 */
public interface BucketWalk {

  /**
   * Bytes of buckets that a pass over a tree asks for at once, whatever the scheme; and that a ring
   * is loaded by. On a long line each request costs a round trip.
   */
  int REQUEST_BYTES = 16 << 20;

  /** Returns the bytes of all parts. */
  long bytes();

  /** Returns the cost of a pass over a completely written tree with buckets of this many bytes. */
  static AccessCost cost(TreeGeometry geometry, int bucketBytes) {
    int levels = geometry.height() + 1 - geometry.treetopLevels();
    double bytes = 0;
    double requests = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      double ofLevel = (double) bucketBytes * ((1L << level) - geometry.firstStored(level));
      bytes += ofLevel;
      requests += Math.ceil(ofLevel / REQUEST_BYTES);
    }
    // A level may be written around the end of its place.
    return new AccessCost(requests, 2.0 * levels, bytes, 0);
  }

  /** Goes to the next part; false at the end. */
  boolean next();

  /** Returns the level of the part. */
  int level();

  /** Returns which buckets these are, in words. */
  String place();

  /** Returns the bytes of the part, of those {@linkplain #bytes of all}. */
  long partBytes();

  /** Returns the number of buckets of the part that are read. */
  int written();

  /** Returns whether nothing is known of the buckets below one that is refused. */
  boolean hidesOthers();

  /** Returns the version of a bucket in the part being read. */
  long version(int bucket);

  /**
   * Reads the part; nothing is kept.
   *
   * @throws IOException if the store failed; some buckets may have been visited
   */
  void read(Visitor visitor) throws IOException;

  /** Learns what the next parts need of this one, which was sealed anew by another codec. */
  default void readRenewed(BucketCodec renewed) throws IOException {}

  /**
   * Writes the part over itself, durably, as it was sealed anew in its order.
   *
   * @param epoch in which it was sealed
   */
  void write(byte[] sealed, int epoch) throws IOException;

  /** Takes buckets that are read one after another, and that nobody keeps. */
  interface Visitor {

    /**
     * Visits an authentic bucket.
     *
     * @param bucket number of the bucket in its level; within a request, number of the unit
     * @param plain its plaintext, valid during the call
     */
    void opened(int bucket, byte[] plain);

    /**
     * Visits a bucket that is not the expected one. Unless this is overridden, it ends the reading.
     */
    default void refused(int bucket, IntegrityException reason) {
      throw reason;
    }

    /** Visits the units of a request, as the buckets that they are. */
    default Visitor ofUnits(IntUnaryOperator bucketOf) {
      Visitor buckets = this;
      return new Visitor() {
        @Override
        public void opened(int unit, byte[] plain) {
          buckets.opened(bucketOf.applyAsInt(unit), plain);
        }

        @Override
        public void refused(int unit, IntegrityException reason) {
          buckets.refused(bucketOf.applyAsInt(unit), reason);
        }
      };
    }
  }
}
