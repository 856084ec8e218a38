package io.github.roram.slot;

import io.github.roram.bucket.PlainBucket;
import io.github.roram.bulk.BulkBlocks;
import io.github.roram.engine.OramContext;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Fills an empty tree with the blocks of a channel. Each bucket is written once, as by the first
 * 2^h evictions, leaves first and each level in order. Blocks go as deep as there is room; those
 * that fit no bucket stay with the client.
 *
 * <h2>Security</h2>
 *
 * What is written, and when, follows from the configuration alone. Blocks keep the labels that they
 * have before their first access, so that access shows a label about which nothing was revealed.
 */
final class SlotLoad {

  private final OramContext context;
  private final SlotGeometry geometry;
  private final SlotState state;
  private final SlotRequest request;

  SlotLoad(OramContext context, SlotGeometry geometry, SlotState state, SlotRequest request) {
    this.context = context;
    this.geometry = geometry;
    this.state = state;
    this.request = request;
  }

  /** Fills the tree; if this fails, the state must be reset. */
  void run(SeekableByteChannel source, long memoryBytes, int epoch, LongConsumer progressBytes)
      throws IOException {
    int blockBytes = context.config().blockBytes();
    boolean payload = request.descriptor().blockBytes() > 0;
    BulkBlocks blocks = new BulkBlocks(source, blockBytes, payload, memoryBytes);
    int[] waiting = new int[blocks.blocks()];
    Arrays.setAll(waiting, address -> address);
    int left = waiting.length;
    for (int level = geometry.levels() - 1; level >= 0; level--) {
      left = load(level, waiting, left, blocks, epoch, progressBytes);
    }
    blocks.keep(waiting, left, state::label, state.stash());
    state.filled(epoch);
  }

  /**
   * Fills the buckets of a level with blocks that wait.
   *
   * @return number of blocks that still wait, at the start of the array
   */
  private int load(
      int level, int[] waiting, int count, BulkBlocks blocks, int epoch, LongConsumer progressBytes)
      throws IOException {
    int width = 1 << geometry.depth(level);
    int room = geometry.room(level);
    int[] start = new int[width + 1];
    int[] sorted = new int[count];
    int left = sort(level, waiting, count, start, sorted);
    // As many buckets as fit in the memory when full, whatever they hold.
    int group = Math.max(1, blocks.groupBlocks() / room);
    int most = geometry.bucketsOfRequest(level);
    for (int first = 0; first < width; first += group) {
      int end = Math.min(width, first + group);
      blocks.gather(sorted, start[first], start[end]);
      for (int bucket = first; bucket < end; bucket += most) {
        int buckets = Math.min(most, end - bucket);
        write(level, bucket, buckets, sorted, start, start[first], blocks, epoch);
        progressBytes.accept((long) buckets * geometry.bucketBytes(level));
      }
    }
    return left;
  }

  /** Sorts waiting blocks into buckets that have room for them; returns how many still wait. */
  private int sort(int level, int[] waiting, int count, int[] start, int[] sorted) {
    int width = start.length - 1;
    int[] taken = new int[width];
    int room = geometry.room(level);
    for (int i = 0; i < count; i++) {
      int bucket = geometry.bucket(state.label(waiting[i]), level);
      taken[bucket] = Math.min(room, taken[bucket] + 1);
    }
    for (int bucket = 0; bucket < width; bucket++) {
      start[bucket + 1] = start[bucket] + taken[bucket];
    }
    int[] next = Arrays.copyOf(start, width);
    int left = 0;
    for (int i = 0; i < count; i++) {
      int bucket = geometry.bucket(state.label(waiting[i]), level);
      if (next[bucket] < start[bucket + 1]) {
        sorted[next[bucket]++] = waiting[i];
      } else {
        waiting[left++] = waiting[i];
      }
    }
    return left;
  }

  /** Writes buckets of a level in one request, each with its blocks in random slots. */
  private void write(
      int level,
      int firstBucket,
      int buckets,
      int[] sorted,
      int[] start,
      int gathered,
      BulkBlocks blocks,
      int epoch)
      throws IOException {
    int slots = geometry.slots(level);
    int[] inSlot = new int[buckets * slots];
    Arrays.fill(inSlot, -1);
    for (int i = 0; i < buckets; i++) {
      draw(level, firstBucket + i, sorted, start, inSlot, i * slots);
    }
    request.load(
        level,
        2L * geometry.leaves() - (1L << geometry.depth(level)) + firstBucket,
        buckets,
        epoch,
        (ofLevel, slot, plain) -> {
          int number = inSlot[slot];
          if (number >= 0) {
            int address = sorted[number];
            PlainBucket.setSlot(plain, 0, address, state.label(address));
            blocks.copy(address, number - gathered, plain, request.descriptor().dataOffset(0));
          }
          return number >= 0;
        });
  }

  /** Draws the slots of a bucket's blocks. */
  private void draw(int level, int bucket, int[] sorted, int[] start, int[] inSlot, int firstSlot) {
    int count = start[bucket + 1] - start[bucket];
    int[] order = new int[geometry.slots(level)];
    Arrays.setAll(order, slot -> slot);
    SlotDraws draws = new SlotDraws(context.labels(), count);
    for (int i = 0; i < count; i++) {
      int at = i + draws.below(order.length - i);
      int slot = order[at];
      order[at] = order[i];
      inSlot[firstSlot + slot] = start[bucket] + i;
      state.loaded(sorted[start[bucket] + i], level, bucket, slot);
    }
  }
}
