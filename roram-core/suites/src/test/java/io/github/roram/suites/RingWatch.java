package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Checks what a store sees of scheme ring while it sees it, with a layout that is worked out anew
 * from the configuration: each slot is read once in a life of its bucket; a bucket that was read S
 * times is closed, which takes the slots that are left, and left out from then on; evictions read Z
 * slots of just the buckets of their path that are not closed, or sweep these, and write all of it.
 * Nothing of this is taken from the code under test.
 */
final class RingWatch extends FilterBlockStore {

  private static final int SUPERBLOCK_BYTES = 4096;
  private static final int SEALING_BYTES = 28 + 8 + 16;

  /** A stored level. */
  record Level(int depth, int slots, long base, long places) {}

  /** A slot that is read. */
  record Slot(int level, long place, int slot) {}

  /** What was read of a bucket since it was written. */
  private static final class Life {
    private final long eviction;
    private final BitSet read = new BitSet();
    private final BitSet chosen = new BitSet();
    private int pathReads;
    private Set<Slot> collected = Set.of();

    Life(long eviction) {
      this.eviction = eviction;
    }
  }

  private final List<Level> levels = new ArrayList<>();
  private final int height;
  private final int reads;
  private final int slotBytes;
  private final boolean sweeps;
  private final Map<List<Long>, Life> lives = new HashMap<>();
  private long evictions;
  private List<Slot> lastRead = List.of();
  private Set<Integer> swept = new HashSet<>();

  /**
   * Path reads of a slot of the uppermost stored level: early in the life of a bucket, and late.
   */
  private final long[][] early;

  private final boolean checksPaths;
  private long closed;
  private long slotsRead;

  /**
   * Watches a store.
   *
   * @param checksPaths whether every access is of one block, so that its path can be followed
   */
  RingWatch(BlockStore below, OramConfig config, boolean checksPaths) {
    super(below);
    this.checksPaths = checksPaths;
    int rate = setting(config, "evictionBlocks");
    int fanOut = setting(config, "fanOut");
    height = setting(config, "height");
    int top = setting(config, "treetopLevels");
    double waiting = rate * (fanOut - 1) / 2.0;
    double load = (double) config.blocks() / (1 << height);
    reads = (int) Math.ceil(rate + 3 * Math.sqrt(rate));
    slotBytes = SEALING_BYTES + config.blockBytes();
    sweeps = "buckets".equals(config.parameters().settings().get("evictionReads"));
    long base = SUPERBLOCK_BYTES;
    for (int depth = top; depth <= height; depth += fanOut / 2) {
      double room =
          depth == height ? load + 1.5 * Math.sqrt(load) : waiting + 1.7 * Math.sqrt(waiting);
      int slots = (int) Math.ceil(room) + reads;
      long places = (1L << depth) + 2;
      levels.add(new Level(depth, slots, base, places));
      base += places * slots * slotBytes;
    }
    evictions = 1L << height;
    early = new long[2][levels.get(0).slots()];
  }

  private static int setting(OramConfig config, String name) {
    return Integer.parseInt(config.parameters().settings().get(name));
  }

  List<Level> levels() {
    return levels;
  }

  int slotBytes() {
    return slotBytes;
  }

  /** Buckets that were closed. */
  long closed() {
    return closed;
  }

  long slotsRead() {
    return slotsRead;
  }

  /**
   * χ² of the slots that paths read of the uppermost stored level, by degree of freedom.
   *
   * @param late of the reads in the second half of S, or those before
   */
  double chiSquare(boolean late) {
    long[] counts = early[late ? 1 : 0];
    double sum = 0;
    for (long count : counts) {
      sum += count;
    }
    double expected = sum / counts.length;
    double chi = 0;
    for (long count : counts) {
      chi += (count - expected) * (count - expected) / expected;
    }
    return chi / (counts.length - 1);
  }

  /** The bucket that has a slot now, or null if none was written there. */
  boolean isCurrent(int level, long place) {
    Life life = lives.get(List.of((long) level, place));
    return life != null && life.eviction >= evictions - (1L << levels.get(level).depth());
  }

  private List<Slot> slots(ExtentBatch batch) {
    List<Slot> slots = new ArrayList<>();
    for (int extent = 0; extent < batch.extents(); extent++) {
      for (int unit = 0; unit < batch.units(extent); unit++) {
        slots.add(slotAt(batch.offset(extent) + (long) unit * slotBytes));
      }
    }
    return slots;
  }

  private Slot slotAt(long offset) {
    int level = levels.size() - 1;
    while (offset < levels.get(level).base()) {
      level--;
    }
    Level at = levels.get(level);
    long number = (offset - at.base()) / slotBytes;
    assertThat((offset - at.base()) % slotBytes).isZero();
    return new Slot(level, number / at.slots(), (int) (number % at.slots()));
  }

  private Life life(Slot slot) {
    Life life =
        Objects.requireNonNull(
            lives.get(List.of((long) slot.level(), slot.place())),
            () -> slot + " was never written");
    assertThat(isCurrent(slot.level(), slot.place())).as("%s is current", slot).isTrue();
    return life;
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    if (batch.tree() >= 0 && batch.phase() == IoPhase.READ) {
      pathRead(slots(batch));
    } else if (batch.tree() >= 0 && batch.phase() == IoPhase.EVICT_READ) {
      evictionRead(slots(batch));
    }
    super.read(batch, sink);
  }

