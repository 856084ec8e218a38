package io.github.roram;

/** Thrown if a parameter is out of bounds, or not the one that the store was created with. */
public final class ConfigurationException extends OramException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message names the value, the limit and the remedy. */
  public ConfigurationException(String message) {
    super(message);
  }

  /** Creates an exception with a message like that, and with its cause. */
  public ConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }
}
