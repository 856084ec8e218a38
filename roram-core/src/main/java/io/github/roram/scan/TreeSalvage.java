package io.github.roram.scan;

import io.github.roram.BlockSink;
import io.github.roram.IntegrityException;
import io.github.roram.SalvageReport;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.ring.LevelRun;
import io.github.roram.ring.LevelTable;
import io.github.roram.store.BlockStore;
import io.github.roram.store.Crc32c;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.tree.TreeGeometry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the newest copy of each block on a store of logs, without the client's state: two passes
 * over all places, the first of which only looks which copy is the newest.
 *
 * <p>In a tree that is the copy of the highest key epoch, and of these the one of the highest
 * eviction. A copy that became stale is never written again: the next eviction that meets it drops
 * it (construction, section 2.4). So it was written before its block was accessed, and whatever was
 * evicted of the block since is later; evictions that are done again after a crash have their
 * numbers again, in a later epoch. Of two trees, the one with the higher epoch has the newer copy,
 * for the same reason: a write makes the copies in all trees stale. Within an epoch nothing says
 * which of two trees was earlier, since their counters go on at different speeds; where contents
 * differ then, the copy is taken that is later among its tree's evictions of the epoch, and the
 * block counted as uncertain.
 *
 * <p>What eviction wrote a bucket stands in its header and is authenticated, so buckets cannot be
 * forged or moved. That the store has put back older ones shows where others are newer: all levels
 * are written by all evictions, so what must be there follows from the highest that was found.
 *
 * <h2>Security</h2>
 *
 * The store sees two sequential passes over all of it. Holds 40 bytes a block and 8 a bucket.
 */
public final class TreeSalvage {

  private static final int REQUEST_BYTES = 4 << 20;
  private static final long NEVER = -1;

  private final BlockStore store;
  private final LevelTable table;
  private final int blocks;
  private final List<Tree> trees = new ArrayList<>();

  /** Which copy of each block is the newest so far. */
  private final Copies best;

  private long buckets;
  private long missing;
  private long uncertain;
  private long doneBytes;
  private long totalBytes;

  /**
   * A tree of data.
   *
   * @param geometry its shape
   * @param descriptor its buckets
   * @param codec opens them
   * @param chunkPaths K: the most evictions that are written at once
   */
  public record Tree(
      TreeGeometry geometry, BucketDescriptor descriptor, BucketCodec codec, int chunkPaths) {}

  /** The copy that was found of each block: in which tree, by which eviction and epoch. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Copies(int[] tree, long[] eviction, int[] epoch, int[] digest) {
    Copies(int blocks) {
      this(new int[blocks], new long[blocks], new int[blocks], new int[blocks]);
      Arrays.fill(eviction, NEVER);
    }

    boolean isBefore(int block, long otherEviction, int otherEpoch) {
      return otherEpoch > epoch[block]
          || (otherEpoch == epoch[block] && otherEviction > eviction[block]);
    }

    void set(int block, int newTree, long newEviction, int newEpoch, int newDigest) {
      tree[block] = newTree;
      eviction[block] = newEviction;
      epoch[block] = newEpoch;
      digest[block] = newDigest;
    }
  }

  /** Takes a bucket that is whole, opened. */
  @FunctionalInterface
  private interface Visitor {
    void visit(int level, long eviction, int epoch, byte[] plain) throws IOException;
  }

  /** Creates a salvage of these trees, which have the same blocks. */
  public TreeSalvage(BlockStore store, LevelTable table, long blocks, List<Tree> trees) {
    this.store = store;
    this.table = table;
    this.blocks = Math.toIntExact(blocks);
    this.trees.addAll(trees);
    best = new Copies(this.blocks);
    for (Tree tree : trees) {
      for (int level = lowest(tree); level <= tree.geometry().height(); level++) {
        LevelRun run = table.run(tree.geometry().tree(), level);
        totalBytes += 2 * run.places(level) * run.bucketBytes();
      }
    }
  }

  private static int lowest(Tree tree) {
    return tree.geometry().treetopLevels();
  }

  /** Hands over each block that is found, once. */
  public SalvageReport run(BlockSink sink) throws IOException {
    List<Evictions> seen = new ArrayList<>();
    for (int tree = 0; tree < trees.size(); tree++) {
      seen.add(new Evictions(trees.get(tree).geometry()));
      look(tree, seen, sink);
    }
    BitSet given = new BitSet();
    for (int tree = 0; tree < trees.size(); tree++) {
      give(tree, given, sink);
    }
    return new SalvageReport(given.cardinality(), uncertain, buckets, missing);
  }

  /** Finds the newest copies in a tree, and merges them with those of the trees before. */
  private void look(int number, List<Evictions> all, BlockSink sink) throws IOException {
    Tree tree = trees.get(number);
    Copies copies = new Copies(blocks);
    Evictions seen = all.get(number);
    walk(
        tree,
        sink,
        (level, eviction, epoch, plain) -> {
          buckets++;
          seen.add(level, eviction, epoch);
          for (int slot = 0; slot < tree.descriptor().slots(); slot++) {
            int address = PlainBucket.address(plain, slot);
            if (address >= 0 && address < blocks && copies.isBefore(address, eviction, epoch)) {
              int digest =
                  Crc32c.of(
                      plain, tree.descriptor().dataOffset(slot), tree.descriptor().blockBytes());
              copies.set(address, number, eviction, epoch, digest);
            }
          }
        });
    missing += seen.missing(tree.chunkPaths());
    for (int block = 0; block < blocks; block++) {
      if (copies.eviction()[block] != NEVER) {
        merge(block, copies, all, number);
      }
    }
  }

