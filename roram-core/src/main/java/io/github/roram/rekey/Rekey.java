package io.github.roram.rekey;

import io.github.roram.IntegrityException;
import io.github.roram.UncleanShutdownException;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.crypto.MasterKey;
import io.github.roram.state.ClientRecords;
import io.github.roram.state.ClosedState;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.ClientVault;
import io.github.roram.store.IoPhase;
import io.github.roram.store.RollbackGuard;
import io.github.roram.tree.RangeTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives a closed store a new master key: opens every current bucket with the old one and seals it
 * with the new one, in place, where it stands and for the eviction that it is of.
 *
 * <p>Restartable: a batch is saved in the client's vault before it overwrites its buckets. The same
 * call, with the same keys, goes on where a crash broke it off.
 *
 * <h2>Security</h2>
 *
 * The store sees all of its current buckets rewritten in order. Their nonces are those that they
 * had, under keys that never sealed anything: each start draws their salts anew.
 *
 * <p>Going on seals under keys that may have sealed before. It seals the same bytes, since it must
 * find the very {@link ClosedState} that the change began from, and a bucket of that state has one
 * content only. So a {@code rekey} record that was put back, at whatever stage, beside other
 * records or another store, seals nothing else: it goes on as before, or is refused.
 */
public final class Rekey {

  private static final int BATCH_BUCKETS = 256;

  private final ClientVault vault;
  private final MasterKey newKey;
  private final UUID storeId;
  private final RollbackGuard guard;
  private final LongConsumer progressBytes;

  /** What is under way. Loaded once, so that what was checked is what is used. */
  private @Nullable RekeyRecord underWay;

  /** A change of keys. */
  public Rekey(
      ClientVault vault,
      MasterKey newKey,
      UUID storeId,
      RollbackGuard guard,
      LongConsumer progressBytes) {
    this.guard = guard;
    this.vault = vault;
    this.newKey = newKey;
    this.storeId = storeId;
    this.progressBytes = progressBytes;
  }

  /**
   * Checks that no change of keys was interrupted.
   *
   * @throws UncleanShutdownException if one was
   */
  public static void checkNoneUnderWay(ClientVault vault, MasterKey key, UUID storeId)
      throws IOException {
    RekeyRecord.checkNoneUnderWay(vault, key, storeId);
  }

  /** Whether this change of keys was begun and not finished. */
  public boolean isUnderWay() throws IOException {
    if (underWay == null) {
      underWay =
          RekeyRecord.load(vault, newKey, storeId)
              .filter(record -> record.stage() != RekeyRecord.Stage.DONE)
              .orElse(null);
    }
    return underWay != null;
  }

  /**
   * Makes a record of a change to the new key that was finished, which is left over where a store
   * was restored from a copy, say so under the old key too.
   */
  public void retireFinished(MasterKey oldKey) throws IOException {
    Optional<RekeyRecord> finished = RekeyRecord.load(vault, newKey, storeId);
    if (finished.isPresent() && finished.get().stage() == RekeyRecord.Stage.DONE) {
      finished.get().save(vault, oldKey, storeId);
    }
  }

  /**
   * Begins, or goes on with what is under way.
   *
   * @param found what was opened with the old key
   * @throws IntegrityException if what is under way began from another state, or the store was not
   *     closed; nothing was changed
   */
  public void startFrom(Optional<ClosedState> found) throws IOException {
    if (underWay == null) {
      RekeyRecord begun =
          RekeyRecord.startingFrom(
              found.orElseThrow(
                  () -> new IntegrityException("store " + storeId + " is not closed; close it")));
      begun.save(vault, newKey, storeId);
      underWay = begun;
    } else if (!found.equals(Optional.of(underWay.from()))) {
      throw new IntegrityException(
          "the client's record 'rekey' is of a change of keys that began from another state of store "
              + storeId
              + " than the one that is there; nothing was changed. Restore the newest of the"
              + " client's records; or, if the store opens with the old key and verifies once"
              + " 'rekey' and 'rekey-batch' are moved away, they were left over: start again"
              + " without them");
    }
  }

  private RekeyRecord record() {
    if (underWay == null) {
      throw new IllegalStateException("no change of keys is under way");
    }
    return underWay;
  }

  private void enter(RekeyRecord.Stage stage) throws IOException {
    RekeyRecord next = record().at(stage);
    next.save(vault, newKey, storeId);
    underWay = next;
  }

  /** Whether only the client's records and the superblock are left to be replaced. */
  public boolean bucketsAreDone() {
    return record().stage() == RekeyRecord.Stage.RECORDS;
  }

  /** The client's records under the new key, none of them saved yet. */
  public ClientRecords newRecords() {
    RekeyRecord record = record();
    return ClientRecords.rekeyed(
        vault, newKey, storeId, guard, record.epoch(), record.salts(), record.newStateId());
  }

