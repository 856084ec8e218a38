package io.github.roram.testkit;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;

/** Reads and writes single ranges of a store's bytes, past all units. */
final class RawBytes {

  private RawBytes() {}

  static byte[] read(BlockStore store, long offset, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    store.read(
        range(offset, bytes), (first, units) -> units.get(content, first, units.remaining()));
    return content;
  }

  static void write(BlockStore store, long offset, byte[] content, int from, int bytes)
      throws IOException {
    store.write(
        range(offset, bytes),
        (first, units) -> units.put(content, from + first, units.remaining()));
  }

  private static ExtentBatch range(long offset, int bytes) {
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, ExtentBatch.NO_TREE, 1);
    batch.add(offset, bytes);
    return batch;
  }
}
