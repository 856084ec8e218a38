package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.remote.RemoteOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options that providers declare: on the command line and in settings files. */
final class StoreArgumentsTest {

  private static final String REMOTE = "tls://host:1/v";

  @TempDir Path directory;

  private Path settings(String text) throws IOException {
    return Files.writeString(directory.resolve("store.toml"), text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          info file:s --retry-seconds 5                | --retry-seconds is an option of tcp: and tls:
          info file:s --ca c                           | --ca is an option of tls: stores, not of file:
          info tcp://h:1/v --ca c                      | --ca is an option of tls: stores, not of tcp:
          info tls://h:1/v --direct-io                 | --direct-io is an option of file: stores
          create tls://h:1/v --blocks 9 --segment-size 4K | --segment-size is an option of file:
          """)
  void anOptionOfAnotherKindOfStoresIsRefused(String line, String message) {
    CommandRun run = CommandRun.of(line.strip().split(" +", -1));
    assertThat(run.messages()).contains(message);
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void eachCommandHasTheOptionsOfItsUse() {
    assertThat(CommandRun.of("create", "--help").text())
        .contains("--segment-size", "Stores of file:", "Stores of tls:")
        .doesNotContain("--read-depth");
    assertThat(CommandRun.of("info", "--help").text())
        .contains("--read-depth")
        .doesNotContain("--segment-size");
  }

  @Test
  void settingsAreForWhatTheCommandLineLeavesOpenAndBeforeTheEnvironment() throws IOException {
    Path file =
        settings(
            """
            ca = "certs/ca.crt"
            token-file = "/t"
            retry-seconds = 7
            take-over = true
            ping-seconds = 0.5
            unsynced-bytes = "1M"
            """);
    RemoteOptions remote =
        RemoteOptions.of(
            ParsedStore.options(
                Map.of("RORAM_CA", "other"),
                REMOTE,
                "--token-file",
                "mine",
                "--store-settings",
                file.toString()));
    assertThat(remote.tls().ca()).isEqualTo(directory.resolve("certs/ca.crt"));
    assertThat(remote.tokenFile()).isEqualTo(Path.of("mine"));
    assertThat(remote.times().retryBound()).isEqualTo(Duration.ofSeconds(7));
    assertThat(remote.times().pingInterval()).isEqualTo(Duration.ofMillis(500));
    assertThat(remote.memory().unsyncedBytes()).isEqualTo(1 << 20);
    assertThat(remote.takeOver()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          read-depth = 3      | store.toml:2: read-depth is an option of file: stores, not of tls:
          colour = 1          | store.toml:2: colour is no option of any store; tls: stores have [ca,
          retry-seconds = -1  | store.toml:2: retry-seconds is -1, must be from 0 to 86400
          take-over = "so"    | store.toml:2: take-over is so, must be true or false
          [tls]               | store.toml:2: tls is no option
          take-over           | store.toml:2: is no TOML
          """)
  void mistakesInSettingsAreToldWithTheirLine(String line, String message) throws IOException {
    Path file = settings("# mine\n" + line + "\n");
    assertThatThrownBy(
            () -> ParsedStore.options(Map.of(), REMOTE, "--store-settings", file.toString()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(message);
  }
}
