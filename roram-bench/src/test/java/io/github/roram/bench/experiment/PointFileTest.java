package io.github.roram.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PointFileTest {

  @TempDir Path directory;

  private static Point point(int run) {
    return new Point(
        new Point.Key("fig6", "tiny", false, "roram", "3", run, "Z=4 classes=[0,1]", 17),
        17,
        136,
        0.25,
        Map.of(
            IoPhase.READ,
            new IoCounts(1, 2, 3, 0, 4, 5),
            IoPhase.EVICT_WRITE,
            new IoCounts(1, 1, 1, 0, 0, 9)),
        0.4,
        3,
        List.of(new Point.StashTail(8, List.of(1, 2), List.of(10L, 20L), List.of(5L, 0L, 1L))));
  }

  @Test
  void pointsComeBack() throws IOException {
    Path file = directory.resolve("points");
    PointFile points = new PointFile(file);
    points.append(point(0));
    points.append(point(1));
    PointFile again = new PointFile(file);
    assertThat(again.contains(point(1).key())).isTrue();
    assertThat(again.contains(point(2).key())).isFalse();
    assertThat(again.find(List.of(point(1).key(), point(2).key(), point(0).key())))
        .containsExactly(point(1), point(0));
    assertThat(point(0).total()).isEqualTo(new IoCounts(2, 3, 4, 0, 4, 14));
  }

  @Test
  void cutOffLineIsDroppedAndWritingGoesOn() throws IOException {
    Path file = directory.resolve("points");
    new PointFile(file).append(point(0));
    String line = Files.readString(file);
    Files.writeString(file, line.substring(0, line.length() / 2), StandardOpenOption.APPEND);
    PointFile resumed = new PointFile(file);
    assertThat(resumed.contains(point(0).key())).isTrue();
    resumed.append(point(1));
    assertThat(new PointFile(file).find(List.of(point(0).key(), point(1).key()))).hasSize(2);
  }

  @Test
  void damagedLineIsAnError() throws IOException {
    Path file = directory.resolve("points");
    Files.writeString(file, "{\"nonsense\": 1}\n");
    assertThatThrownBy(() -> new PointFile(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("line 1");
  }
}
