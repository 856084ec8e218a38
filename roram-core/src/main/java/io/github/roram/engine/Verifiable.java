package io.github.roram.engine;

import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import java.io.IOException;

/** An engine that can check all that the store holds. */
public interface Verifiable {

  /**
   * Checks everything, changing nothing: see {@link io.github.roram.Oram#verify}.
   *
   * @throws IllegalStateException if an access has to succeed first
   */
  VerifyReport audit(VerifyProgress progress) throws IOException;
}
