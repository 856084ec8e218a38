package io.github.roram.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.stash.Stash;
import io.github.roram.stash.Treetop;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** A stash with an index against walking the whole of it. */
class StashIndexTest {

  private static final int HEIGHT = 7;

  @Property(tries = 100)
  void findsAndCountsWhatAWalkDoes(
      @ForAll @IntRange(min = 0, max = 6) int treetopLevels,
      @ForAll @IntRange(min = 1, max = 4) int bucketSlots,
      @ForAll long seed) {
    Random random = new Random(seed);
    TreeGeometry geometry = new TreeGeometry(0, 0, 500, HEIGHT, treetopLevels, bucketSlots);
    Stash stash = new Stash(8);
    stash.hasTreetop(geometry.newTreetop());
    stash.index(treetopLevels);
    for (int step = 0; step < 200; step++) {
      change(stash, random);
      assertThat(stash.overflow()).isEqualTo(countedAnew(stash, geometry));
      int label = random.nextInt(1 << HEIGHT);
      List<Integer> walked = walked(stash, geometry, label);
      assertThat(found(stash, label)).containsExactlyInAnyOrderElementsOf(walked);
      assertThat(within(stash, label, (1 << treetopLevels) - 1)).isEqualTo(walked);
    }
    stash.clear();
    assertThat(stash.overflow()).isZero();
  }

  private static int countedAnew(Stash stash, TreeGeometry geometry) {
    Treetop treetop = geometry.newTreetop();
    for (int slot = 0; slot < stash.slots(); slot++) {
      if (stash.address(slot) >= 0) {
        treetop.add(stash.label(slot));
      }
    }
    return treetop.overflow();
  }

  private static List<Integer> within(Stash stash, int label, int mask) {
    List<Integer> slots = new ArrayList<>();
    int slot = stash.nextWithin(0, label, mask, 1);
    while (slot < stash.slots()) {
      slots.add(slot);
      slot = stash.nextWithin(slot + 1, label, mask, 1);
    }
    return slots;
  }

  private static void change(Stash stash, Random random) {
    int address = random.nextInt(120);
    int label = random.nextInt(1 << HEIGHT);
    int slot = stash.find(address);
    if (slot < 0 || random.nextInt(4) == 0) {
      stash.put(address, label);
    } else if (random.nextBoolean()) {
      stash.relabel(slot, label);
    } else {
      stash.remove(slot);
    }
  }

  private static List<Integer> found(Stash stash, int label) {
    List<Integer> slots = new ArrayList<>();
    for (int slot = stash.firstMeeting(label); slot >= 0; slot = stash.nextMeeting(slot)) {
      slots.add(slot);
    }
    return slots;
  }

  private static List<Integer> walked(Stash stash, TreeGeometry geometry, int label) {
    int level = geometry.treetopLevels();
    List<Integer> slots = new ArrayList<>();
    for (int slot = 0; slot < stash.slots(); slot++) {
      if (stash.address(slot) >= 0
          && geometry.bucket(stash.label(slot), level) == geometry.bucket(label, level)) {
        slots.add(slot);
      }
    }
    return slots;
  }
}
