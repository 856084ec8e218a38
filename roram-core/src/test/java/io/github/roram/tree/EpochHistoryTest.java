package io.github.roram.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Against a map from every eviction to its epoch. */
final class EpochHistoryTest {

  private static final int LEAVES = 32;

  @Test
  void knowsTheEpochOfEveryEvictionThatCanStillBeRead() throws IOException {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      EpochHistory history = new EpochHistory(LEAVES);
      TreeMap<Long, Integer> model = new TreeMap<>();
      long eviction = LEAVES;
      int epoch = 1;
      for (int chunk = 0; chunk < 60; chunk++) {
        epoch += random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0;
        history.note(eviction, epoch);
        for (int paths = 1 + random.nextInt(9); paths > 0; paths--) {
          model.put(eviction++, epoch);
        }
        if (random.nextInt(10) == 0) {
          history = saved(history);
        }
        for (long past = Math.max(LEAVES, eviction - LEAVES); past < eviction; past++) {
          assertThat(history.epochOf(past)).isEqualTo(model.get(past));
        }
      }
    }
  }

  @Test
  void anEvictionDoneAgainIsOfTheLaterEpoch() {
    EpochHistory history = new EpochHistory(LEAVES);
    history.note(40, 1);
    history.note(44, 1);
    history.note(44, 2);
    history.note(42, 3);
    assertThat(history.epochOf(41)).isEqualTo(1);
    assertThat(history.epochOf(42)).isEqualTo(3);
    assertThat(history.epochOf(45)).isEqualTo(3);
    history.clear();
    assertThat(history.epochOf(45)).isZero();
  }

  private static EpochHistory saved(EpochHistory history) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    history.writeTo(new DataOutputStream(bytes));
    EpochHistory loaded = new EpochHistory(LEAVES);
    loaded.readFrom(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    return loaded;
  }
}
