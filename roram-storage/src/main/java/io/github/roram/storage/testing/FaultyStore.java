package io.github.roram.storage.testing;

import io.github.roram.storage.FilterBlockStore;
import io.github.roram.store.BlockStore;
import java.io.IOException;

/** Injects faults. */
public final class FaultyStore extends FilterBlockStore {
  public FaultyStore(BlockStore delegate) {
    super(delegate);
  }

  public void failNthRead(int n) {}

  public void failNthWrite(int n) {}

  public void failNthSync(int n) {}

  public void tearNthWrite(int n, long keptBytes) {}

  public void fullAfter(long bytes) {}

  public void unlimited() {}

  public void flipBit(long offset, int bit) throws IOException {}

  public byte[] snapshot(long offset, int bytes) throws IOException {
    return new byte[bytes];
  }

  public void restore(long offset, byte[] content) throws IOException {}

  public void copy(long from, long to, int bytes) throws IOException {}
}
