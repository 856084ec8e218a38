package io.github.roram.storage.striped;

import io.github.roram.store.BlockStore;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** Stripes of a simulated disk that are read and written by the thread that asks. */
public final class SimulatedStripes {

  private SimulatedStripes() {}

  /**
   * One store on several files of a disk, each synced by itself. Of three the first has the top.
   */
  public static BlockStore open(SimulatedDisk disk, int stripes, long capacityBytes)
      throws IOException {
    List<BlockStore> opened = new ArrayList<>();
    for (int stripe = 0; stripe < stripes; stripe++) {
      long bytes = StripeDescriptor.BYTES + capacityBytes;
      opened.add(new DiskStore(disk, "stripe " + stripe, bytes));
    }
    long topBytes = stripes == 3 ? capacityBytes / 8 : 0;
    return new StripedStore(opened, capacityBytes, topBytes, new Inline());
  }

  /** Does at once what it is given. */
  private static final class Inline extends AbstractExecutorService {
    private boolean ended;

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void shutdown() {
      ended = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
      ended = true;
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return ended;
    }

    @Override
    public boolean isTerminated() {
      return ended;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return ended;
    }
  }
}
