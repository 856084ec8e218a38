package io.github.roram.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import io.github.roram.netserver.config.ServerSettings.LogSettings;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/** Sets up what {@code roram server} logs on standard error. */
final class ServerLog {

  /** Messages and failures quote paths and peers: what a terminal would obey is left out. */
  private static final String LINE =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX,UTC} %-5level %logger{0} - "
          + "%replace(%msg %kvp){'\\p{C}','\uFFFD'}%n"
          + "%replace(%ex){'[\\p{C}&&[^\\n\\t]]','\uFFFD'}%nopex";

  private ServerLog() {}

  /** Replaces the set-up of the other commands. */
  static void configure(LogSettings settings) {
    ILoggerFactory factory = LoggerFactory.getILoggerFactory();
    if (!(factory instanceof LoggerContext context)) {
      return; // someone embeds the command and logs in his own way
    }
    Encoder<ILoggingEvent> encoder = encoder(settings.format(), context);
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName("server");
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    root.addAppender(appender);
    root.setLevel(Level.WARN);
    context.getLogger("io.github.roram").setLevel(Level.toLevel(settings.level().name()));
  }

  /** Writes an event as a line, or as JSON. */
  static Encoder<ILoggingEvent> encoder(LogSettings.Format format, LoggerContext context) {
    if (format == LogSettings.Format.JSON) {
      JsonEncoder encoder = new JsonEncoder();
      encoder.setContext(context);
      encoder.setWithArguments(false);
      encoder.setWithContext(false);
      encoder.setWithMessage(false);
      encoder.setWithFormattedMessage(true);
      encoder.setWithNanoseconds(false);
      encoder.setWithSequenceNumber(false);
      encoder.start();
      return encoder;
    }
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(LINE);
    encoder.start();
    return encoder;
  }
}
