package io.github.roram.netserver.config;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.intake.HandshakeLimits;
import io.github.roram.netserver.AccessPolicy.Action;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.netserver.ServerLimits;
import io.github.roram.netserver.ServerLimits.ReadLimits;
import io.github.roram.netserver.ServerLimits.VolumeLimits;
import io.github.roram.netserver.ServerTimeouts;
import io.github.roram.netserver.config.ServerSettings.LogSettings;
import io.github.roram.netserver.config.ServerSettings.MetricsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings are read, and every mistake in them is an error that leads to its place. */
final class SettingsFileTest {

  private static final String LEAST =
      """
      listen = "127.0.0.1:0"
      directory = "data"
      anonymous = true
      [volumes."*"]
      identities = ["*"]
      """;

  @TempDir Path directory;

  private ServerSettings read(String text) throws IOException {
    Path file = directory.resolve("server.toml");
    Files.writeString(file, text);
    return SettingsFile.read(file);
  }

  @Test
  void leastFileHasTheDefaults() throws IOException {
    ServerSettings settings = read(LEAST);
    assertThat(settings)
        .isEqualTo(
            ServerSettings.openOnLoopback(
                new HostPort("127.0.0.1", 0), directory.toAbsolutePath().resolve("data")));
  }

  @Test
  void everythingIsRead() throws IOException {
    ServerSettings settings =
        read(
            """
            listen = "0.0.0.0:7420"
            directory = "/var/lib/roram"
            tokens = "tokens"
            metrics = "[::1]:7421"
            metrics-readers = ["eve"]

            [tls]
            ca = "tls/ca.crt"
            certificate = "tls/server.crt"
            key = "tls/server.key"

            [limits]
            connections = 7
            frame = 8192
            request = "1GB"
            extents = 12
            requests = 5
            connection-memory = "8M"
            memory = "16MiB"
            reads = 9
            cache = "6M"
            handshakes = 20
            address-handshakes = 10
            volume = "3T"
            identity = "5T"
            identity-volumes = 6

            [timeouts]
            handshake-seconds = 1
            idle-seconds = 2
            sender-seconds = 3
            reader-seconds = 4
            lease-seconds = 5
            drain-seconds = 6

            [log]
            level = "debug"
            format = "json"

            [volumes.vault]
            identities = ["alice", "bob"]
            quota = "20G"

            [volumes."scratch-*"]
            identities = ["*"]
            """);
    assertThat(settings.listen()).isEqualTo(new HostPort("0.0.0.0", 7420));
    assertThat(settings.directory()).isEqualTo(Path.of("/var/lib/roram"));
    assertThat(settings.tokens()).isEqualTo(directory.toAbsolutePath().resolve("tokens"));
    assertThat(requireNonNull(settings.tls()).ca())
        .isEqualTo(directory.toAbsolutePath().resolve("tls/ca.crt"));
    assertThat(settings.anonymous()).isFalse();
    assertThat(settings.metrics())
        .isEqualTo(new MetricsSettings(new HostPort("::1", 7421), Set.of("eve")));
    assertThat(settings.limits())
        .isEqualTo(
            new ServerLimits(
                7,
                8192,
                1 << 30,
                12,
                5,
                8 << 20,
                16 << 20,
                new ReadLimits(9, 6L << 20),
                new HandshakeLimits(20, 10),
                new VolumeLimits(3L << 40, 5L << 40, 6)));
    assertThat(settings.timeouts())
        .isEqualTo(
            new ServerTimeouts(
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Duration.ofSeconds(3),
                Duration.ofSeconds(4),
                Duration.ofSeconds(5),
                Duration.ofSeconds(6)));
    assertThat(settings.log())
        .isEqualTo(new LogSettings(LogSettings.Level.DEBUG, LogSettings.Format.JSON));
    ClientIdentity alice = new ClientIdentity("alice");
    assertThat(settings.access().allows(alice, "vault", Action.USE)).isTrue();
    assertThat(settings.access().allows(new ClientIdentity("carol"), "vault", Action.USE))
        .isFalse();
    assertThat(settings.access().allows(new ClientIdentity("carol"), "scratch-7", Action.USE))
        .isTrue();
    assertThat(settings.access().allows(alice, "other", Action.USE)).isFalse();
    assertThat(settings.access().maxVolumeBytes("vault", 1)).isEqualTo(20L << 30);
    assertThat(settings.access().maxVolumeBytes("scratch-7", 1)).isEqualTo(1);
  }

