package io.github.roram;

/** A parameter is impossible, or differs from what the store was created with. */
public final class ConfigurationException extends OramException {
  private static final long serialVersionUID = 1L;

  /** Names the value, the limit and the remedy. */
  public ConfigurationException(String message) {
    super(message);
  }

  /** As above, with what led to it. */
  public ConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}
