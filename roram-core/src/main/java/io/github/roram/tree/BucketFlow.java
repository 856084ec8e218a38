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
import org.jspecify.annotations.Nullable;

/**
 * Moves the buckets of a request between a store and the client. Several threads open or seal them
 * while the calling thread talks to the store.
 *
 * <p>Between the two is a ring of sealed buckets. On a read, each thread copies the buckets that it
 * opens out of the piece that the store hands over, and the calling thread takes opened buckets out
 * of the ring in the order of the request. It gives the piece back when little of it is left to
 * open: it copies the rest into the ring, where the other threads work on it while the store gets
 * the next piece. On a write, buckets are assembled and sealed ahead, up to the length of the ring,
 * and the calling thread copies them to the store. It also opens and seals whenever it would have
 * to wait. Small buckets pass in portions of several, because threads that meet at each bucket
 * would wait for each other's caches. With one thread the ring has one bucket, which stays in the
 * processor's cache.
 *
 * <h2>Security</h2>
 *
 * One thread asks the store, in the order of the request: what the store sees, and in which order,
 * does not depend on the number of threads or on their scheduling. When a bucket is refused, the
 * store may have been asked for later parts of the same request; how far depends on the threads,
 * and reveals nothing else.
 *
 * <p>One request at a time.
 */
final class BucketFlow {

  /** What the helpers have left to open while the store gets its next piece. */
  private static final int LEFT_BYTES = 1 << 20;

  /** A request of fewer bytes is opened or sealed sooner than a helper wakes. */
  private static final int WAKE_BYTES = 1 << 16;

  private final TaskRing ring;

  /** The most buckets that a thread takes at a time; a slot of the ring has room for them. */
  private final int portion;

  private final SealedBucket[] sealed;
  private final ArrivingPiece arriving;
  private final int left;
  private final byte[][] scratch;
  private final @Nullable IntegrityException[] refusals;
  private final BucketCodec[] codecs;

  /**
   * Creates a flow.
   *
   * @param shape number of threads that open and seal, and of buckets in the ring
   */
  BucketFlow(BucketCodec codec, Workspace.Ring shape) {
    BucketDescriptor descriptor = codec.descriptor();
    int threads = shape.threads();
    int buckets = shape.slots();
    portion = shape.portion(descriptor);
    ring = new TaskRing(threads, buckets / portion);
    sealed = new SealedBucket[buckets];
    Arrays.setAll(sealed, bucket -> new SealedBucket(descriptor));
    arriving = new ArrivingPiece(sealed, portion, descriptor.sealedBytes());
    left = LEFT_BYTES / descriptor.sealedBytes() / portion;
    scratch = new byte[buckets][0];
    refusals = new IntegrityException[buckets];
    codecs = new BucketCodec[threads];
    Arrays.setAll(codecs, lane -> lane == TaskRing.CALLER ? codec : codec.duplicate());
  }

  /** Returns the plaintext of a bucket in the ring; made by the task that needs it first. */
  private byte[] passing(int bucket) {
    if (scratch[bucket].length == 0) {
      scratch[bucket] = new byte[codecs[0].descriptor().plainBytes()];
    }
    return scratch[bucket];
  }

  /** Reads a request; units are visited in their order. What the visitor throws ends it. */
  void read(BucketStore store, BucketRuns runs, BucketWalk.Visitor to) throws IOException {
    read(sink -> store.read(runs, sink), runs, to);
  }

  /**
   * Reads a request from any source; units are visited in their order.
   *
   * @param runs the buckets that the source must return
   */
  void read(BucketMemory.Reading reading, BucketRuns runs, BucketWalk.Visitor to)
      throws IOException {
    ring.begin((task, slot, lane) -> open(runs, slot, codecs[lane]), isWorthWaking(runs));
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

  /** Opens the portion in a slot. */
  private void open(BucketRuns runs, int slot, BucketCodec codec) {
    arriving.take(slot);
    for (int i = 0; i < arriving.units(slot); i++) {
      int bucket = slot * portion + i;
      int unit = arriving.firstUnit(slot) + i;
      refusals[bucket] = null;
      try {
        codec.open(
            sealed[bucket],
            passing(bucket),
            runs.tree(),
            runs.level(unit),
            runs.number(unit),
            runs.epoch(unit));
      } catch (IntegrityException e) {
        refusals[bucket] = e;
      }
    }
  }

  private boolean isWorthWaking(BucketRuns runs) {
    return (long) runs.units() * codecs[0].descriptor().sealedBytes() >= WAKE_BYTES;
  }

  private static final class Progress {
    int units;
    int portions;
  }

  /** Opens the buckets of a piece, or at least copies them. */
  private void supply(Progress supplied, int end, Progress consumed, BucketWalk.Visitor to) {
    int before = supplied.portions;
    while (supplied.units < end) {
      if (ring.isFull()) {
        consume(consumed, to);
      }
      int units = Math.min(portion, end - supplied.units);
      arriving.announce(ring.slot(supplied.portions++), supplied.units, units);
      supplied.units += units;
      ring.submit();
    }
    ring.runUntilFew(left);
    // The last ones first: the helpers are at the other end.
    int first = Math.max(consumed.portions, before);
    for (int last = supplied.portions - 1; last >= first; last--) {
      arriving.take(ring.slot(last));
    }
  }

  /** Hands over the oldest portion. */
  private void consume(Progress consumed, BucketWalk.Visitor to) {
    consumed.portions++;
    int slot = ring.collect();
    for (int i = 0; i < arriving.units(slot); i++) {
      int bucket = slot * portion + i;
      int unit = arriving.firstUnit(slot) + i;
      IntegrityException refusal = refusals[bucket];
      if (refusal == null) {
        to.opened(unit, scratch[bucket]);
      } else {
        to.refused(unit, refusal);
      }
    }
  }

  /**
   * Writes a request, sealed in its epochs; the source is asked by all threads, and has settled
   * what the buckets are.
   */
  void write(BucketStore store, BucketRuns runs, BucketMemory.Source source) throws IOException {
    Nonces nonces = Nonces.fresh();
    ring.begin(
        (task, slot, lane) -> seal(runs, task, slot, lane, source, nonces), isWorthWaking(runs));
    try {
      for (int unit = 0; unit < Math.min(runs.units(), sealed.length); unit += portion) {
        ring.submit();
      }
      Progress given = new Progress();
      store.write(runs, (firstUnit, units) -> fill(runs.units(), firstUnit, units, given));
    } finally {
      ring.end();
    }
  }

  /** Puts together and seals a portion of a request, by its number. */
  private void seal(
      BucketRuns runs, int task, int slot, int lane, BucketMemory.Source source, Nonces nonces) {
    byte[] plain = passing(lane);
    int first = task * portion;
    for (int unit = first; unit < Math.min(first + portion, runs.units()); unit++) {
      codecs[lane].seal(
          source.assemble(unit, plain),
          runs.tree(),
          runs.level(unit),
          runs.number(unit),
          runs.epoch(unit),
          nonces,
          unit,
          sealed[slot * portion + unit - first]);
    }
  }

  private void fill(int total, int firstUnit, ByteBuffer units, Progress given) {
    for (int unit = firstUnit; units.hasRemaining(); unit++) {
      inOrder(unit, given.units++);
      int within = unit % portion;
      if (within == 0) {
        ring.collect();
      }
      sealed[ring.slot(unit / portion) * portion + within].give(units);
      if (within == portion - 1 && unit + 1 + sealed.length - portion < total) {
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

  /** Returns the bytes of memory that it takes now. */
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