  /** Each line is put in as line 4; the message must name that line and what is wrong. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [limits]|connections = 0|5: limits.connections is 0, must be from 1 to 100000
          [limits]|connections = "many"|5: limits.connections is "many", must be a whole number
          [limits]|memory = "12X"|5: limits.memory is "12X", must be a size
          [limits]|memory = "1K"|5: limits.memory is 1K, must be from 1048576
          [limits]|memory = 1.5|5: limits.memory is 1.5, must be a size
          [limits]|colour = 1|5: limits.colour is unknown here; known are connections
          [limits]|handshakes = 0|5: limits.handshakes is 0, must be from 1 to 100000
          [limits]|identity-volumes = 0|5: limits.identity-volumes is 0, must be from 1 to 1000000
          [limits]|volume = "all"|5: limits.volume is "all", must be a size
          [log]|level = "loud"|5: log.level is "loud", must be one of error, warn
          [tls]|ca = "x"|tls.certificate is missing
          [volumes.Vault]|identities = ["a"]|4: volumes.Vault: volume is "Vault"
          [volumes.vault]|identities = []|4: volumes.vault has no identities
          [volumes.vault]|identities = ["a b"]|4: volumes.vault: identity is "a b"
          [volumes.vault]|identities = [3]|5: volumes.vault.identities has 3 in it
          [volumes.vault]|identity = ["a"]|4: volumes.vault has no identities
          colour = 1||4: colour is unknown here; known are listen, directory
          [timeouts]|lease-seconds = 86401|5: timeouts.lease-seconds is 86401, must be from 1 to 86400
          metrics = "7421"||4: metrics: address is "7421", must be HOST:PORT
          tokens = 1||4: tokens is 1, must be a string
          volumes = 1||is no TOML
          = 3||4: is no TOML
          """)
  void mistakesAreNamedWithTheirLine(String first, String second, String message) {
    String[] lines = LEAST.split("\n", -1);
    String text =
        String.join("\n", lines[0], lines[1], lines[2], first, second == null ? "" : second)
            + "\n"
            + String.join("\n", lines[3], lines[4]);
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("server.toml:")
        .hasMessageContaining(message);
  }

  @Test
  void nobodyIsLetInByMistake() {
    assertThatThrownBy(() -> read(LEAST.replace("127.0.0.1", "0.0.0.0")))
        .hasMessageContaining("server.toml:1: listen: ")
        .hasMessageContaining("off loopback, without TLS");
    String tls = "[tls]\nca = \"a\"\ncertificate = \"b\"\nkey = \"c\"\n";
    assertThatThrownBy(() -> read(LEAST.replace("127.0.0.1", "0.0.0.0") + tls))
        .hasMessageContaining("would let everyone in");
    assertThatThrownBy(() -> read(LEAST.replace("anonymous = true", "")))
        .hasMessageContaining("nobody can prove who he is");
    assertThatThrownBy(
            () ->
                read(
                    LEAST
                        .replace("127.0.0.1", "0.0.0.0")
                        .replace("anonymous = true", "tokens = \"t\"")))
        .hasMessageContaining("off loopback, without TLS");
    assertThatThrownBy(() -> read("listen = \"127.0.0.1:0\"\ndirectory = \"d\"\n"))
        .hasMessageContaining("volumes are missing");
  }

  @Test
  void aQuotaThatNobodyCouldReachIsAnError() throws IOException {
    assertThatThrownBy(() -> read(LEAST + "quota = \"5T\"\n"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("server.toml:6: volumes.*.quota is 5497558138880 bytes")
        .hasMessageContaining("raise identity in [limits]");
    read(LEAST + "quota = \"5T\"\n[limits]\nidentity = \"5T\"\n");
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThatThrownBy(() -> read("directory = \"d\"\n"))
        .hasMessageContaining("listen is missing; say listen = ");
    assertThatThrownBy(() -> read("listen = \"127.0.0.1:0\"\n"))
        .hasMessageContaining("directory is missing; say directory = ");
    assertThatThrownBy(() -> SettingsFile.read(directory.resolve("none.toml")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void whatIsNoTextIsNamed() throws IOException {
    Path file = Files.write(directory.resolve("key"), new byte[] {(byte) 0xff, (byte) 0x80, 0});
    assertThatThrownBy(() -> SettingsFile.read(file))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(file + " is no TOML: it is not text");
  }
}
