package io.github.roram.nbd;

/** What a connection does with its bytes now. For the connection's event loop. */
interface Phase {

  /**
   * Goes on with what came.
   *
   * @return whether there may be more to do; false if it needs more bytes or waits
   * @throws NbdProtocolException if the connection must end
   */
  boolean step(Input in) throws NbdProtocolException;

  /** Whether it waits for something else than bytes, so that none should be read. */
  boolean waits();

  /** Whether the client has not chosen an export. */
  boolean handshakes();

  /** Bytes that arrived of something unfinished, since the connection began; −1 if nothing is. */
  long unfinished();

  /** The connection ended. */
  void closed();
}
