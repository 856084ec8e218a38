package io.github.roram.cli;

/** An impossible request by the user; the message says what is possible. Exit code 2. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
