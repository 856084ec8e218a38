package io.github.roram.stash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.checkpoint.GradualCopy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** A copy holds the blocks of the moment at which it was started, whatever changes meanwhile. */
class StashCopyTest {

  private static final int BLOCK_BYTES = 16;
  private static final int ADDRESSES = 150;

  @Property(tries = 200)
  void holdsTheBlocksAsTheyWere(
      @ForAll @IntRange(min = 0, max = 300) int changesBefore,
      @ForAll @IntRange(min = 0, max = 6) int changesPerStep,
      @ForAll long seed)
      throws IOException {
    Random random = new Random(seed);
    Stash stash = new Stash(BLOCK_BYTES);
    change(stash, random, changesBefore);
    Map<Integer, String> before = blocks(stash);
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    GradualCopy copy = stash.startCopy(ADDRESSES);
    change(stash, random, changesPerStep);
    while (copy.step(new DataOutputStream(saved))) {
      change(stash, random, changesPerStep);
    }
    copy.end();
    change(stash, random, changesPerStep);

    Stash loaded = new Stash(BLOCK_BYTES);
    loaded.readFrom(new DataInputStream(new ByteArrayInputStream(saved.toByteArray())));
    assertThat(blocks(loaded)).isEqualTo(before);
  }

  private static void change(Stash stash, Random random, int changes) {
    byte[] data = new byte[BLOCK_BYTES];
    for (int i = 0; i < changes; i++) {
      int address = random.nextInt(ADDRESSES);
      int slot = stash.find(address);
      random.nextBytes(data);
      switch (random.nextInt(5)) {
        case 0 -> stash.put(address, random.nextInt(), data, 0);
        case 1 -> {
          // As callers do that fill the slot themselves.
          int put = stash.put(address, random.nextInt());
          System.arraycopy(data, 0, stash.array(put), stash.offset(put), BLOCK_BYTES);
        }
        case 2 -> {
          // As an update does, which changes part of the data.
          int kept = stash.putKept(address, random.nextInt());
          stash.array(kept)[stash.offset(kept) + random.nextInt(BLOCK_BYTES)] = data[0];
        }
        case 3 -> {
          if (slot >= 0) {
            stash.relabel(slot, random.nextInt());
          }
        }
        default -> {
          if (slot >= 0) {
            stash.remove(slot);
          }
        }
      }
    }
  }

  private static Map<Integer, String> blocks(Stash stash) {
    Map<Integer, String> blocks = new TreeMap<>();
    for (int slot = 0; slot < stash.slots(); slot++) {
      if (stash.address(slot) >= 0) {
        StringBuilder block = new StringBuilder().append(stash.label(slot));
        for (int i = 0; i < BLOCK_BYTES; i++) {
          block.append(' ').append(stash.array(slot)[stash.offset(slot) + i]);
        }
        blocks.put(stash.address(slot), block.toString());
      }
    }
    return blocks;
  }
}
