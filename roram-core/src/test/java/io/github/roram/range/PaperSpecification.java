package io.github.roram.range;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * rORAM as the paper has it (NDSS 2019, §V, Algorithms 1 to 3), on plain arrays: no encryption, no
 * store, no journal, no treetop. To be read next to the paper, whose step numbers stand in the
 * comments; and the oracle of {@link RangeOram}, which must give the same answers and, with preset
 * paper and the same labels, show the same paths in the same order.
 *
 * <p>Symbols: N blocks, a power of two; L = 2^ℓ, the longest range, at most N/2; sub-ORAMs R_0 …
 * R_ℓ of height h = log N; Z slots in a bucket; PM_i, the position map of R_i; cnt, the number of
 * the next eviction. Bucket v_j^r is the r-th of level j in bit-reversed order, so that the path of
 * label p meets {@code v_j^(p mod 2^j)} at every level j.
 *
 * <p>It departs from the print in three places, marked with "here":
 *
 * <ol>
 *   <li>A block is <em>valid</em> if its label is the one that the position map gives. In print all
 *       labels below N are; but then the copy that ReadRange leaves behind under the old label may
 *       be met again, nearer the root than the new one, and comes back as the answer.
 *   <li>The second range after the last one is the first one, where the print has no accesses that
 *       close to the end.
 *   <li>At the start each block lies as deep on its path as there was room; the print begins with
 *       trees that somebody filled.
 * </ol>
 */
public class PaperSpecification {

  /**
   * A physical block (figure 4).
   *
   * @param d data
   * @param a logical address
   * @param p labels of the block in R_0 … R_ℓ
   */
  @SuppressWarnings("ArrayRecordComponent") // plain arrays, compared by nobody
  public record Block(byte[] d, int a, int[] p) {

    Block with(byte[] data) {
      return new Block(data, a, p);
    }

    Block with(int i, int label) {
      int[] labels = p.clone();
      labels[i] = label;
      return new Block(d, a, labels);
    }
  }

  /** What the store is asked for. */
  public enum Purpose {
    /** ReadRange. */
    READ_RANGE,
    /** The first half of BatchEvict. */
    EVICT_READ,
    /** The second half of BatchEvict. */
    EVICT_WRITE
  }

  /**
   * What the store sees: every bucket on the paths first … first + paths − 1 of R_i, level by
   * level.
   *
   * @param tree i
   * @param first a label, or the number of an eviction
   * @param paths how many in a row
   */
  public record Shown(Purpose purpose, int tree, int first, int paths) {}

  private final int blocks;
  private final int slots;
  private final int height;
  private final IntUnaryOperator freshLabels;

  /** PM_i, by range number. */
  private final int[][] positions;

  /** Bucket v_j^r of R_i is {@code buckets[i][j][r]}: at most Z blocks. */
  private final Block[][][][] buckets;

  /** stash_i, by address. */
  private final List<Map<Integer, Block>> stashes = new ArrayList<>();

  private final List<Shown> shown = new ArrayList<>();
  private int cnt;

  /**
   * N blocks with the given data.
   *
   * @param slots Z
   * @param maxRangeBlocks L
   * @param firstLabels the label of a tree's range at the start
   * @param freshLabels draws a label of a tree
   */
  public PaperSpecification(
      byte[][] data,
      int slots,
      int maxRangeBlocks,
      IntBinaryOperator firstLabels,
      IntUnaryOperator freshLabels) {
    this.blocks = data.length;
    this.slots = slots;
    this.freshLabels = freshLabels;
    this.height = Integer.numberOfTrailingZeros(blocks);
    int trees = Integer.numberOfTrailingZeros(maxRangeBlocks) + 1;
    positions = new int[trees][];
    buckets = new Block[trees][height + 1][][];
    for (int i = 0; i < trees; i++) {
      positions[i] = new int[blocks >> i];
      int tree = i;
      Arrays.setAll(positions[i], range -> firstLabels.applyAsInt(tree, range));
      for (int j = 0; j <= height; j++) {
        buckets[i][j] = new Block[1 << j][0];
      }
      stashes.add(new TreeMap<>());
    }
    for (int a = 0; a < blocks; a++) {
      int address = a;
      int[] p = new int[trees];
      Arrays.setAll(p, i -> label(i, address));
      putDeepest(new Block(data[a], a, p));
    }
  }

