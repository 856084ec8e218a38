package io.github.roram.tree;

import static org.assertj.core.api.Assertions.assertThat;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.stash.Stash;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What an eviction may take from a stash that others change while it is under way. */
final class EvictionRulesTest {

  private static final int BLOCK_BYTES = 8;
  private static final int SLOTS = 4;
  private static final int HEIGHT = 5;
  private static final int BLOCKS = 96;
  private static final int RANGE_EXPONENT = 2;

  private final TreeGeometry geometry =
      new TreeGeometry(0, RANGE_EXPONENT, BLOCKS, HEIGHT, 1, SLOTS);
  private final EvictionBuffer buffer =
      new EvictionBuffer(new BucketDescriptor(SLOTS, BLOCK_BYTES, 0));
  private final IntArrayList left = new IntArrayList();

  private static Stash stash(Random random) {
    Stash stash = new Stash(BLOCK_BYTES, RANGE_EXPONENT);
    for (int i = 0; i < 60; i++) {
      stash.put(random.nextInt(BLOCKS), random.nextInt(1 << HEIGHT));
    }
    return stash;
  }

  private void offerAndPlace(Stash stash, int paths) {
    buffer.begin(geometry, 1 << HEIGHT, paths);
    buffer.offer(stash);
    buffer.place();
  }

  private Set<Integer> remove(Stash stash) {
    left.clear();
    buffer.removePlaced(geometry, stash, left);
    Set<Integer> addresses = new TreeSet<>();
    for (int i = 0; i < left.size(); i++) {
      addresses.add(left.get(i));
      assertThat(stash.find(left.get(i))).isEqualTo(-1);
    }
    return addresses;
  }

  private static Set<Integer> held(Stash stash) {
    Set<Integer> addresses = new TreeSet<>();
    for (int slot = 0; slot < stash.slots(); slot++) {
      if (stash.address(slot) >= 0) {
        addresses.add(stash.address(slot));
      }
    }
    return addresses;
  }

  /** Addresses in all buckets that are about to be written. */
  private Set<Integer> placed(int paths) {
    Set<Integer> addresses = new TreeSet<>();
    byte[] plain = new byte[new BucketDescriptor(SLOTS, BLOCK_BYTES, 0).plainBytes()];
    for (int level = geometry.treetopLevels(); level <= HEIGHT; level++) {
      for (int path = 0; path < Math.min(paths, 1 << level); path++) {
        buffer.assemble(level, (1 << HEIGHT) + path, plain);
        for (int slot = 0; slot < SLOTS; slot++) {
          int address = PlainBucket.address(plain, slot);
          if (address >= 0) {
            addresses.add(address);
          }
        }
      }
    }
    return addresses;
  }

  @Property(tries = 100)
  void pinnedRangesAreNotOffered(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 32) int paths) {
    Random random = new Random(seed);
    Stash stash = stash(random);
    Set<Integer> pinned = new TreeSet<>();
    for (int i = 0; i < 8; i++) {
      int range = random.nextInt(BLOCKS >> RANGE_EXPONENT);
      stash.pinRange(range);
      pinned.add(range);
    }
    // Pinned twice, unpinned once.
    int twice = pinned.iterator().next();
    stash.pinRange(twice);
    stash.unpinRange(twice);
    Set<Integer> before = held(stash);
    offerAndPlace(stash, paths);
    Set<Integer> placed = placed(paths);
    assertThat(placed).noneMatch(address -> pinned.contains(address >> RANGE_EXPONENT));
    assertThat(remove(stash)).isEqualTo(placed);
    before.removeAll(placed);
    assertThat(held(stash)).isEqualTo(before);
  }

  /** Ranges that a request touches after they were offered: their blocks stay. */
  @Property(tries = 100)
  void rangesPinnedMeanwhileStay(@ForAll long seed) {
    Random random = new Random(seed);
    Stash stash = stash(random);
    offerAndPlace(stash, 16);
    Set<Integer> placed = placed(16);
    int range = placed.iterator().next() >> RANGE_EXPONENT;
    stash.pinRange(range);
    Set<Integer> expected = new TreeSet<>(placed);
    expected.removeIf(address -> address >> RANGE_EXPONENT == range);
    assertThat(remove(stash)).isEqualTo(expected);
    stash.unpinRange(range);
    assertThat(held(stash)).allMatch(address -> !stash.isPinned(address));
  }

  /** Written, relabelled, or removed and held again since: what the stash holds is newer. */
  @Property(tries = 100)
  void whatChangedMeanwhileStays(@ForAll long seed) {
    Random random = new Random(seed);
    Stash stash = stash(random);
    offerAndPlace(stash, 1 + random.nextInt(32));
    Set<Integer> changed = new TreeSet<>();
    byte[] data = new byte[BLOCK_BYTES];
    Arrays.fill(data, (byte) 7);
    for (int address : held(stash)) {
      int slot = stash.find(address);
      switch (random.nextInt(6)) {
        case 0 -> stash.put(address, stash.label(slot), data, 0);
        case 1 -> stash.relabel(slot, random.nextInt(1 << HEIGHT));
        case 2 -> {
          stash.remove(slot);
          stash.put(address, random.nextInt(1 << HEIGHT), data, 0);
        }
        case 3 -> stash.remove(slot);
        default -> {
          continue;
        }
      }
      changed.add(address);
    }
    Set<Integer> before = held(stash);
    Set<Integer> gone = remove(stash);
    assertThat(gone).noneMatch(changed::contains);
    before.removeAll(gone);
    assertThat(held(stash)).isEqualTo(before);
  }
}
