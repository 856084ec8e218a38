package io.github.roram.jmh;

import io.github.roram.eviction.Placement;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Placement alone: which of the blocks of a chunk goes into which bucket, in a tree of 2^16 leaves
 * with Z = 4 whose buckets were half full, with A = 3 new blocks for each path.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@NullUnmarked // JMH fills the fields
public class PlacementBenchmark {

  private static final int HEIGHT = 16;
  private static final int SLOTS = 4;
  private static final int BLOCKS_IN_BUCKET = 2;
  private static final int NEW_BLOCKS_FOR_PATH = 3;
  private static final int FIRST_PATH = 12_345;

  /** Paths of the chunk. */
  @Param({"1", "32", "256"})
  public int paths;

  private final Placement placement = new Placement();
  private int[] labels;
  private int[] origins;
  private int candidates;

  /** Draws the blocks of the chunk. */
  @Setup
  public void draw() {
    SplittableRandom random = new SplittableRandom(1);
    labels = new int[paths * (BLOCKS_IN_BUCKET * (HEIGHT + 1) + NEW_BLOCKS_FOR_PATH)];
    origins = new int[labels.length];
    candidates = 0;
    for (int level = 0; level <= HEIGHT; level++) {
      int width = Math.min(paths, 1 << level);
      for (int i = 0; i < width * BLOCKS_IN_BUCKET; i++) {
        int bucket = (FIRST_PATH + i / BLOCKS_IN_BUCKET) & ((1 << level) - 1);
        add(bucket | random.nextInt(1 << (HEIGHT - level)) << level, level);
      }
    }
    for (int i = 0; i < paths * NEW_BLOCKS_FOR_PATH; i++) {
      add(random.nextInt(1 << HEIGHT), Placement.FROM_CLIENT);
    }
  }

  /** Places the blocks of one chunk. */
  @Benchmark
  public Placement place() {
    placement.begin(HEIGHT, 0, SLOTS, FIRST_PATH, paths);
    for (int i = 0; i < candidates; i++) {
      placement.add(labels[i], origins[i]);
    }
    placement.place();
    return placement;
  }

  private void add(int label, int origin) {
    labels[candidates] = label;
    origins[candidates++] = origin;
  }
}
