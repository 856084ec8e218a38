package io.github.roram.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.github.roram.netserver.config.ServerSettings.LogSettings;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/**
 * The log on standard error: warnings as commands print them, and messages of {@code roram server}
 * and other services with the time. Logback finds this class without a configuration file; loading
 * a class is faster than parsing a file. {@code -Dlogback.configurationFile} still selects a file.
 */
public final class ErrorLog extends ContextAwareBase implements Configurator {

  // Messages and failures quote paths and peers: what a terminal would obey is left out.
  private static final String TEXT = "%logger{0} - %replace(%msg%kvp){'\\p{C}','\uFFFD'}%n";
  private static final String FAILURE = "%replace(%ex){'[\\p{C}&&[^\\n\\t]]','\uFFFD'}%nopex";
  private static final String OF_COMMANDS = "[%level] " + TEXT + FAILURE;

  /** With a time, and a space before keys and values, which only services log. */
  private static final String OF_SERVICES =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX,UTC} %-5level "
          + TEXT.replace("%msg%kvp", "%msg %kvp")
          + FAILURE;

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (System.getProperty("logback.configurationFile") != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    printWith(new Late(lines(OF_COMMANDS, context)), context);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** Replaces the set-up of commands by that of a service that was asked for no other. */
  static void ofService(boolean quiet) {
    configure(serviceSettings(quiet));
  }

  /** Returns what a service logs that has no settings of its own. */
  static LogSettings serviceSettings(boolean quiet) {
    return new LogSettings(
        quiet ? LogSettings.Level.WARN : LogSettings.Level.INFO, LogSettings.Format.TEXT);
  }

  /** Replaces the set-up of commands by that of services. */
  static void configure(LogSettings settings) {
    ILoggerFactory factory = LoggerFactory.getILoggerFactory();
    if (!(factory instanceof LoggerContext context)) {
      return; // the command is embedded in a program with a log of its own
    }
    printWith(encoder(settings.format(), context), context);
    context.getLogger("io.github.roram").setLevel(Level.toLevel(settings.level().name()));
  }

  private static void printWith(Encoder<ILoggingEvent> encoder, LoggerContext context) {
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName("stderr");
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    root.addAppender(appender);
    root.setLevel(Level.WARN);
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
    PatternLayoutEncoder encoder = lines(OF_SERVICES, context);
    encoder.start();
    return encoder;
  }

  private static PatternLayoutEncoder lines(String pattern, LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(pattern);
    return encoder;
  }

  /** Starts once there is something to log: most commands log nothing and need no pattern. */
  private static final class Late extends EncoderBase<ILoggingEvent> {

    private final Encoder<ILoggingEvent> encoder;

    Late(Encoder<ILoggingEvent> encoder) {
      this.encoder = encoder;
    }

    @Override
    public byte[] headerBytes() {
      return new byte[0];
    }

    @Override
    public synchronized byte[] encode(ILoggingEvent event) {
      if (!encoder.isStarted()) {
        encoder.start();
      }
      return encoder.encode(event);
    }

    @Override
    public byte[] footerBytes() {
      return new byte[0];
    }
  }
}
