package io.github.roram.cipher;

import java.io.IOException;

/** Begins key epochs. */
public interface EpochSource {

  /** The epoch that was begun last. */
  int epoch();

  /** Seals in a new epoch from now on, which is durably recorded before this returns. */
  void advance() throws IOException;
}
