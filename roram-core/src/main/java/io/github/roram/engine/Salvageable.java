package io.github.roram.engine;

import io.github.roram.BlockSink;
import io.github.roram.SalvageReport;
import java.io.IOException;

/** An engine that can find blocks on its store without the client's state. */
public interface Salvageable {

  /**
   * Passes the newest copy of each block on the store to a sink, whatever the engine's state. See
   * {@link io.github.roram.open.Orams#salvage}.
   */
  SalvageReport salvage(BlockSink sink) throws IOException;
}
