package io.github.roram.engine;

import java.io.IOException;

/** Where an engine notes what it did: in the client's journal, which no store can change. */
public interface EngineNotes {

  /**
   * Appends a note. It is as durable as the durability says once the access is acknowledged. What
   * fails is appended before the next access.
   *
   * @param bytes how many of the array's first bytes, the same for all that must look alike
   */
  void append(byte[] note, int bytes) throws IOException;

  /**
   * Makes all notes durable, with {@link io.github.roram.Durability#SYNC} and {@link
   * io.github.roram.Durability#FLUSH}: for engines that may not run far ahead of them.
   */
  void sync() throws IOException;
}
