package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CheckEngineCommandTest {

  @Test
  void soundEnginePasses() {
    CommandRun run = CommandRun.of("check-engine", "mem:");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.OK);
    assertThat(run.text()).contains("wins: yes", "requests at a time: 1");
  }

  @Test
  void whatIsWrongIsTold() {
    CommandRun unknown = CommandRun.of("check-engine", "tape:7");
    assertThat(unknown.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(unknown.messages())
        .contains("engine URI is \"tape:7\", of unknown kind \"tape\"", "mem: (objects in memory)");
    CommandRun withoutKind = CommandRun.of("check-engine", "bucket");
    assertThat(withoutKind.messages()).contains("\"bucket\", without a kind: write mem:");
    CommandRun located = CommandRun.of("check-engine", "mem:x");
    assertThat(located.messages()).contains("nothing may follow \"mem:\"");
    CommandRun option = CommandRun.of("check-engine", "mem:", "--set", "s3-region=x");
    assertThat(option.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(option.messages()).contains("s3-region is no option of mem: engines");
  }
}
