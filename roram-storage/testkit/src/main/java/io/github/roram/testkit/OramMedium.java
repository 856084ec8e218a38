package io.github.roram.testkit;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.Closeable;
import java.io.IOException;

/** A store and its vault that outlive the ORAMs opened on them, one after another. */
public interface OramMedium extends Closeable {

  /** The store, as it is open now. */
  BlockStore store();

  /** The vault next to it. */
  ClientVault vault();

  /** As if the process ended and another began; a medium in memory just stays. */
  void reopen() throws IOException;

  /** Closes, and deletes what was made for it. */
  @Override
  void close() throws IOException;
}