  /** Rewrites the buckets of all trees, which have the old key. */
  public void rewrite(List<RangeTree> trees) throws IOException {
    RekeyRecord record = record();
    Optional<RekeyBatch> torn = RekeyBatch.load(vault, newKey, record.id());
    try (BucketKeys keys =
        new BucketKeys(newKey.duplicate(), storeId, record.epoch(), record.salts())) {
      Rewriter rewriter = new Rewriter(keys, torn);
      for (RangeTree tree : trees) {
        rewriter.tree(tree);
      }
    }
    enter(RekeyRecord.Stage.RECORDS);
  }

  /** Ends, once the client's records and the superblock are under the new key. */
  public void finish() throws IOException {
    enter(RekeyRecord.Stage.DONE);
    RekeyBatch.save(vault, newKey, record().id(), -1, new byte[0], 0);
  }

  /** Goes over the buckets, batch by batch. */
  private final class Rewriter {
    private final BucketKeys keys;
    private final Optional<RekeyBatch> torn;
    private final long alreadyDone;
    private long number;

    Rewriter(BucketKeys keys, Optional<RekeyBatch> torn) {
      this.keys = keys;
      this.torn = torn;
      this.alreadyDone = torn.map(RekeyBatch::number).orElse(-1L);
    }

    void tree(RangeTree tree) throws IOException {
      TreeRewriter rewriter = new TreeRewriter(tree, keys);
      int height = tree.geometry().height();
      long end = tree.schedule().evictions();
      for (int level = tree.geometry().treetopLevels(); level <= height; level++) {
        for (long first = end - (1L << level); first < end; first += BATCH_BUCKETS) {
          int count = (int) Math.min(BATCH_BUCKETS, end - first);
          if (rewriter.begin(level, first, count)) {
            next(rewriter);
          }
        }
      }
    }

    private void next(TreeRewriter rewriter) throws IOException {
      if (number > alreadyDone) {
        int bytes = rewriter.translate();
        RekeyBatch.save(vault, newKey, record().id(), number, rewriter.sealed(), bytes);
        rewriter.write();
      } else if (number == alreadyDone) {
        torn.orElseThrow().copyTo(rewriter.sealed());
        rewriter.write();
      }
      number++;
      progressBytes.accept(rewriter.bytes());
    }
  }

  /** Reads buckets of a tree under the old key, and writes them under the new one. */
  private final class TreeRewriter {
    private final RangeTree tree;
    private final BucketCodec opening;
    private final BucketCodec sealing;
    private final int epoch;
    private final BucketRuns old = new BucketRuns();
    private final BucketRuns renewed = new BucketRuns();
    private final byte[] plain;
    private final byte[] sealed;

    TreeRewriter(RangeTree tree, BucketKeys keys) {
      BucketDescriptor descriptor = tree.descriptor();
      this.tree = tree;
      opening = tree.memory().codec();
      sealing = new BucketCodec(descriptor, keys, storeId);
      epoch = keys.epoch();
      plain = new byte[descriptor.plainBytes()];
      sealed = new byte[BATCH_BUCKETS * descriptor.sealedBytes()];
    }

    /** Takes the buckets of a level that these evictions wrote; false if none was written. */
    boolean begin(int level, long first, int count) {
      int number = tree.geometry().tree();
      int bucketBytes = tree.descriptor().sealedBytes();
      old.reset(IoPhase.META, number, bucketBytes);
      tree.addWritten(old, level, first, count);
      renewed.reset(IoPhase.META, number, bucketBytes);
      if (old.units() > 0) {
        renewed.add(level, old.eviction(0), old.units(), epoch);
      }
      return old.units() > 0;
    }

    int bytes() {
      return (int) renewed.bytes();
    }

    byte[] sealed() {
      return sealed;
    }

    /** Seals anew; returns the number of bytes. */
    int translate() throws IOException {
      ByteBuffer target = ByteBuffer.wrap(sealed);
      int number = tree.geometry().tree();
      tree.buckets()
          .read(
              old,
              (firstUnit, units) -> {
                for (int unit = firstUnit; units.hasRemaining(); unit++) {
                  int level = old.level(unit);
                  long eviction = old.eviction(unit);
                  opening.open(units, plain, number, level, eviction, old.epoch(unit));
                  sealing.seal(plain, number, level, eviction, epoch, target);
                }
              });
      return bytes();
    }

    void write() throws IOException {
      int bucketBytes = renewed.bucketBytes();
      tree.buckets()
          .write(
              renewed,
              (firstUnit, units) -> units.put(sealed, firstUnit * bucketBytes, units.remaining()));
      tree.buckets().sync();
    }
  }
}
