package io.github.roram.cipher;

import java.io.IOException;

/** Begins key epochs. */
public interface EpochSource {

  /** Returns the epoch that was begun last. */
  int epoch();

  /** Begins a new epoch, which is durably recorded before this returns. */
  void advance() throws IOException;
}
