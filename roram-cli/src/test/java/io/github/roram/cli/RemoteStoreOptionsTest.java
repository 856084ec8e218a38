package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Options come from the command line, then from the environment. */
final class RemoteStoreOptionsTest {

  private static final String URI = "tls://host:1/v";

  private static StoreOptions options(Map<String, String> variables, String... options)
      throws IOException {
    return ParsedStore.options(variables, URI, options);
  }

  @Test
  void nothingSaidIsTheDefault() throws IOException {
    assertThat(options(Map.of())).isEqualTo(StoreOptions.defaults());
    assertThat(options(Map.of("RORAM_CA", ""))).isEqualTo(StoreOptions.defaults());
    assertThat(RemoteOptions.of(StoreOptions.defaults())).isEqualTo(RemoteOptions.defaults());
  }

  @Test
  void environmentIsForWhatTheCommandLineLeavesOpen() throws IOException {
    StoreOptions said =
        options(
            Map.of(
                "RORAM_CA", "ca.crt",
                "RORAM_CLIENT_CERT", "c.crt",
                "RORAM_CLIENT_KEY", "c.key",
                "RORAM_TOKEN_FILE", "t"),
            "--ca",
            "mine.crt",
            "--retry-seconds",
            "3",
            "--take-over");
    RemoteOptions remote = RemoteOptions.of(said);
    assertThat(remote.tls())
        .isEqualTo(new TlsFiles(Path.of("mine.crt"), Path.of("c.crt"), Path.of("c.key")));
    assertThat(remote.tokenFile()).isEqualTo(Path.of("t"));
    assertThat(remote.times().retryBound()).isEqualTo(Duration.ofSeconds(3));
    assertThat(remote.takeOver()).isTrue();
  }

  @Test
  void whatFewNeedIsTakenThoughNotShown() throws IOException {
    RemoteOptions remote =
        RemoteOptions.of(options(Map.of(), "--ping-seconds", "0.25", "--unsynced-bytes", "1M"));
    assertThat(remote.times().pingInterval()).isEqualTo(Duration.ofMillis(250));
    assertThat(remote.memory().unsyncedBytes()).isEqualTo(1 << 20);
    assertThat(CommandRun.of("info", "--help").text())
        .contains("--retry-seconds")
        .doesNotContain("--ping-seconds");
  }

  @Test
  void refusesWhatCannotBeMeant() throws IOException {
    assertThatThrownBy(() -> options(Map.of(), "--retry-seconds", "-1"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("--retry-seconds is -1");
    StoreOptions half = options(Map.of("RORAM_CLIENT_CERT", "c.crt"));
    assertThatThrownBy(() -> RemoteOptions.of(half)).isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> options(Map.of("RORAM_CA", "a\0b")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("RORAM_CA is");
  }
}
