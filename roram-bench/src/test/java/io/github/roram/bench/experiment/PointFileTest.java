package io.github.roram.bench.experiment;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.bench.experiment.ExperimentRunner.PointFile;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.io.InputStream;
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

  /** Lines that an earlier version wrote, byte by byte: users go on with their files. */
  @Test
  void linesOfAnEarlierVersionAreRead() throws IOException {
    Path file = directory.resolve("points");
    try (InputStream earlier = PointFileTest.class.getResourceAsStream("earlier-points.jsonl")) {
      Files.copy(requireNonNull(earlier), file);
    }
    List<String> lines = Files.readAllLines(file);
    PointFile points = new PointFile(file);
    assertThat(points.count("fig6")).isEqualTo(1);
    assertThat(points.count("stash")).isEqualTo(1);
    Point point =
        points
            .find(
                List.of(
                    new Point.Key(
                        "fig6",
                        "tiny",
                        false,
                        "path-paper-like",
                        "0",
                        0,
                        "scheme=path preset=paper blocks=1024 blockBytes=4096 maxRangeBlocks=32"
                            + " sizeClasses=[0] Z=4 A=1 blocksPerLeaf=1 treetopBytes=0 chunkPaths=1"
                            + " windowBlocks=0 stashLimitBlocks=1024 recursivePositionMap=true",
                        256)))
            .get(0);
    assertThat(point.of(IoPhase.POSITION_MAP))
        .isEqualTo(new IoCounts(12288, 12288, 11783, 0, 101154816, 101154816));
    points.append(point);
    assertThat(Files.readAllLines(file)).hasSize(3).endsWith(lines.get(0)).startsWith(lines.get(0));
  }
}
