package io.github.roram.storage.view;

import io.github.roram.OramConfig;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * All sights of a run, in order, and the public facts about its store.
 *
 * @param config the store's parameters, which its superblock shows
 * @param layout the superblock's layout of buckets, in the form of its scheme
 *     (docs/file-formats.md, "Superblock"); empty if it is that of a new store of these parameters
 * @param sights the sights, oldest first
 */
public record View(OramConfig config, ByteBuffer layout, List<Sight> sights) {

  /** Copies the list and the buffer's remaining bytes. */
  public View {
    byte[] bytes = new byte[layout.remaining()];
    layout.duplicate().get(bytes);
    layout = ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    sights = List.copyOf(sights);
  }

  /** Creates a view of a store with the layout that it was created with. */
  public View(OramConfig config, List<Sight> sights) {
    this(config, ByteBuffer.allocate(0), sights);
  }

  /** Returns the layout, in a separate buffer for each caller. */
  @Override
  public ByteBuffer layout() {
    return layout.duplicate();
  }
}
