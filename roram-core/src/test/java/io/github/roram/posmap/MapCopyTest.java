package io.github.roram.posmap;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.checkpoint.GradualCopy;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.cipher.LabelPrf;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** A copy holds the map of the moment at which it was started, whatever changes meanwhile. */
class MapCopyTest {

  private static final int LEAVES = 1 << 20;
  private final LabelPrf prf = new LabelPrf();

  @Property(tries = 100)
  void holdsTheMapAsItWas(
      @ForAll @IntRange(min = 1, max = 5000) int ranges,
      @ForAll @IntRange(min = 0, max = 60) int changesPerStep,
      @ForAll long seed)
      throws IOException {
    Random random = new Random(seed);
    LocalPositionMap map = new LocalPositionMap(prf, 0, ranges, LEAVES);
    change(map, random, 100);
    int[] before = labels(map);
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    GradualCopy copy = map.startCopy(ranges);
    change(map, random, changesPerStep);
    while (copy.step(new DataOutputStream(saved))) {
      change(map, random, changesPerStep);
    }
    copy.end();
    change(map, random, changesPerStep);

    LocalPositionMap loaded = new LocalPositionMap(prf, 0, ranges, LEAVES);
    loaded.readFrom(new DataInputStream(new ByteArrayInputStream(saved.toByteArray())));
    assertThat(labels(loaded)).isEqualTo(before);
  }

  /** Else the saved state would be longer than everyone can tell. */
  @Example
  void labelsThatAreAskedForMeanwhileDoNotMakeItLonger() throws IOException {
    LocalPositionMap map = new LocalPositionMap(prf, 0, 5000, LEAVES);
    map.exchange(0, 1);
    GradualCopy copy = map.startCopy(1);
    for (int range = 0; range < 5000; range += 1000) {
      map.exchange(range, 2);
    }
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    boolean more = true;
    while (more) {
      more = copy.step(new DataOutputStream(saved));
    }
    copy.end();
    assertThat((long) saved.size()).isLessThanOrEqualTo(copy.mostBytes());
  }

  private static void change(LocalPositionMap map, Random random, int changes) {
    for (int i = 0; i < changes; i++) {
      map.exchange(random.nextInt(map.ranges()), random.nextInt(LEAVES));
    }
  }

  /** Asks a map of the same labels, so that none of this one's are remembered by asking. */
  private int[] labels(LocalPositionMap map) throws IOException {
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    try (StateCopy copy = new StateCopy()) {
      copy.add(map.startCopy(map.ranges()));
      copy.writePadded(new DataOutputStream(saved));
    }
    LocalPositionMap same = new LocalPositionMap(prf, 0, map.ranges(), LEAVES);
    same.readFrom(new DataInputStream(new ByteArrayInputStream(saved.toByteArray())));
    int[] labels = new int[map.ranges()];
    for (int range = 0; range < labels.length; range++) {
      labels[range] = same.label(range);
    }
    return labels;
  }
}
