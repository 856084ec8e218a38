package io.github.roram.engine;

import io.github.roram.BlockSink;
import io.github.roram.SalvageReport;
import java.io.IOException;

/** An engine that can find blocks on its store without any state of the client's. */
public interface Salvageable {

  /**
   * Hands over the newest copy of each block that is on the store; what the engine knows is of no
   * matter. See {@link io.github.roram.open.Orams#salvage}.
   */
  SalvageReport salvage(BlockSink sink) throws IOException;
}
