package io.github.roram.storage.remote.protocol;

import java.io.IOException;

/** The other side sent what the protocol does not allow: the connection cannot be used further. */
public final class ProtocolException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message says what was found and what was expected. */
  public ProtocolException(String message) {
    super(message);
  }
}
