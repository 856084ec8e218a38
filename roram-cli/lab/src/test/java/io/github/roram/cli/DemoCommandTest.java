package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What {@code demo} refuses; {@code .ci/run} has it compare. */
final class DemoCommandTest {

  @Test
  void countsAreChecked() {
    CommandRun run = CommandRun.of("demo", "--queries", "0");
    assertThat(run.messages()).contains("--queries is 0");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(CommandRun.of("demo", "--store", "tls", "--direct-io").exitCode())
        .isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void aDeviceShorterThanItsRangesIsRefused() {
    CommandRun run = CommandRun.of("demo", "--blocks", "3");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.messages()).contains("--blocks is 3, must be at least 256");
  }
}
