package io.github.roram.tree;

import io.github.roram.IntegrityException;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.SealedBucket;
import io.github.roram.cipher.Nonces;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Moves the buckets of a request between a store and the client, opening or sealing them on several
 * threads while the calling thread talks to the store.
 *
 * <p>Between the two stands a ring of sealed buckets. Reading, each thread copies the buckets that
 * it opens out of the piece that the store hands over, and the calling thread takes opened buckets
 * out of the ring in the order of the request. It gives the piece back when little of it is left to
 * open: that much it copies into the ring, for the others to work on while the store gets the next.
 * Writing, buckets are put together and sealed ahead, up to the length of the ring, and the calling
 * thread copies them to the store. It opens and seals as well whenever it would have to wait. With
 * one thread the ring has one bucket, which stays in the processor's cache.
 *
 * <h2>Security</h2>
 *
 * The store is asked by one thread, in the order of the request: what it sees, and in which order,
 * is the same whatever the number of threads and however they run. When a bucket is refused, the
 * store may have been asked for later parts of the same request; how far depends on the threads,
 * and shows nothing but that.
 *
 * <p>One request at a time.
 */
final class BucketFlow {

  /** What the helpers have left to open while the store gets its next piece. */
  private static final int LEFT_BYTES = 1 << 20;

  /** A request of fewer bytes is opened or sealed sooner than a helper wakes. */
  private static final int WAKE_BYTES = 1 << 16;

  /** Where opened buckets go, in the order of the request; each is valid during the call. */
  interface Consumer {
    void accept(int unit, byte[] plain);

    /** A bucket that is not the one named comes in its turn; unless taken, it ends the request. */
    default void refused(int unit, IntegrityException reason) {
      throw reason;
    }
  }

  private final TaskRing ring;
  private final SealedBucket[] sealed;
  private final ArrivingPiece arriving;
  private final int left;
  private final byte[][] scratch;
  private final BucketCodec[] codecs;

  /**
   * A flow.
   *
   * @param shape how many open and seal, and how many buckets are in the ring
   */
  BucketFlow(BucketCodec codec, Workspace.Ring shape) {
    BucketDescriptor descriptor = codec.descriptor();
    int threads = shape.threads();
    int slots = shape.slots();
    ring = new TaskRing(threads, slots);
    sealed = new SealedBucket[slots];
    Arrays.setAll(sealed, slot -> new SealedBucket(descriptor));
    arriving = new ArrivingPiece(sealed, descriptor.sealedBytes());
    left = LEFT_BYTES / descriptor.sealedBytes();
    scratch = new byte[slots][0];
    codecs = new BucketCodec[threads];
    Arrays.setAll(codecs, lane -> lane == TaskRing.CALLER ? codec : codec.duplicate());
  }

  /** The plaintext of the bucket in a slot; made by the task that needs it first. */
  private byte[] passing(int slot) {
    if (scratch[slot].length == 0) {
      scratch[slot] = new byte[codecs[0].descriptor().plainBytes()];
    }
    return scratch[slot];
  }

  /** Reads a request. What the consumer throws ends it. */
  void read(BucketStore store, BucketRuns runs, Consumer to) throws IOException {
    read(sink -> store.read(runs, sink), runs, to);
  }

  /**
   * As above, from any store.
   *
   * @param runs what the buckets must be
   */
  void read(BucketMemory.Reading reading, BucketRuns runs, Consumer to) throws IOException {
    ring.begin(
        (unit, slot, lane) ->
            codecs[lane].open(
                arriving.take(unit, slot),
                passing(slot),
                runs.tree(),
                runs.level(unit),
                runs.eviction(unit),
                runs.epoch(unit)),
        isWorthWaking(runs));
    Progress supplied = new Progress();
    Progress consumed = new Progress();
    try {
      reading.into(
          (firstUnit, units) -> {
            try {
              inOrder(firstUnit, supplied.units);
              supply(supplied, arriving.begin(firstUnit, units), consumed, to);
              units.position(units.limit());
            } catch (RuntimeException | Error e) {
              ring.end(); // the piece is the store's again
              throw e;
            }
          });
      while (!ring.isEmpty()) {
        consume(consumed, to);
      }
    } finally {
      ring.end();
    }
  }

  private boolean isWorthWaking(BucketRuns runs) {
    return (long) runs.units() * codecs[0].descriptor().sealedBytes() >= WAKE_BYTES;
  }

  private static final class Progress {
    int units;
  }

  /** Opens the buckets of a piece, or at least copies them. */
  private void supply(Progress supplied, int units, Progress consumed, Consumer to) {
    for (int i = 0; i < units; i++) {
      if (ring.isFull()) {
        consume(consumed, to);
      }
      arriving.announce(ring.slot(supplied.units++));
      ring.submit();
    }
    ring.runUntilFew(left);
    // The last ones first: the helpers are at the other end.
    int first = Math.max(consumed.units, supplied.units - units);
    for (int unit = supplied.units - 1; unit >= first; unit--) {
      arriving.take(unit, ring.slot(unit));
    }
  }

  private void consume(Progress consumed, Consumer to) {
    int unit = consumed.units++;
    int slot;
    try {
      slot = ring.collect();
    } catch (IntegrityException e) {
      to.refused(unit, e);
      return;
    }
    to.accept(unit, passing(slot));
  }

  /**
   * Writes a request, sealed in its epochs; the source is asked by all threads, and has settled
   * what the buckets are.
   */
  void write(BucketStore store, BucketRuns runs, BucketMemory.Source source) throws IOException {
    Nonces nonces = Nonces.fresh();
    ring.begin(
        (unit, slot, lane) -> {
          byte[] plain = passing(lane);
          source.assemble(unit, plain);
          codecs[lane].seal(
              plain,
              runs.tree(),
              runs.level(unit),
              runs.eviction(unit),
              runs.epoch(unit),
              nonces,
              unit,
              sealed[slot]);
        },
        isWorthWaking(runs));
    try {
      int ahead = Math.min(runs.units(), ring.slots());
      for (int unit = 0; unit < ahead; unit++) {
        ring.submit();
      }
      Progress given = new Progress();
      store.write(runs, (firstUnit, units) -> fill(runs.units(), firstUnit, units, given));
    } finally {
      ring.end();
    }
  }

  private void fill(int total, int firstUnit, ByteBuffer units, Progress given) {
    for (int unit = firstUnit; units.hasRemaining(); unit++) {
      inOrder(unit, given.units++);
      sealed[ring.collect()].give(units);
      if (unit + ring.slots() < total) {
        ring.submit();
      }
    }
  }

  private static void inOrder(int unit, int expected) {
    if (unit != expected) {
      throw new IllegalStateException(
          "the store came with unit " + unit + " instead of unit " + expected + " of the request");
    }
  }

  /** Bytes of memory that it takes now. */
  long heldBytes() {
    long bytes = (long) sealed.length * codecs[0].descriptor().sealedBytes();
    for (byte[] plain : scratch) {
      bytes += plain.length;
    }
    return bytes;
  }

  /** Ends the helping threads and overwrites all plaintext. */
  void wipe() {
    ring.stop();
    for (byte[] plain : scratch) {
      Arrays.fill(plain, (byte) 0);
    }
  }
}
