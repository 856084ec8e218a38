package io.github.roram.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.demo.DemoOptions.DemoWorkload;
import io.github.roram.bench.demo.DemoTable.DemoPage;
import io.github.roram.bench.replay.ReplayResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DemoTest {

  private static final DemoOptions TINY =
      DemoOptions.defaults()
          .withBlocks(1 << 10)
          .withRanges(16, List.of(0, 2, 4))
          .withWorkloads(
              List.of(
                  new DemoWorkload("fileserver-1g", 20, 60),
                  new DemoWorkload("videoserver-1g", 5, 15),
                  new DemoWorkload("seq-1g", 2, 6)));

  @TempDir private Path directory;

  @Tag("gate")
  @Test
  void comparesAllSchemesAndLeavesNothingBehind() throws IOException {
    DemoReport report = new Demo(TINY, directory, ProgressListener.NONE).run();

    assertThat(report.results()).hasSize(12);
    assertThat(report.schemes())
        .extracting(run -> run.scheme().id())
        .containsExactly("path", "path-batched", "sealed", "roram");
    assertThat(report.mismatches()).isZero();
    assertThat(report.folded()).isTrue();
    assertThat(directory).isEmptyDirectory();
    for (DemoWorkload workload : TINY.workloads()) {
      ReplayResult path = report.baseline(workload.trace());
      for (DemoReport.SchemeRun scheme : report.schemes()) {
        ReplayResult result = report.result(workload.trace(), scheme);
        assertThat(result.queries()).isEqualTo(workload.queries());
        assertThat(result.blocksRequested())
            .as("the same queries for every scheme")
            .isEqualTo(path.blocksRequested());
        assertThat(result.verified()).isTrue();
      }
      assertThat(report.ours(workload.trace()).io().seeks())
          .as("what rORAM is for")
          .isLessThan(path.io().seeks());
    }
    assertThat(DemoTable.render(report)).contains("modulo").doesNotContain("NaN");
    assertThat(DemoPage.render(report)).doesNotContain("NaN");
  }

  @Test
  void deletesItsStoreWhenAReplayFails() {
    DemoOptions failing = TINY.withWorkloads(List.of(new DemoWorkload("no-such-trace", 0, 1)));
    assertThatThrownBy(() -> new Demo(failing, directory, ProgressListener.NONE).run())
        .hasMessageContaining("no-such-trace");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void refusesWhatTheDiskCannotHold() {
    Demo demo =
        new Demo(DemoOptions.defaults().withBlocks(1L << 29), directory, ProgressListener.NONE);
    assertThatThrownBy(demo::run)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("free")
        .hasMessageContaining("TB")
        .hasMessageContaining("--dir");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void defaultStaysBelowFiveGigabytes() {
    Demo demo = new Demo(DemoOptions.defaults(), directory, ProgressListener.NONE);
    assertThat(demo.requiredBytes()).isBetween(3_000_000_000L, 5_000_000_000L);
  }

  @Test
  void optionsThatDoNotFitAreRefusedAtOnce() {
    DemoOptions options = DemoOptions.defaults().withSizeClasses(List.of(0, 4));
    assertThatThrownBy(() -> new Demo(options, directory, ProgressListener.NONE))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("size classes [0, 4]");
  }

  @Test
  void everySchemeGetsTheSameClientMemory() {
    DemoOptions options = DemoOptions.defaults().withClientMemory(32 << 20);
    for (Contender scheme : Contenders.LIBRARY) {
      OramConfig config = options.config(scheme);
      assertThat(
              Scheme.of(config.scheme())
                  .clientMemory(config, OpenOptions.defaults())
                  .orElseThrow()
                  .bytes())
          .as("%s", config)
          .isBetween(16L << 20, 32L << 20);
    }
    DemoOptions tooLittle = DemoOptions.defaults().withClientMemory(1 << 20);
    assertThatThrownBy(() -> new Demo(tooLittle, directory, ProgressListener.NONE))
        .isInstanceOf(ConfigurationException.class);
  }
}
