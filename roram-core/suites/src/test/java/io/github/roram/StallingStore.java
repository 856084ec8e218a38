package io.github.roram;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.Random;

/**
 * A store whose requests can be stopped for a while: some of them, drawn at random, once a read has
 * delivered all it brings, or before a write. What the client holds for them it then holds for as
 * long as they stand still.
 */
final class StallingStore extends FilterBlockStore {

  private final Random random = new Random(2);
  private int everyNth;
  private long passed;

  StallingStore(BlockStore store) {
    super(store);
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    super.read(batch, sink);
    pass();
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    pass();
    super.write(batch, source);
  }

  private synchronized void pass() throws IOException {
    passed++;
    if (everyNth == 0 || random.nextInt(everyNth) > 0) {
      return;
    }
    try {
      while (everyNth > 0) {
        wait();
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** From now on a request in so many stands still. */
  synchronized void stall(int nth) {
    everyNth = nth;
  }

  /** Waits until requests stand still and no other one moves. */
  void awaitStill() throws InterruptedException {
    long before = -1;
    for (int unchanged = 0; unchanged < 3; unchanged++) {
      Thread.sleep(15);
      synchronized (this) {
        if (passed != before) {
          unchanged = 0;
          before = passed;
        }
      }
    }
  }

  synchronized void goOn() {
    everyNth = 0;
    notifyAll();
  }
}
