package io.github.roram.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LevelTableDescriptorTest {

  private static final LevelTable TABLE =
      new LevelTable(
          List.of(
              new LevelRun(0, 5, 12, 16_448, 512, 4096),
              new LevelRun(1, 5, 12, 16_448, 512, 2_259_976_192L),
              new LevelRun(1, 17, 1, 16_448, 1024, 1L << 40)));

  private static final String GOLDEN =
      "01000003"
          + "0000050c"
          + "00004040"
          + "00000200"
          + "0000000000001000"
          + "0001050c"
          + "00004040"
          + "00000200"
          + "0000000086b48000"
          + "00011101"
          + "00004040"
          + "00000400"
          + "0000010000000000";

  /** The bytes that version 1 wrote: changing them breaks every store out there. */
  @Test
  void golden() {
    assertThat(HexFormat.of().formatHex(LevelTableDescriptor.encode(TABLE))).isEqualTo(GOLDEN);
    assertThat(LevelTableDescriptor.decode(HexFormat.of().parseHex(GOLDEN))).isEqualTo(TABLE);
  }

  /** As {@link #golden}, of version 2: a store that has grown. */
  @Test
  void goldenOfAGrownStore() {
    LevelTable grown =
        new LevelTable(
            List.of(
                new LevelRun(0, 5, 12, 16_448, 512, 4096),
                new LevelRun(0, 17, 1, 16_448, 512, 2_259_976_192L, 70_001)));
    String golden =
        "02000002"
            + "0000050c"
            + "00004040"
            + "00000200"
            + "0000000000001000"
            + "0000000000000000"
            + "00001101"
            + "00004040"
            + "00000200"
            + "0000000086b48000"
            + "0000000000011171";
    assertThat(HexFormat.of().formatHex(LevelTableDescriptor.encode(grown))).isEqualTo(golden);
    assertThat(LevelTableDescriptor.decode(HexFormat.of().parseHex(golden))).isEqualTo(grown);
  }

  @Test
  void aTableOfNoLevels() {
    LevelTable none = new LevelTable(List.of());
    assertThat(LevelTableDescriptor.decode(LevelTableDescriptor.encode(none))).isEqualTo(none);
    assertThat(none.end()).isZero();
    assertThat(none.trees()).isZero();
  }

  @Test
  void aLaterVersionIsNamed() {
    byte[] later = LevelTableDescriptor.encode(TABLE);
    later[0] = 3;
    assertThatThrownBy(() -> LevelTableDescriptor.decode(later))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("has version 3, this version of roram reads version 1 and 2");
  }

  @Test
  void anyLengthButTheRightOneIsRefused() {
    byte[] bytes = LevelTableDescriptor.encode(TABLE);
    for (int length = 0; length < bytes.length + 30; length++) {
      if (length != bytes.length) {
        byte[] cut = Arrays.copyOf(bytes, length);
        assertThatThrownBy(() -> LevelTableDescriptor.decode(cut))
            .isInstanceOf(IntegrityException.class);
      }
    }
  }

  /** Whatever the bytes, a table is refused or one whose offsets can be reckoned with. */
  @Test
  void anyBytes() {
    Random random = new Random(3);
    int accepted = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = LevelTableDescriptor.encode(TABLE);
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      LevelTable table;
      try {
        table = LevelTableDescriptor.decode(bytes);
      } catch (IntegrityException e) {
        continue;
      }
      accepted++;
      assertThat(table.end()).isPositive();
      for (LevelRun run : table.runs()) {
        for (int level = run.firstLevel(); level < run.firstLevel() + run.levels(); level++) {
          assertThat(table.run(run.tree(), level)).isEqualTo(run);
          assertThat(run.offset(level)).isBetween(run.base(), table.end());
        }
      }
    }
    assertThat(accepted).isBetween(100, 19_900);
  }

  @Test
  void levelsThatAreThereTwiceOrOverlap() {
    LevelRun run = new LevelRun(0, 3, 2, 10, 1, 0);
    assertThatThrownBy(() -> new LevelTable(List.of(run, new LevelRun(0, 4, 1, 10, 1, 9000))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there twice");
    assertThatThrownBy(() -> new LevelTable(List.of(run, new LevelRun(0, 5, 1, 12, 1, 9000))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two sizes");
    assertThat(run.end()).isEqualTo((9 + 17) * 10);
    assertThatThrownBy(() -> new LevelTable(List.of(run, new LevelRun(1, 4, 1, 10, 1, 259))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("overlap");
    assertThat(new LevelTable(List.of(run, new LevelRun(1, 4, 1, 10, 1, 260))).end())
        .isEqualTo(260 + 170);
  }

  @Test
  void boundsNameTheValue() {
    assertThatThrownBy(() -> new LevelRun(0, 31, 1, 10, 1, 0))
        .hasMessage("first level is 31, must be 0 to 30");
    assertThatThrownBy(() -> new LevelRun(0, 30, 2, 10, 1, 0))
        .hasMessage("number of levels is 2, must be 1 to 1");
    assertThatThrownBy(() -> new LevelRun(0, 0, 31, 1 << 29, 1 << 30, 0))
        .hasMessage("the levels end beyond byte 2^62");
    assertThatThrownBy(() -> new LevelRun(0, 0, 1, 10, 1, -1)).hasMessageContaining("base is -1");
  }
}
