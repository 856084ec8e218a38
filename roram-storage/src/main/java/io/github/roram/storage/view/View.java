package io.github.roram.storage.view;

import io.github.roram.OramConfig;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * All that was seen of a run, in order, and what everyone knows of it beforehand.
 *
 * @param config the store's parameters, which its superblock shows
 * @param layout where its superblock says that its buckets lie, in the form of its scheme
 *     (docs/file-formats.md, "Superblock"); empty: as in a new store of these parameters
 * @param sights oldest first
 */
public record View(OramConfig config, ByteBuffer layout, List<Sight> sights) {

  /** Copies of the list and of what remains in the buffer are kept. */
  public View {
    byte[] bytes = new byte[layout.remaining()];
    layout.duplicate().get(bytes);
    layout = ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    sights = List.copyOf(sights);
  }

  /** Of a store that is as it was created. */
  public View(OramConfig config, List<Sight> sights) {
    this(config, ByteBuffer.allocate(0), sights);
  }

  /** A buffer of its own for each caller. */
  @Override
  public ByteBuffer layout() {
    return layout.duplicate();
  }
}
