package io.github.roram.tree;

import io.github.roram.AccessCost;
import io.github.roram.IntegrityException;
import io.github.roram.bucket.BucketCodec;
import java.io.IOException;
import java.util.function.IntUnaryOperator;

/**
 * A pass over all buckets of a tree that were ever written, part by part: level by level, beginning
 * at the root. So of two copies that pass as current, the newer one is encountered first
 * (construction, section 2.4). A part is one request.
 *
 * <h2>Security</h2>
 *
 * The requests follow from the configuration and from which buckets were ever written, which the
 * store has seen.
 */
public interface BucketWalk {

  /**
   * Bytes of buckets that a pass over a tree requests at once, in every scheme, and by which a ring
   * is loaded. On a long line each request costs a round trip.
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

  /** Returns the name of the part, for messages. */
  String place();

  /** Returns the bytes of the part, which {@link #bytes} includes. */
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

  /** Takes from this part, which was sealed anew by another codec, what the next parts need. */
  default void readRenewed(BucketCodec renewed) throws IOException {}

  /**
   * Overwrites the part durably with its newly sealed buckets, in the same order.
   *
   * @param epoch the epoch in which they were sealed
   */
  void write(byte[] sealed, int epoch) throws IOException;

  /** Takes buckets that are read one after another and not kept. */
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

    /**
     * Returns a visitor of the units of a request, which passes on the numbers of their buckets.
     */
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