  /** Algorithm 3: Access(a, r, op, D*); D* is null for op = "read". */
  public final byte[][] access(int a, int r, byte @Nullable [][] newData) {
    int i = r == 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(r - 1); // 1: 2^(i−1) < r ≤ 2^i
    int size = 1 << i;
    int a0 = a / size * size; // 2
    Map<Integer, Block> found = new TreeMap<>(); // 3: D
    for (int start : new int[] {a0, (a0 + size) % blocks}) { // 4: here, the first after the last
      int fresh = readRange(i, start, found); // 5
      for (int j = 0; j < size; j++) { // 6
        found.computeIfPresent(start + j, (u, block) -> block.with(i, next(fresh, u - start))); // 7
      }
    }
    byte[][] answer = new byte[r][];
    for (int j = 0; j < r; j++) {
      Block block = Objects.requireNonNull(found.get(a + j));
      answer[j] = block.d();
      if (newData != null) { // 8
        found.put(a + j, block.with(newData[j])); // 9
      }
    }
    for (int j = 0; j < stashes.size(); j++) { // 10
      stashes.get(j).keySet().removeAll(found.keySet()); // 11
      stashes.get(j).putAll(found); // 12
      batchEvict(j, 2 * size); // 13
    }
    cnt += 2 * size; // 14
    return answer; // 15
  }

  /** Algorithm 1: R_i.ReadRange(a). Adds to the result, and returns the new label p'. */
  private int readRange(int i, int a, Map<Integer, Block> result) {
    int size = 1 << i; // 1: U = [a, a + 2^i)
    for (Block block : stashes.get(i).values()) { // 2
      if (block.a() / size == a / size) {
        result.put(block.a(), block);
      }
    }
    int p = positions[i][a / size]; // 3
    shown.add(new Shown(Purpose.READ_RANGE, i, p, size));
    for (int j = 0; j <= height; j++) { // 6
      for (Block block : onPaths(i, j, p, size)) { // 7, 8
        if (block.a() / size == a / size && isValid(i, block)) {
          result.putIfAbsent(block.a(), block); // 9: what is nearer the root is newer
        }
      }
    }
    int fresh = freshLabels.applyAsInt(i); // 4
    positions[i][a / size] = fresh; // 5: last, so that the map still tells which copies are valid
    return fresh; // 10
  }

  /** Algorithm 2: R_i.BatchEvict(k). */
  private void batchEvict(int i, int k) {
    Map<Integer, Block> stash = stashes.get(i);
    shown.add(new Shown(Purpose.EVICT_READ, i, cnt, k));
    for (int j = 0; j <= height; j++) { // 1
      for (Block block : onPaths(i, j, cnt, k)) { // 2, 3
        if (isValid(i, block)) {
          stash.putIfAbsent(block.a(), block); // 4, 5
        }
      }
    }
    for (int j = height; j >= 0; j--) { // 6
      for (int r : bucketsOnPaths(j, cnt, k)) { // 7
        int level = j;
        Block[] chosen = // 8, 9
            stash.values().stream()
                .filter(block -> bucket(block.p()[i], level) == r)
                .limit(slots)
                .toArray(Block[]::new);
        for (Block block : chosen) { // 10
          stash.remove(block.a());
        }
        buckets[i][j][r] = chosen; // 11
      }
    }
    shown.add(new Shown(Purpose.EVICT_WRITE, i, cnt, k)); // 12, 13
  }

  /** Here: whether a copy in R_i has the label that the position map gives. */
  boolean isValid(int i, Block block) {
    return block.p()[i] == label(i, block.a());
  }

  /** The label of a block in R_i: that of its range, and for each block before it one more. */
  private int label(int i, int a) {
    return next(positions[i][a >> i], a & ((1 << i) - 1));
  }

  private int next(int label, int steps) {
    return (label + steps) % blocks;
  }

  /** The r of the bucket v_j^r that a path meets at level j. */
  private static int bucket(int path, int j) {
    return path % (1 << j);
  }

  /** The buckets that paths first … first + count − 1 meet at level j, each once. */
  private static Set<Integer> bucketsOnPaths(int j, int first, int count) {
    Set<Integer> met = new LinkedHashSet<>();
    for (int t = first; t < first + count; t++) {
      met.add(bucket(t, j));
    }
    return met;
  }

  /** The blocks in these buckets of R_i. */
  private List<Block> onPaths(int i, int j, int first, int count) {
    List<Block> met = new ArrayList<>();
    for (int r : bucketsOnPaths(j, first, count)) {
      met.addAll(Arrays.asList(buckets[i][j][r]));
    }
    return met;
  }

  /** Here: puts a block into every tree, as deep on its path as there is room. */
  private void putDeepest(Block block) {
    for (int i = 0; i < stashes.size(); i++) {
      int j = height;
      while (j >= 0 && buckets[i][j][bucket(block.p()[i], j)].length == slots) {
        j--;
      }
      if (j < 0) {
        stashes.get(i).put(block.a(), block);
      } else {
        Block[] old = buckets[i][j][bucket(block.p()[i], j)];
        Block[] more = Arrays.copyOf(old, old.length + 1);
        more[old.length] = block;
        buckets[i][j][bucket(block.p()[i], j)] = more;
      }
    }
  }

  /** What the store saw since the last call. */
  public final List<Shown> takeShown() {
    List<Shown> taken = List.copyOf(shown);
    shown.clear();
    return taken;
  }

  /** The most blocks in a stash. */
  public final int stashBlocks() {
    return stashes.stream().mapToInt(Map::size).max().orElse(0);
  }
}
