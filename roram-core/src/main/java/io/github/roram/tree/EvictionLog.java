package io.github.roram.tree;

import com.carrotsearch.hppc.IntArrayList;
import java.io.IOException;

/** Is told of eviction chunks, so that they can be committed. */
public interface EvictionLog {

  /** A chunk of {@code paths} evictions is about to overwrite old versions of buckets. */
  void beforeChunk(RangeTree tree, int paths) throws IOException;

  /**
   * A chunk was written, not yet durably.
   *
   * @param epoch the key epoch that sealed it
   * @param left addresses of the blocks that left the client by it; valid during the call
   * @param tombstones those that left by it
   */
  void afterChunk(
      RangeTree tree, int paths, int epoch, IntArrayList left, GoneTombstones tombstones);
}
