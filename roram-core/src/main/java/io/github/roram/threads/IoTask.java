package io.github.roram.threads;

import java.io.IOException;

/** A task that may fail. */
@FunctionalInterface
public interface IoTask {
  /** Runs the task. */
  void run() throws IOException;
}
