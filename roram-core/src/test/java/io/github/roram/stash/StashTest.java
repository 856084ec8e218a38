package io.github.roram.stash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.checkpoint.StateCopy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class StashTest {

  private static final int BLOCK_BYTES = 16;

  /** Each step is an address, and what is done with it. */
  @Property(tries = 300)
  void behavesLikeAMap(@ForAll List<@IntRange(min = 0, max = 399) Integer> steps)
      throws IOException {
    Stash stash = new Stash(BLOCK_BYTES);
    Map<Integer, Integer> model = new HashMap<>();
    for (int i = 0; i < steps.size(); i++) {
      int address = steps.get(i) % 100;
      byte[] data = new byte[BLOCK_BYTES];
      Arrays.fill(data, (byte) i);
      switch (steps.get(i) / 100) {
        case 0, 1 -> {
          stash.put(address, i, data, 0);
          model.put(address, i);
        }
        case 2 -> {
          if (stash.find(address) >= 0) {
            stash.remove(stash.find(address));
          }
          model.remove(address);
        }
        default -> {
          int slot = stash.putKept(address, i);
          int offset = stash.offset(slot);
          byte kept = model.getOrDefault(address, 0).byteValue();
          assertThat(Arrays.copyOfRange(stash.array(slot), offset, offset + BLOCK_BYTES))
              .containsOnly(kept);
          System.arraycopy(data, 0, stash.array(slot), offset, BLOCK_BYTES);
          model.put(address, i);
        }
      }
    }
    assertHolds(stash, model);

    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    try (StateCopy copy = new StateCopy()) {
      copy.add(stash.startCopy(stash.size() + 3));
      copy.writePadded(new DataOutputStream(saved));
    }
    Stash loaded = new Stash(BLOCK_BYTES);
    loaded.readFrom(new DataInputStream(new ByteArrayInputStream(saved.toByteArray())));
    assertHolds(loaded, model);
    stash.wipe();
    assertHolds(stash, Map.of());
  }

  private static void assertHolds(Stash stash, Map<Integer, Integer> model) {
    assertThat(stash.size()).isEqualTo(model.size());
    int seen = 0;
    for (int slot = 0; slot < stash.slots(); slot++) {
      if (stash.address(slot) >= 0) {
        seen++;
        assertThat(stash.find(stash.address(slot))).isEqualTo(slot);
      }
    }
    assertThat(seen).isEqualTo(model.size());
    model.forEach(
        (address, step) -> {
          int slot = stash.find(address);
          assertThat(stash.label(slot)).isEqualTo(step);
          byte[] expected = new byte[BLOCK_BYTES];
          Arrays.fill(expected, step.byteValue());
          int offset = stash.offset(slot);
          assertThat(Arrays.copyOfRange(stash.array(slot), offset, offset + BLOCK_BYTES))
              .isEqualTo(expected);
        });
  }
}
