package io.github.roram.netserver.config;

/**
 * What the server says about itself on standard error.
 *
 * @param level the least important messages that are shown
 * @param format how
 */
public record LogSettings(Level level, Format format) {

  /** What holds where the settings say nothing. */
  public static final LogSettings DEFAULTS = new LogSettings(Level.INFO, Format.TEXT);

  /** How important a message is. */
  public enum Level {
    /** What needs attention. */
    ERROR,
    /** What may need attention. */
    WARN,
    /** What happened. */
    INFO,
    /** Details of what happened. */
    DEBUG,
    /** Everything: names of volumes and clients, sizes; not for production. */
    TRACE
  }

  /** How a message is written. */
  public enum Format {
    /** A line for people. */
    TEXT,
    /** A JSON object, on a line. */
    JSON
  }
}