  private void merge(int block, Copies other, List<Evictions> seen, int number) {
    int epoch = other.epoch()[block];
    boolean better = true;
    if (best.eviction()[block] != NEVER) {
      boolean sameEpoch = epoch == best.epoch()[block];
      double when = seen.get(number).part(other.eviction()[block], epoch);
      double bestWhen = seen.get(best.tree()[block]).part(best.eviction()[block], epoch);
      better = sameEpoch ? when > bestWhen : epoch > best.epoch()[block];
      if (sameEpoch && other.digest()[block] != best.digest()[block]) {
        uncertain++;
      }
    }
    if (better) {
      best.set(block, number, other.eviction()[block], epoch, other.digest()[block]);
    }
  }

  /** Hands over what is best and in this tree. */
  private void give(int number, BitSet given, BlockSink sink) throws IOException {
    Tree tree = trees.get(number);
    int bytes = tree.descriptor().blockBytes();
    walk(
        tree,
        sink,
        (level, eviction, epoch, plain) -> {
          for (int slot = 0; slot < tree.descriptor().slots(); slot++) {
            int address = PlainBucket.address(plain, slot);
            if (address >= 0
                && address < blocks
                && best.tree()[address] == number
                && best.eviction()[address] == eviction
                && best.epoch()[address] == epoch
                && !given.get(address)) {
              given.set(address);
              int offset = tree.descriptor().dataOffset(slot);
              sink.accept(
                  address, ByteBuffer.wrap(plain, offset, bytes).slice().asReadOnlyBuffer());
            }
          }
        });
  }

  /** Opens all that is whole in a tree. */
  private void walk(Tree tree, BlockSink sink, Visitor visitor) throws IOException {
    for (int level = lowest(tree); level <= tree.geometry().height(); level++) {
      LevelRun run = table.run(tree.geometry().tree(), level);
      int most = Math.max(1, REQUEST_BYTES / run.bucketBytes());
      for (long place = 0; place < run.places(level); place += most) {
        int count = (int) Math.min(most, run.places(level) - place);
        walk(tree, run, level, place, count, visitor);
        doneBytes += (long) count * run.bucketBytes();
        sink.advancedTo(doneBytes, totalBytes);
      }
    }
  }

  private void walk(Tree tree, LevelRun run, int level, long first, int count, Visitor visitor)
      throws IOException {
    int bytes = run.bucketBytes();
    byte[] sealed = new byte[count * bytes];
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, run.tree(), bytes);
    batch.add(run.offset(level) + first * bytes, count);
    store.read(batch, (unit, units) -> units.get(sealed, unit * bytes, units.remaining()));
    byte[] plain = new byte[tree.descriptor().plainBytes()];
    for (int i = 0; i < count; i++) {
      ByteBuffer bucket = ByteBuffer.wrap(sealed, i * bytes, bytes).slice();
      long eviction = BucketDescriptor.eviction(bucket);
      boolean belongs = eviction >= 0 && eviction % run.places(level) == first + i;
      if (belongs && BucketDescriptor.isSealed(bucket)) {
        int epoch = BucketDescriptor.epoch(bucket);
        if (opens(tree, level, eviction, bucket, plain)) {
          visitor.visit(level, eviction, epoch, plain);
        }
      }
    }
  }

  private static boolean opens(
      Tree tree, int level, long eviction, ByteBuffer bucket, byte[] plain) {
    try {
      tree.codec()
          .open(bucket, plain, tree.geometry().tree(), level, eviction, BucketCodec.ANY_EPOCH);
      return true;
    } catch (IntegrityException e) {
      return false; // counted where it must be there
    }
  }

  /** Which evictions were met in the levels of a tree. */
  private static final class Evictions {
    private final TreeGeometry geometry;

    /** By level, how many places away from the newest of the level, and so on back. */
    private final List<long[]> byLevel = new ArrayList<>();

    /** The first and the last eviction that was met of each epoch. */
    private final Map<Integer, long[]> ofEpoch = new HashMap<>();

    private long newest = NEVER;

    Evictions(TreeGeometry geometry) {
      this.geometry = geometry;
      for (int level = 0; level <= geometry.height(); level++) {
        byLevel.add(new long[level < geometry.treetopLevels() ? 0 : 1 << level]);
        Arrays.fill(byLevel.get(level), NEVER);
      }
    }

    /** Returns how far into the epoch an eviction was: 0 to 1, where others of it are known. */
    double part(long eviction, int epoch) {
      long[] span = ofEpoch.getOrDefault(epoch, new long[] {eviction, eviction});
      return (eviction - span[0] + 1.0) / (span[1] - span[0] + 1);
    }

    void add(int level, long eviction, int epoch) {
      long[] span = ofEpoch.computeIfAbsent(epoch, any -> new long[] {eviction, eviction});
      span[0] = Math.min(span[0], eviction);
      span[1] = Math.max(span[1], eviction);
      long[] latest = byLevel.get(level);
      int bucket = geometry.bucket(eviction, level);
      latest[bucket] = Math.max(latest[bucket], eviction);
      newest = Math.max(newest, eviction);
    }

    /**
     * Buckets whose last eviction is not there, but for the last two chunks, which a client that
     * was lost may not have written wholly.
     */
    long missing(int chunkPaths) {
      long missing = 0;
      long end = newest + 1 - 2L * chunkPaths;
      for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
        long from = Math.max(geometry.since(level), newest + 1 - (1L << level));
        for (long eviction = from; eviction < end; eviction++) {
          int bucket = geometry.bucket(eviction, level);
          if (bucket >= geometry.firstStored(level) && byLevel.get(level)[bucket] < eviction) {
            missing++;
          }
        }
      }
      return missing;
    }
  }
}
