package io.github.roram.cli;

/** Work stopped because the process was asked to end. */
final class InterruptedTransferException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InterruptedTransferException() {
    super("interrupted");
  }
}
