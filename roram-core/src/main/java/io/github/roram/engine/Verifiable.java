package io.github.roram.engine;

import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import java.io.IOException;

/** An engine that can check everything on its store. */
public interface Verifiable {

  /**
   * Checks everything and changes nothing: see {@link io.github.roram.Oram#verify}.
   *
   * @throws IllegalStateException if an access must succeed first
   */
  VerifyReport audit(VerifyProgress progress) throws IOException;
}
