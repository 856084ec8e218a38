package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import io.github.roram.netserver.config.ServerSettings.LogSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ErrorLogTest {

  /** Of paths and peers; a new line would be an entry that nobody logged. */
  @ParameterizedTest
  @EnumSource(LogSettings.Format.class)
  void controlCharactersAreNotLogged(LogSettings.Format format) {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    LoggingEvent event =
        new LoggingEvent(
            "",
            context.getLogger("a.Logger"),
            Level.WARN,
            "file\u001b[2J\nforged",
            new IOException("cause\u001b[2J"),
            new Object[0]);
    String logged =
        new String(ErrorLog.encoder(format, context).encode(event), StandardCharsets.UTF_8);
    assertThat(logged).contains("file", "forged", "cause").doesNotContain("\u001b");
    assertThat(logged.lines()).noneMatch(line -> line.startsWith("forged"));
  }
}