  private void pathRead(List<Slot> slots) {
    if (slots.equals(lastRead)) {
      return;
    }
    lastRead = slots;
    if (checksPaths) {
      checkPath(slots);
    }
    for (Slot slot : slots) {
      Life life = life(slot);
      assertThat(life.read.get(slot.slot())).as("%s was read in this life", slot).isFalse();
      assertThat(life.pathReads).as("reads of the bucket of %s", slot).isLessThan(reads);
      life.read.set(slot.slot());
      if (slot.level() == 0) {
        early[life.pathReads * 2 / reads][slot.slot()]++;
      }
      life.pathReads++;
      slotsRead++;
    }
  }

  /** The label follows from the leaf that is read, and which levels are read from the label. */
  private void checkPath(List<Slot> slots) {
    Slot last = slots.get(slots.size() - 1);
    if (last.level() < levels.size() - 1) {
      return;
    }
    long label = life(last).eviction & ((1L << height) - 1);
    List<Slot> expected = new ArrayList<>();
    for (int level = 0; level < levels.size(); level++) {
      long width = 1L << levels.get(level).depth();
      long newest = evictions - 1;
      long eviction = newest - Math.floorMod(newest - label, width);
      long place = eviction % (width + 2);
      Life life = lives.get(List.of((long) level, place));
      if (eviction >= 1L << height && life != null && life.pathReads < reads) {
        expected.add(new Slot(level, place, 0));
      }
    }
    assertThat(slots.stream().map(slot -> new Slot(slot.level(), slot.place(), 0)).toList())
        .isEqualTo(expected);
  }

  private void evictionRead(List<Slot> slots) {
    Slot first = slots.get(0);
    Set<Slot> all = new HashSet<>(slots);
    assertThat(all).hasSameSizeAs(slots);
    if (slots.stream().allMatch(slot -> slot.place() == first.place())
        && life(first).pathReads == reads) {
      collect(life(first), slots, all);
      return;
    }
    if (!sweeps) {
      slots.forEach(this::choose);
      return;
    }
    swept = new HashSet<>();
    for (int level = 0; level < levels.size(); level++) {
      int number = level;
      long count = slots.stream().filter(slot -> slot.level() == number).count();
      if (count > 0) {
        assertThat(count).isEqualTo(levels.get(level).slots());
        swept.add(level);
      }
    }
    assertThat(swept).isEqualTo(openLevels());
  }

  /** A slot of the next path that was not read; or one of those that its eviction read again. */
  private void choose(Slot slot) {
    Life life = life(slot);
    long width = 1L << levels.get(slot.level()).depth();
    assertThat(life.eviction).isEqualTo(evictions - width);
    assertThat(life.read.get(slot.slot())).as("%s was read", slot).isEqualTo(isChosen(life, slot));
    life.read.set(slot.slot());
    life.chosen.set(slot.slot());
  }

  private static boolean isChosen(Life life, Slot slot) {
    return life.chosen.get(slot.slot());
  }

  /** What is left of a bucket that was read S times, and nothing else; or the same again. */
  private void collect(Life life, List<Slot> slots, Set<Slot> all) {
    assertThat(life.pathReads).isEqualTo(reads);
    if (!life.collected.isEmpty()) {
      assertThat(all).isEqualTo(life.collected);
      return;
    }
    closed++;
    life.collected = all;
    for (Slot slot : slots) {
      assertThat(life.read.get(slot.slot())).as("%s was read in this life", slot).isFalse();
      life.read.set(slot.slot());
    }
    assertThat(life.read.cardinality()).isEqualTo(levels.get(slots.get(0).level()).slots());
  }

  /** The levels whose bucket of the next path was written and is not closed. */
  private Set<Integer> openLevels() {
    Set<Integer> open = new HashSet<>();
    for (int level = 0; level < levels.size(); level++) {
      long width = 1L << levels.get(level).depth();
      long eviction = evictions - width;
      if (eviction >= 1L << height) {
        Life life =
            Objects.requireNonNull(lives.get(List.of((long) level, eviction % (width + 2))));
        if (life.pathReads < reads) {
          open.add(level);
        }
      }
    }
    return open;
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    if (batch.tree() >= 0 && batch.phase() == IoPhase.EVICT_WRITE) {
      evictionWrite(slots(batch));
    }
    super.write(batch, source);
  }

  private void evictionWrite(List<Slot> slots) {
    List<Slot> expected = new ArrayList<>();
    for (int level : sweeps ? Set.<Integer>of() : openLevels()) {
      long width = 1L << levels.get(level).depth();
      Life life = life(new Slot(level, (evictions - width) % (width + 2), 0));
      assertThat(life.chosen.cardinality()).isEqualTo(levels.get(level).slots() - reads);
    }
    for (int level = 0; level < levels.size(); level++) {
      long place = evictions % levels.get(level).places();
      for (int slot = 0; slot < levels.get(level).slots(); slot++) {
        expected.add(new Slot(level, place, slot));
      }
      lives.put(List.of((long) level, place), new Life(evictions));
    }
    assertThat(slots).isEqualTo(expected);
    evictions++;
  }
}
