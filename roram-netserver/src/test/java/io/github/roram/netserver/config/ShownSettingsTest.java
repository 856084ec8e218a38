package io.github.roram.netserver.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.netserver.AccessPolicy.Action;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.netserver.ServerLimits;
import io.github.roram.netserver.ServerTimeouts;
import io.github.roram.netserver.config.ServerSettings.LogSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings that the distribution and the documentation show are right. */
final class ShownSettingsTest {

  /** Settings of a server say first where it listens; those of a client's stores do not. */
  private static final Pattern BLOCK = Pattern.compile("```toml\n(listen.*?)```", Pattern.DOTALL);

  @TempDir Path directory;

  @Test
  void thoseOfTheDistributionAreTheDefaults() throws IOException {
    ServerSettings settings = SettingsFile.read(Path.of("dist", "server.toml"));
    assertThat(settings.limits()).isEqualTo(ServerLimits.defaults());
    assertThat(settings.log()).isEqualTo(LogSettings.DEFAULTS);
    assertThat(settings.timeouts()).isEqualTo(ServerTimeouts.defaults());
    assertThat(settings.access().allows(new ClientIdentity("bob"), "team-x", Action.USE)).isTrue();
    assertThat(settings.access().allows(new ClientIdentity("bob"), "vault", Action.USE)).isFalse();
  }

  @Test
  void thoseOfTheDocumentationAreRead() throws IOException {
    Matcher blocks = BLOCK.matcher(Files.readString(Path.of("..", "docs", "operations.md")));
    int count = 0;
    while (blocks.find()) {
      Path file = directory.resolve("server.toml");
      Files.writeString(file, blocks.group(1));
      assertThat(SettingsFile.read(file).directory()).isAbsolute();
      count++;
    }
    assertThat(count).isPositive();
  }
}
