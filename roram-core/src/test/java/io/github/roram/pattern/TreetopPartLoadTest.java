package io.github.roram.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.parameters.TreetopBudget;
import io.github.roram.parameters.TreetopLoad;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client holds of a full store whose treetop has a part of a level. */
final class TreetopPartLoadTest {

  private static final int BLOCKS = 1 << 12;
  private static final int HEIGHT = 10;
  private static final int LEVELS = 6;

  private static OramConfig config(int part) {
    OramConfig.Builder builder =
        OramConfig.builder(BLOCKS)
            .maxRangeBlocks(1)
            .chunkPaths(1)
            .windowBlocks(0)
            .set("treetopPart", part);
    double blocks = load(builder.build()).blocks(LEVELS);
    return builder.treetopBytes((long) Math.ceil(blocks * builder.build().blockBytes())).build();
  }

  private static TreetopLoad load(OramConfig config) {
    return TreetopBudget.load(config, BLOCKS, HEIGHT);
  }

  /** With the same labels in every run. */
  private static PatternOram create(OramConfig config) throws IOException {
    Random labels = new Random(3);
    byte[] key = new byte[64];
    labels.nextBytes(key);
    LabelPrf firstLabels = new LabelPrf();
    firstLabels.readFrom(new DataInputStream(new ByteArrayInputStream(key)));
    return PatternOram.create(config, store -> store, firstLabels, labels::nextInt);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 11, 15})
  void growsWithThePartAndHasRoom(int part) throws IOException {
    OramConfig config = config(part);
    TreetopLoad load = load(config);
    int room = load.room(LEVELS, part << LEVELS >> 4);
    double whole = load.blocks(LEVELS);
    double expected = whole + (load.blocks(LEVELS + 1) - whole) * part / 16;
    assertThat(room).isBetween(load.room(LEVELS), load.room(LEVELS + 1));
    Random random = new Random(7);
    long sum = 0;
    int most = 0;
    try (PatternOram oram = create(config)) {
      oram.fill(bytes -> {});
      for (int access = 0; access < 4 * BLOCKS; access++) {
        oram.access(random.nextInt(BLOCKS), 1, true);
        int held = access < BLOCKS ? 0 : oram.stats().trees().get(0).heldBlocks();
        sum += held;
        most = Math.max(most, held);
      }
      assertThat(oram.stats().trees().get(0).treetopLevels()).isEqualTo(LEVELS);
      assertThat(sum / (3.0 * BLOCKS)).isCloseTo(expected, Percentage.withPercentage(6));
      assertThat(most).isLessThanOrEqualTo(room);
      assertThat(oram.stats().stashMaxBlocks()).isLessThan(32);
    }
  }
}
