package io.github.roram.threads;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A call that returns a result or fails. */
@FunctionalInterface
public interface IoCall<T extends @Nullable Object> {
  /** Makes the call. */
  T call() throws IOException;
}
