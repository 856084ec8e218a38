package io.github.roram.store;

import io.github.roram.threads.IoCall;
import java.io.Closeable;
import java.io.IOException;

/** What is done if something cannot be opened. */
public final class OnFailure {

  private OnFailure() {}

  /**
   * Opens something by means of what is open already; if that fails, the latter is closed, and the
   * failure is thrown, with that of closing suppressed.
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
