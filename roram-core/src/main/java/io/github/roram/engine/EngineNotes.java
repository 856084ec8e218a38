package io.github.roram.engine;

import java.io.IOException;

/** Receives an engine's notes, in the client's journal, which no store can change. */
public interface EngineNotes {

  /**
   * Appends a note. Once the access is acknowledged, the note is as durable as the chosen
   * durability demands. If this fails, the note is appended before the next access.
   *
   * @param bytes number of the array's first bytes to append: equal for accesses that must look
   *     alike
   */
  void append(byte[] note, int bytes) throws IOException;

  /**
   * Makes all notes durable, with {@link io.github.roram.Durability#SYNC} and {@link
   * io.github.roram.Durability#FLUSH}. For engines that may not run far ahead of their durable
   * notes.
   */
  void sync() throws IOException;
}
