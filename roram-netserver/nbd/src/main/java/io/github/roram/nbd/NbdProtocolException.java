package io.github.roram.nbd;

import java.io.IOException;

/** A client's bytes cannot be understood; the connection ends. */
final class NbdProtocolException extends IOException {

  private static final long serialVersionUID = 1L;

  NbdProtocolException(String message) {
    super(message);
  }
}
