package io.github.roram.state;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;

/** Reads and writes the superblock of a store. */
public final class Superblock {

  private Superblock() {}

  /** Returns the store's first {@link SuperblockDescriptor#BYTES} bytes. */
  public static byte[] read(BlockStore store) throws IOException {
    byte[] bytes = new byte[SuperblockDescriptor.BYTES];
    store.read(extent(), (firstUnit, units) -> units.get(bytes));
    return bytes;
  }

  /** Writes and syncs the superblock. */
  public static void write(BlockStore store, byte[] bytes) throws IOException {
    store.write(extent(), (firstUnit, units) -> units.put(bytes));
    store.sync();
  }

  private static ExtentBatch extent() {
    ExtentBatch batch = new ExtentBatch();
    batch.reset(IoPhase.META, ExtentBatch.NO_TREE, SuperblockDescriptor.BYTES).add(0, 1);
    return batch;
  }
}
