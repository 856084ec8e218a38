package io.github.roram.auditor.workload;

import io.github.roram.storage.OpenedStore;
import java.io.Closeable;
import java.io.IOException;

/** A store for one run; closing it deletes it. */
public final class NewStore implements Closeable {

  private final OpenedStore opened;
  private final Closeable afterwards;

  /**
   * A store that was created.
   *
   * @param afterwards deletes it, once it is closed
   */
  NewStore(OpenedStore opened, Closeable afterwards) {
    this.opened = opened;
    this.afterwards = afterwards;
  }

  /** The store and its vault. */
  public OpenedStore opened() {
    return opened;
  }

  @Override
  public void close() throws IOException {
    try (afterwards) {
      opened.close();
    }
  }
}
