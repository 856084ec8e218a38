package io.github.roram.store;

import io.github.roram.threads.IoCall;
import java.io.Closeable;
import java.io.IOException;

/** Cleans up after an opening that fails. */
public final class OnFailure {

  private OnFailure() {}

  /**
   * Opens something that builds on an open resource; if that fails, closes the resource and throws
   * the failure, with a failure to close as suppressed.
   */
  public static <T> T close(Closeable needed, IoCall<T> opening) throws IOException {
    try {
      return opening.call();
    } catch (IOException | RuntimeException | Error e) {
      try {
        needed.close();
      } catch (IOException | RuntimeException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }
}
