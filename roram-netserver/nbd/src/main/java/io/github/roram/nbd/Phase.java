package io.github.roram.nbd;

import io.github.roram.storage.intake.Input;
import io.github.roram.storage.intake.Patience;

/** What a connection does with its bytes now. For the connection's event loop. */
interface Phase extends Patience.Watched {

  /**
   * Goes on with what came.
   *
   * @return whether there may be more to do; false if it needs more bytes or waits
   * @throws NbdProtocolException if the connection must end
   */
  boolean step(Input in) throws NbdProtocolException;

  /** Whether it waits for something else than bytes, so that none should be read. */
  boolean waits();

  /** The connection ended. */
  void closed();
}
