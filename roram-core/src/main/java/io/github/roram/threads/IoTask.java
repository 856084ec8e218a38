package io.github.roram.threads;

import java.io.IOException;

/** Something that is done, and may fail. */
@FunctionalInterface
public interface IoTask {
  /** Does it. */
  void run() throws IOException;
}
