package io.github.roram.storage.intake;

import java.io.IOException;

/** What a {@link Connection} does with its bytes now. For the connection's event loop. */
public interface Phase extends Patience.Watched {

  /** The connection is there. */
  default void connected() {}

  /**
   * Goes on with what came.
   *
   * @return whether there may be more to do; false if it needs more bytes or waits
   * @throws IOException if the connection must end
   */
  boolean step(Input in) throws IOException;

  /** Whether it waits for something else than bytes, so that none should be read. */
  boolean waits();

  /** The client did not prove who it is in TLS; the connection ends. */
  default void tlsFailed() {}

  /** The connection ended. */
  default void closed() {}
}
