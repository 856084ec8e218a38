package io.github.roram.testkit;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.Closeable;
import java.io.IOException;

/** A store and its vault that outlive the ORAMs opened on them, one after another. */
public interface OramMedium extends Closeable {

  /** Returns the store, as it is open now. */
  BlockStore store();

  /** Returns the store's vault. */
  ClientVault vault();

  /** Acts as if the process ended and another began; a medium in memory stays as it is. */
  void reopen() throws IOException;

  /** Closes the medium, and deletes everything that was created for it. */
  @Override
  void close() throws IOException;
}
