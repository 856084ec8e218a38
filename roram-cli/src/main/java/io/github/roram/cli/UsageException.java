package io.github.roram.cli;

/** What was asked for cannot be done as asked; the message says what can. Exit code 2. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
