package io.github.roram.tree;

import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.SealedBucket;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The calling thread makes sure that a bucket was copied and gives the piece back to the store,
 * which writes over it; a helper that opens the bucket sees the copy.
 */
@JCStressTest
@Outcome(id = "7, 7", expect = Expect.ACCEPTABLE, desc = "Both see the bucket.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The bucket is torn, or of the store's next piece.")
@State
public class ArrivingPieceStress {

  private static final byte RIGHT = 7;
  private static final byte NEXT = 9;

  private final BucketDescriptor descriptor = new BucketDescriptor(1, 32, 0);
  private final ByteBuffer piece = ByteBuffer.allocate(descriptor.sealedBytes());
  private final SealedBucket bucket = new SealedBucket(descriptor);
  private final ArrivingPiece arriving =
      new ArrivingPiece(new SealedBucket[] {bucket}, 1, descriptor.sealedBytes());

  /** A piece of one bucket, announced. */
  public ArrivingPieceStress() {
    fill(RIGHT);
    arriving.begin(0, piece);
    arriving.announce(0, 0, 1);
  }

  private void fill(byte value) {
    for (int i = 0; i < piece.capacity(); i++) {
      piece.put(i, value);
    }
  }

  /** The value of all bytes, or -1. */
  private int value() {
    ByteBuffer bytes = ByteBuffer.allocate(descriptor.sealedBytes());
    bucket.give(bytes);
    for (int i = 1; i < bytes.capacity(); i++) {
      if (bytes.get(i) != bytes.get(0)) {
        return -1;
      }
    }
    return bytes.get(0);
  }

  /** The thread that talks to the store. */
  @Actor
  public void caller(II_Result seen) {
    arriving.take(0);
    fill(NEXT);
    seen.r1 = value();
  }

  /** A thread that opens buckets. */
  @Actor
  public void helper(II_Result seen) {
    arriving.take(0);
    seen.r2 = value();
  }
}
