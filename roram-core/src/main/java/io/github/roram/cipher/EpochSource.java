package io.github.roram.cipher;

import java.io.IOException;

/** Begins key epochs. */
@FunctionalInterface
public interface EpochSource {

  /** Seals in a new epoch from now on, which is durably recorded before this returns. */
  void advance() throws IOException;
}
