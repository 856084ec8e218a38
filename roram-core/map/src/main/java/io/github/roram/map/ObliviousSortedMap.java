package io.github.roram.map;

import io.github.roram.AsyncOram;
import io.github.roram.BlockProgram;
import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.map.Fences.Leaf;
import io.github.roram.threads.Futures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A map sorted by its keys' bytes, unsigned. Its leaves are runs of 2^c blocks, each with the
 * entries from its fence up to the next leaf's; the client has the fences. Every operation on a key
 * is an {@link #updateAsync}: one access to its leaf.
 *
 * <p>A public schedule keeps leaves from filling up: after every {@value #SCHEDULE} operations,
 * whatever they were, there is one access to two leaves. It splits the fullest leaf, if that is
 * more than half full; otherwise it joins two neighbours that are together less than a quarter
 * full, if it finds such; otherwise it accesses two random leaves and changes nothing. So no leaf
 * is nearly full, whatever the keys: each operation adds at most one entry (cup emptying: Adler and
 * others, PODC 2003).
 *
 * <p>There is no state outside the blocks: {@link #open} scans them once for the fences.
 *
 * <h2>Security</h2>
 *
 * The store sees the number of operations, and the number of leaves of each {@link #scan}. It does
 * not see which leaf splits, or whether any does. Opening shows one pass over everything.
 *
 * <p>Thread safety: safe; operations on a key run one after another, in some order.
 */
public final class ObliviousSortedMap extends OramMap {

  /** Operations between two maintenance accesses. */
  static final int SCHEDULE = 2;

  private static final int MOST_LEAF_EXPONENT = 3;

  /** Bytes before a leaf's fence, in its first block: 1 if the leaf exists; length of the fence. */
  private static final int FENCE_OFFSET = 4;

  private final EntryShape shape;
  private final int leafBlocks;
  private final int slotsOfBlock;
  private final int slots;
  private final Fences fences;
  private final Random random = new SecureRandom();
  private final int leafCount;
  private final PublicSchedule schedule;

  /** The change of an access whose outcome is not known yet, or null. */
  private @Nullable Change changing;

  /**
   * Two leaves that an access changes.
   *
   * @param low the lower leaf, which keeps its fence
   * @param other number of the leaf that gets a fence, or loses it
   * @param high that leaf, if it has a fence before the change
   */
  private record Change(Leaf low, int other, @Nullable Leaf high) {}

  /** Creates a map; {@code operations} count as made since the last maintenance access. */
  private ObliviousSortedMap(AsyncOram oram, MapHeader header, int operations) {
    super(oram, header.shape());
    schedule = new PublicSchedule(SCHEDULE, operations, this::maintain);
    shape = header.shape();
    leafBlocks = 1 << header.leafExponent();
    slotsOfBlock = slotsOfBlock(oram.config(), shape);
    slots = slotsOfBlock * leafBlocks;
    leafCount = (int) (header.blocks() / leafBlocks) - 1;
    fences = new Fences(slots);
  }

  private static int slotsOfBlock(OramConfig config, EntryShape shape) {
    return shape.slots(config.blockBytes() - FENCE_OFFSET - shape.keyBytes());
  }

  /**
   * Creates an empty map, with the smallest leaves that no choice of keys can fill.
   *
   * @throws ConfigurationException if no leaves are large enough, and as by {@link #create(Oram,
   *     EntryShape, int)}
   */
  public static ObliviousSortedMap create(Oram oram, EntryShape shape) throws IOException {
    return create(oram, shape, leafExponent(oram, shape), 0);
  }

  /** Returns c of the smallest leaves that no choice of keys can fill, or else of the largest. */
  static int leafExponent(Oram oram, EntryShape shape) {
    int exponent = 0;
    while (exponent < MOST_LEAF_EXPONENT
        && slotsOfBlock(oram.config(), shape) << exponent < leastEntries(oram, exponent)) {
      exponent++;
    }
    return exponent;
  }

  private static double leastEntries(Oram oram, int leafExponent) {
    return 2 * SCHEDULE * (1 + Math.log(Math.max(2, leaves(oram, leafExponent))));
  }

  private static long leaves(Oram oram, int leafExponent) {
    return (oram.config().blocks() >> leafExponent) - 1;
  }

  /**
   * Creates an empty map in an ORAM whose blocks are zeros.
   *
   * @param oram an ORAM for the map alone, which its opener closes
   * @param leafExponent c: 0 to {@value #MOST_LEAF_EXPONENT}
   * @throws ConfigurationException if the ORAM makes no accesses to 2·2^c scattered blocks, is too
   *     small or has data in block 0; or if leaves have so few entries that chosen keys could fill
   *     one: below 4·(1 + ln of the number of leaves)
   */
  public static ObliviousSortedMap create(Oram oram, EntryShape shape, int leafExponent)
      throws IOException {
    return create(oram, shape, leafExponent, 0);
  }

  /** Creates a map for the pairs of a multimap with keys of up to {@code pairKeyBytes} bytes. */
  static ObliviousSortedMap create(Oram oram, EntryShape shape, int leafExponent, int pairKeyBytes)
      throws IOException {
    if (leafExponent < 0 || leafExponent > MOST_LEAF_EXPONENT) {
      throw new ConfigurationException(
          "leaves of 2^" + leafExponent + " blocks, must be 2^0 to 2^" + MOST_LEAF_EXPONENT);
    }
    int slots = slotsOfBlock(oram.config(), shape) << leafExponent;
    long leafCount = leaves(oram, leafExponent);
    double least = leastEntries(oram, leafExponent);
    if (slots < least || leafCount < 2) {
      throw new ConfigurationException(
          "a leaf has room for "
              + slots
              + " entries, must be "
              + (int) Math.ceil(least)
              + " at least, of "
              + leafCount
              + " leaves, which must be 2 at least; use larger leaves or shorter values");
    }
    MapHeader header =
        MapHeader.fresh(
            MapHeader.SORTED, shape, leafExponent, oram.config().blocks(), pairKeyBytes);
    ObliviousSortedMap map = new ObliviousSortedMap(oram.async(), header, 0);
    map.fences.add(new byte[0], 0, 0);
    // One access, so neither is written if block 0 has data; refused where a split would be.
    long[] blocks = map.blocks(0, 1);
    int last = blocks.length - 1;
    blocks[last] = 0;
    oram.access(
        blocks,
        contents -> {
          header.write(contents[last]);
          map.setFence(contents[0], new byte[0]);
        });
    for (int leaf = 1; leaf < map.leafCount; leaf++) {
      map.fences.addFree(leaf);
    }
    return map;
  }

  /**
   * Opens a map, even after a crash: reads all of it.
   *
   * @throws ConfigurationException if the ORAM has no sorted map, or cannot be scanned
   */
  public static ObliviousSortedMap open(Oram oram) throws IOException {
    return open(oram, oram.async(), MapHeader.read(oram.async(), MapHeader.SORTED));
  }

  static ObliviousSortedMap open(Oram oram, AsyncOram through, MapHeader header)
      throws IOException {
    // Maintenance is due at once: a map may be opened anew for each operation.
    ObliviousSortedMap map = new ObliviousSortedMap(through, header, SCHEDULE);
    byte[] @Nullable [] fences = new byte[map.leafCount][];
    int[] used = new int[map.leafCount];
    oram.scan(
        (block, data) -> {
          int leaf = (int) (block / map.leafBlocks) - 1;
          if (leaf >= 0 && leaf < map.leafCount) {
            ByteBuffer bytes = data.slice();
            used[leaf] += map.shape.used(bytes, map.firstSlot(), map.slotsOfBlock);
            if (block % map.leafBlocks == 0) {
              fences[leaf] = map.fence(bytes);
            }
          }
        });
    for (int leaf = 0; leaf < map.leafCount; leaf++) {
      byte[] fence = fences[leaf];
      if (fence == null) {
        map.fences.addFree(leaf);
      } else {
        map.fences.add(fence, leaf, used[leaf]);
      }
    }
    return map;
  }

  private int firstSlot() {
    return FENCE_OFFSET + shape.keyBytes();
  }

  /** Returns the fence in a leaf's first block; null if there is no leaf. */
  private byte @Nullable [] fence(ByteBuffer block) {
    if (block.getShort(0) != 1) {
      return null;
    }
    byte[] fence = new byte[block.getShort(Short.BYTES)];
    block.get(FENCE_OFFSET, fence);
    return fence;
  }

  private void setFence(ByteBuffer block, byte[] fence) {
    block.putShort(0, (short) 1).putShort(Short.BYTES, (short) fence.length);
    block.put(FENCE_OFFSET, Arrays.copyOf(fence, shape.keyBytes()));
  }

  /** Returns the blocks of a leaf, and of another one unless {@code other} is −1. */
  private long[] blocks(int leaf, int other) {
    long[] blocks = new long[other < 0 ? leafBlocks : accessBlocks()];
    Arrays.setAll(
        blocks, i -> (1L + (i < leafBlocks ? leaf : other)) * leafBlocks + i % leafBlocks);
    return blocks;
  }

  @Override
  public int accessBlocks() {
    return 2 * leafBlocks;
  }

  /** Returns how many entries a leaf has room for. */
  public int leafEntries() {
    return slots;
  }

  @Override
  public CompletableFuture<Optional<byte[]>> updateAsync(
      byte[] key, UnaryOperator<byte @Nullable []> change) {
    shape.checkKey(key);
    byte[] own = key.clone();
    return schedule.operation(
        () -> {
          Leaf leaf = fences.of(own);
          byte[] @Nullable [] before = new byte[1][];
          return accessLeaf(
                  leaf.number(),
                  blocks -> {
                    before[0] = apply(blocks, own, change);
                    fences.hasUsed(leaf, used(blocks, 0));
                  })
              .thenApply(none -> Optional.ofNullable(before[0]));
        });
  }

  private CompletableFuture<Void> accessLeaf(int leaf, BlockProgram program) {
    return oram().access(blocks(leaf, -1), 1, program);
  }

  private CompletableFuture<Void> accessLeaves(int leaf, int other, BlockProgram program) {
    return oram().access(blocks(leaf, other), 1, program);
  }

  private int used(ByteBuffer[] blocks, int first) {
    int used = 0;
    for (int i = 0; i < leafBlocks; i++) {
      used += shape.used(blocks[first + i], firstSlot(), slotsOfBlock);
    }
    return used;
  }

  private byte @Nullable [] apply(
      ByteBuffer[] blocks, byte[] key, UnaryOperator<byte @Nullable []> change) {
    ByteBuffer home = null;
    int slot = -1;
    for (int i = 0; i < leafBlocks; i++) {
      int found = shape.find(blocks[i], firstSlot(), slotsOfBlock, key);
      if (found >= 0) {
        home = blocks[i];
        slot = found;
      }
    }
    byte @Nullable [] before = home == null ? null : shape.value(home, firstSlot(), slot);
    byte @Nullable [] after = change.apply(before == null ? null : before.clone());
    if (after != null) {
      shape.checkValue(after);
      if (home == null) {
        insert(blocks, 0, key, after);
      } else {
        shape.put(home, firstSlot(), slot, key, after);
      }
    } else if (home != null) {
      shape.clear(home, firstSlot(), slot);
    }
    return before;
  }

  private void insert(ByteBuffer[] blocks, int first, byte[] key, byte[] value) {
    for (int i = 0; i < leafBlocks; i++) {
      int slot = shape.findEmpty(blocks[first + i], firstSlot(), slotsOfBlock);
      if (slot >= 0) {
        shape.put(blocks[first + i], firstSlot(), slot, key, value);
        return;
      }
    }
    throw new MapFullException(
        "the leaf of the key is full, and no leaf is left; copy the map to a larger store");
  }

  /**
   * The result of a scan.
   *
   * @param entries the entries, in the order of keys
   * @param next the key at which to continue, or null at the end
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Page(List<Entry> entries, byte @Nullable [] next) {}

  /**
   * Reads the entries of {@code leafCount} leaves in the order of keys, from a key on. It always
   * makes that many accesses, which overlap, and counts as one operation. Each leaf is read as it
   * is at some moment during the scan.
   *
   * @param from the least key to return
   * @param leafCount number of leaves, at least 1
   */
  public Page scan(byte[] from, int leafCount) throws IOException {
    return Futures.join(scanAsync(from, leafCount));
  }

  /** Scans as {@link #scan} does, asynchronously. */
  public CompletableFuture<Page> scanAsync(byte[] from, int leafCount) {
    shape.checkKey(from);
    if (leafCount < 1) {
      throw new IllegalArgumentException("leafCount is " + leafCount + ", must be at least 1");
    }
    byte[] own = from.clone();
    return schedule.operation(() -> readLeaves(own, leafCount));
  }

  private CompletableFuture<Page> readLeaves(byte[] from, int leafCount) {
    List<Leaf> read = new ArrayList<>();
    Leaf leaf = fences.of(from);
    for (; leaf != null && read.size() < leafCount; leaf = fences.after(leaf)) {
      read.add(leaf);
    }
    byte @Nullable [] next = leaf == null ? null : leaf.fence().clone();
    List<List<Entry>> parts = new ArrayList<>();
    List<CompletableFuture<Void>> answers = new ArrayList<>();
    for (int i = 0; i < leafCount; i++) {
      // Beyond the last leaf, the first one is read again and ignored.
      List<Entry> part = new ArrayList<>();
      if (i < read.size()) {
        parts.add(part);
      }
      int number = read.get(i < read.size() ? i : 0).number();
      answers.add(accessLeaf(number, blocks -> collect(blocks, 0, part)));
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(
            none ->
                new Page(
                    parts.stream()
                        .flatMap(List::stream)
                        .filter(entry -> Arrays.compareUnsigned(entry.key(), from) >= 0)
                        .toList(),
                    next));
  }

  /** Adds the entries of a leaf, in their order. */
  private void collect(ByteBuffer[] blocks, int first, List<Entry> entries) {
    List<Entry> own = new ArrayList<>();
    for (int i = 0; i < leafBlocks; i++) {
      ByteBuffer block = blocks[first + i];
      for (int slot = 0; slot < slotsOfBlock; slot++) {
        if (!shape.isEmpty(block, firstSlot(), slot)) {
          own.add(
              new Entry(
                  shape.key(block, firstSlot(), slot), shape.value(block, firstSlot(), slot)));
        }
      }
    }
    own.sort((a, b) -> Arrays.compareUnsigned(a.key(), b.key()));
    entries.addAll(own);
  }

  /** Makes the maintenance access of the schedule, while no operation is in flight. */
  private CompletableFuture<Void> maintain() {
    if (changing != null) {
      return change(changing, blocks -> {}); // the last one failed, but may have been made
    }
    Leaf fullest = fences.fullest();
    Leaf low = fences.lowerOfTwo(slots / 4);
    if (fullest.used() > slots / 2 && fences.hasFree()) {
      return split(fullest);
    }
    if (low != null) {
      return joinNeighbours(low, Objects.requireNonNull(fences.after(low)));
    }
    int one = random.nextInt(leafCount);
    return accessLeaves(one, (one + 1) % leafCount, blocks -> {});
  }

  /** Moves the upper half of a leaf's entries to a free leaf. */
  private CompletableFuture<Void> split(Leaf full) {
    return change(
        new Change(full, fences.free(), null),
        blocks -> {
          List<Entry> entries = new ArrayList<>();
          collect(blocks, 0, entries);
          int half = entries.size() / 2;
          if (half == 0) {
            return; // operations that failed were counted
          }
          clearFrom(blocks, leafBlocks);
          setFence(blocks[leafBlocks], entries.get(half).key());
          for (Entry entry : entries.subList(half, entries.size())) {
            take(blocks, entry.key());
            insert(blocks, leafBlocks, entry.key(), entry.value());
          }
        });
  }

  /** Moves a leaf's entries to the leaf before it, and frees the leaf. */
  private CompletableFuture<Void> joinNeighbours(Leaf low, Leaf high) {
    return change(
        new Change(low, high.number(), high),
        blocks -> {
          List<Entry> entries = new ArrayList<>();
          collect(blocks, leafBlocks, entries);
          if (used(blocks, 0) + entries.size() > slots) {
            return; // operations that failed were counted
          }
          entries.forEach(entry -> insert(blocks, 0, entry.key(), entry.value()));
          clearFrom(blocks, leafBlocks);
        });
  }

  /** Changes two leaves, and sets the fences to those in the leaves. */
  private CompletableFuture<Void> change(Change change, BlockProgram program) {
    changing = change;
    int[] used = new int[2];
    byte[] @Nullable [] fence = new byte[1][];
    return accessLeaves(
            change.low().number(),
            change.other(),
            blocks -> {
              program.run(blocks);
              used[0] = used(blocks, 0);
              used[1] = used(blocks, leafBlocks);
              fence[0] = fence(blocks[leafBlocks]);
            })
        .thenRun(
            () -> {
              fences.hasUsed(change.low(), used[0]);
              if (change.high() != null) {
                fences.remove(change.high());
              }
              if (fence[0] != null) {
                fences.add(fence[0], change.other(), used[1]);
              }
              changing = null;
            });
  }

  private void take(ByteBuffer[] blocks, byte[] key) {
    for (int i = 0; i < leafBlocks; i++) {
      int slot = shape.find(blocks[i], firstSlot(), slotsOfBlock, key);
      if (slot >= 0) {
        shape.clear(blocks[i], firstSlot(), slot);
      }
    }
  }

  private void clearFrom(ByteBuffer[] blocks, int first) {
    for (int i = first; i < first + leafBlocks; i++) {
      blocks[i].put(0, new byte[blocks[i].capacity()]);
    }
  }
}
