package io.github.roram.slot;

import io.github.roram.BlockSink;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.VerifyReport.Kind;
import io.github.roram.audit.AuditLog;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.Nonces;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Resealing;
import io.github.roram.stash.Stash;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * One pass over all written buckets, part by part: level by level, in the order in which evictions
 * wrote them. A part is one request of at least one bucket. The pass includes buckets that were
 * current when a pending read began, because the block of that read may be nowhere else. Used slots
 * are opened as well: which slots are read and opened depends only on the counter, now and when the
 * oldest pending read began.
 *
 * <p>Not thread safe.
 */
final class SlotWalk {

  private final OramContext context;
  private final SlotGeometry geometry;
  private final SlotState state;
  private final SlotRequest request;
  private int level;
  private long eviction;
  private int count;

  /** Creates a walk that reads with {@code request}. */
  SlotWalk(OramContext context, SlotGeometry geometry, SlotState state, SlotRequest request) {
    this.context = context;
    this.geometry = geometry;
    this.state = state;
    this.request = request;
    level = -1;
    eviction = state.evictions();
  }

  /** Returns the number of parts of a tree whose buckets have all been written. */
  static long requests(SlotGeometry geometry) {
    long requests = 0;
    for (int each = 0; each < geometry.levels(); each++) {
      int most = geometry.bucketsOfRequest(each);
      requests += ((1L << geometry.depth(each)) + most - 1) / most;
    }
    return requests;
  }

  /** Advances to the next part; returns false after the last one. */
  boolean next() {
    eviction += count;
    while (eviction >= state.evictions()) {
      if (++level == geometry.levels()) {
        return false;
      }
      eviction = state.firstNeeded(level);
    }
    int most = geometry.bucketsOfRequest(level);
    count = (int) Math.min(most, state.evictions() - eviction);
    return true;
  }

  /** Returns the stored level of the part. */
  int level() {
    return level;
  }

  /** Returns the eviction that wrote the first bucket of the part. */
  long eviction() {
    return eviction;
  }

  /** Returns the number of buckets of the part. */
  int count() {
    return count;
  }

  /** Returns the bytes of the part on the store. */
  int bytesOfPart() {
    return count * geometry.bucketBytes(level);
  }

  /** Returns the bytes of all buckets. */
  long bytes() {
    long slots = 0;
    for (int each = 0; each < geometry.levels(); each++) {
      slots += (state.evictions() - state.firstNeeded(each)) * geometry.slots(each);
    }
    return slots * geometry.slotBytes();
  }

  /** Hands over each block once. */
  void scan(BlockSink sink) throws IOException {
    int bytes = request.descriptor().blockBytes();
    int dataOffset = request.descriptor().dataOffset(0);
    Stash stash = state.stash();
    for (int slot = 0; slot < stash.slots(); slot++) {
      if (stash.address(slot) >= 0) {
        give(sink, stash.address(slot), stash.array(slot), stash.offset(slot), bytes);
      }
    }
    long total = bytes();
    long done = 0;
    while (next()) {
      IOException[] thrown = new IOException[1];
      SlotRequest.FirstRefusal refusal = new SlotRequest.FirstRefusal();
      request.readBuckets(
          state,
          level,
          eviction,
          count,
          (unit, plain) -> {
            int address = SlotRequest.current(state, unit, plain);
            if (address >= 0 && thrown[0] == null) {
              try {
                give(sink, address, plain, dataOffset, bytes);
              } catch (IOException e) {
                thrown[0] = e;
              }
            }
          },
          refusal);
      refusal.check();
      if (thrown[0] != null) {
        throw thrown[0];
      }
      done += bytesOfPart();
      sink.advancedTo(done, total);
    }
  }

  private static void give(BlockSink sink, int address, byte[] array, int offset, int bytes)
      throws IOException {
    sink.accept(address, ByteBuffer.wrap(array, offset, bytes).slice().asReadOnlyBuffer());
  }

  /** Authenticates every slot, and checks that each block is in its place. */
  VerifyReport audit(VerifyProgress progress) throws IOException {
    AuditLog log = new AuditLog(progress, bytes());
    BitSet seen = new BitSet();
    Stash stash = state.stash();
    for (int slot = 0; slot < stash.slots(); slot++) {
      if (stash.address(slot) >= 0) {
        seen.set(stash.address(slot));
      }
    }
    while (next()) {
      String last = count == 1 ? "" : " to " + (eviction + count - 1);
      String place = "level " + geometry.depth(level) + ", eviction " + eviction + last;
      log.read(0, place, count, bytesOfPart(), () -> auditPart(log, seen));
      log.advance(bytesOfPart());
    }
    for (int address = 0; address < context.config().blocks(); address++) {
      if (state.isPlaced(address) && !seen.get(address)) {
        log.found(
            Kind.MISSING, 0, "block " + address + ": not to be found where the client put it");
      }
    }
    return log.report(seen.cardinality());
  }

  private void auditPart(AuditLog log, BitSet seen) throws IOException {
    request.readBuckets(
        state,
        level,
        eviction,
        count,
        (unit, plain) -> {
          int address = SlotRequest.current(state, unit, plain);
          if (address >= 0) {
            seen.set(address);
          }
        },
        (unit, refusal) -> log.found(Kind.BUCKET, 0, String.valueOf(refusal.getMessage())));
  }

  /**
   * Returns a resealing of every part under the same eviction numbers.
   *
   * @param newKeys keys of the epoch in which to seal
   */
  Resealing resealing(BucketStore buckets, BucketKeys newKeys) {
    return new Resealed(buckets, newKeys);
  }

  /** The parts, sealed anew. */
  private final class Resealed implements Resealing {

    private final BucketStore buckets;
    private final BucketCodec renewed;
    private final int epoch;
    private byte[] sealed = {};

    Resealed(BucketStore buckets, BucketKeys newKeys) {
      this.buckets = buckets;
      renewed = new BucketCodec(request.descriptor(), newKeys, context.storeId());
      epoch = newKeys.epoch();
    }

    @Override
    public boolean next() {
      boolean is = SlotWalk.this.next();
      if (is && sealed.length < bytes()) {
        sealed = new byte[bytes()];
      }
      return is;
    }

    @Override
    public int bytes() {
      return bytesOfPart();
    }

    @Override
    public byte[] sealed() {
      return sealed;
    }

    @Override
    public void translate() throws IOException {
      int depth = geometry.depth(level);
      Nonces nonces = Nonces.fresh();
      ByteBuffer target = ByteBuffer.wrap(sealed);
      SlotRequest.FirstRefusal refusal = new SlotRequest.FirstRefusal();
      request.readBuckets(
          state,
          level,
          eviction,
          count,
          (unit, plain) -> {
            int message = target.position() / geometry.slotBytes();
            renewed.seal(
                plain, SlotGeometry.TREE, depth, unit.number(), epoch, nonces, message, target);
          },
          refusal);
      refusal.check();
    }

    @Override
    public void write() throws IOException {
      BucketRuns written = geometry.buckets(IoPhase.META, level, eviction, count, each -> epoch);
      buckets.write(
          written,
          (first, units) -> units.put(sealed, first * geometry.slotBytes(), units.remaining()));
      buckets.sync();
    }
  }
}
