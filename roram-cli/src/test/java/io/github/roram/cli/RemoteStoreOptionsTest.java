package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.RemoteOptions;
import io.github.roram.storage.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Options come from the command line, then from the environment. */
final class RemoteStoreOptionsTest {

  private static StoreOptions apply(RemoteStoreOptions options, Map<String, String> variables) {
    Environment process = Environment.ofProcess();
    return options.applyTo(
        StoreOptions.defaults(),
        new Environment(
            process.in(), process.out(), process.err(), process.prompt(), false, variables));
  }

  @Test
  void nothingSaidIsTheDefault() {
    assertThat(apply(new RemoteStoreOptions(), Map.of())).isEqualTo(StoreOptions.defaults());
    assertThat(apply(new RemoteStoreOptions(), Map.of("RORAM_CA", "")))
        .isEqualTo(StoreOptions.defaults());
  }

  @Test
  void environmentIsForWhatTheCommandLineLeavesOpen() {
    RemoteStoreOptions options = new RemoteStoreOptions();
    options.ca = Path.of("mine.crt");
    options.retrySeconds = 3;
    options.takeOver = true;
    StoreOptions applied =
        apply(
            options,
            Map.of(
                "RORAM_CA", "ca.crt",
                "RORAM_CLIENT_CERT", "c.crt",
                "RORAM_CLIENT_KEY", "c.key",
                "RORAM_TOKEN_FILE", "t"));
    RemoteOptions remote = applied.remote();
    assertThat(remote.caCertificate()).isEqualTo(Path.of("mine.crt"));
    assertThat(remote.clientCertificate()).isEqualTo(Path.of("c.crt"));
    assertThat(remote.clientKey()).isEqualTo(Path.of("c.key"));
    assertThat(remote.tokenFile()).isEqualTo(Path.of("t"));
    assertThat(remote.retryBound()).isEqualTo(Duration.ofSeconds(3));
    assertThat(remote.takeOver()).isTrue();
  }

  @Test
  void refusesWhatCannotBeMeant() {
    RemoteStoreOptions options = new RemoteStoreOptions();
    options.retrySeconds = -1;
    assertThatThrownBy(() -> apply(options, Map.of()))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--retry-seconds is -1");
    assertThatThrownBy(() -> apply(new RemoteStoreOptions(), Map.of("RORAM_CLIENT_CERT", "c.crt")))
        .isInstanceOf(ConfigurationException.class);
  }
}
