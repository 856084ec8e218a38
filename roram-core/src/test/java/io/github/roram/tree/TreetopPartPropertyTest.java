package io.github.roram.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.eviction.Placement;
import io.github.roram.stash.Stash;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.IoPhase;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** A part of a level that the client holds, against what the definition says. */
final class TreetopPartPropertyTest {

  private static final int HEIGHT = 5;

  private static TreeGeometry geometry(int levels, int part, int slots) {
    int room = slots * ((1 << levels) - 1 + part);
    return new TreeGeometry(
        0, 0, 32, HEIGHT, levels, part, slots, room, TreeGeometry.AddedLevels.NONE);
  }

  private static int below(int bound, int any) {
    return any % bound;
  }

  /** By Hall's theorem: of every subtree, what exceeds its room must pass its root. */
  @Property(tries = 500)
  void overflowIsWhatNoFillingCanAvoid(
      @ForAll @IntRange(min = 1, max = 4) int levels,
      @ForAll @IntRange(min = 0, max = 15) int anyPart,
      @ForAll @IntRange(min = 1, max = 4) int slots,
      @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 31) Integer> labels) {
    TreeGeometry geometry = geometry(levels, below(1 << levels, anyPart), slots);
    Stash stash = new Stash(512);
    stash.hasTreetop(geometry.newTreetop());
    for (int i = 0; i < labels.size(); i++) {
      stash.put(i, labels.get(i));
    }
    assertThat(stash.overflow()).isEqualTo(excess(geometry, labels, 0, 0));
  }

  private static long excess(TreeGeometry geometry, List<Integer> labels, int level, int bucket) {
    if (level == geometry.treetopLevels()) {
      long meeting = labels.stream().filter(l -> (l & ((1 << level) - 1)) == bucket).count();
      return bucket < geometry.treetopPart() ? Math.max(0, meeting - geometry.slots()) : meeting;
    }
    long below =
        excess(geometry, labels, level + 1, bucket)
            + excess(geometry, labels, level + 1, bucket + (1 << level));
    return Math.max(0, below - geometry.slots());
  }

  /** Of evictions in a row, those that meet stored buckets, in their order. */
  @Property(tries = 500)
  void bucketsOfTheClientAreNotAskedFor(
      @ForAll @IntRange(min = 1, max = 4) int levels,
      @ForAll @IntRange(min = 0, max = 15) int anyPart,
      @ForAll @IntRange(min = 0, max = HEIGHT) int anyLevel,
      @ForAll @IntRange(min = 32, max = 200) int first,
      @ForAll @IntRange(min = 1, max = 60) int count) {
    TreeGeometry geometry = geometry(levels, below(1 << levels, anyPart), 4);
    int level = Math.max(levels, anyLevel);
    EpochHistory epochs = new EpochHistory(geometry.leaves());
    epochs.note(first, 1);
    BucketRuns runs = new BucketRuns().reset(IoPhase.READ, 0, 100);
    new TreeVersions(geometry, epochs).addStored(runs, level, first, count, 7);
    List<Long> named = new ArrayList<>();
    for (int unit = 0; unit < runs.units(); unit++) {
      assertThat(runs.level(unit)).isEqualTo(level);
      assertThat(runs.epoch(unit)).isEqualTo(7);
      named.add(runs.eviction(unit));
    }
    List<Long> stored = new ArrayList<>();
    for (long eviction = first; eviction < first + count; eviction++) {
      boolean held = level == levels && eviction % (1 << level) < geometry.treetopPart();
      if (!held) {
        stored.add(eviction);
      }
    }
    assertThat(named).isEqualTo(stored);
  }

  /** Blocks go as deep as there is room, none into a bucket that the client holds. */
  @Property(tries = 500)
  void nothingIsPlacedInBucketsOfTheClient(
      @ForAll @IntRange(min = 1, max = 4) int levels,
      @ForAll @IntRange(min = 0, max = 15) int anyPart,
      @ForAll @IntRange(min = 1, max = 3) int slots,
      @ForAll @IntRange(min = 32, max = 100) int first,
      @ForAll @IntRange(min = 1, max = 40) int paths,
      @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 31) Integer> labels) {
    int part = below(1 << levels, anyPart);
    Placement placement = new Placement();
    placement.begin(HEIGHT, levels, part, slots, first, paths);
    List<Integer> added = new ArrayList<>();
    for (int label : labels) {
      boolean meets = deepest(label, levels, part, first, paths) >= 0;
      assertThat(placement.add(label, Placement.FROM_CLIENT) >= 0).isEqualTo(meets);
      if (meets) {
        added.add(label);
      }
    }
    placement.place();
    List<Integer> waiting = new ArrayList<>(added);
    for (int level = HEIGHT; level >= levels; level--) {
      for (int position = 0; position < placement.width(level); position++) {
        int bucket = (first + position) & ((1 << level) - 1);
        List<Integer> placed = new ArrayList<>();
        for (int slot = 0; slot < slots; slot++) {
          int candidate = placement.placed(level, position, slot);
          if (candidate >= 0) {
            placed.add(added.get(candidate));
          }
        }
        int mask = (1 << level) - 1;
        assertThat(placed).allMatch(label -> (label & mask) == bucket);
        boolean held = level == levels && bucket < part;
        long could = waiting.stream().filter(label -> (label & mask) == bucket).count();
        assertThat(placed).hasSize(held ? 0 : (int) Math.min(slots, could));
        placed.forEach(waiting::remove);
      }
    }
  }

  private static int deepest(int label, int levels, int part, int first, int paths) {
    for (int level = HEIGHT; level >= levels; level--) {
      int mask = (1 << level) - 1;
      boolean held = level == levels && (label & mask) < part;
      for (int path = first; path < first + paths && !held; path++) {
        if ((path & mask) == (label & mask)) {
          return level;
        }
      }
    }
    return -1;
  }
}
