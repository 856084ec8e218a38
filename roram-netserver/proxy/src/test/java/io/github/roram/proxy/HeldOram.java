package io.github.roram.proxy;

import io.github.roram.AsyncOram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Writes down where it is read and written, and completes nothing before the test says so. */
final class HeldOram implements AsyncOram {

  private final List<Long> offsets = new ArrayList<>();
  private final List<CompletableFuture<Void>> underWay = new ArrayList<>();
  private boolean open;

  @Override
  public OramConfig config() {
    return TestProxy.CONFIG;
  }

  @Override
  public CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target) {
    return call(offset);
  }

  @Override
  public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
    return call(offset);
  }

  @Override
  public CompletableFuture<Void> flush() {
    return call(-1);
  }

  private synchronized CompletableFuture<Void> call(long offset) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    offsets.add(offset);
    underWay.add(done);
    notifyAll();
    // The first call holds up the thread that passes requests on.
    while (!open && offsets.size() == 1) {
      try {
        wait();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return done;
  }

  /** Lets requests come. */
  synchronized void open() {
    open = true;
    notifyAll();
  }

  /** Waits for so many calls and completes them all. */
  synchronized List<Long> complete(int calls) throws InterruptedException {
    while (offsets.size() < calls) {
      wait();
    }
    underWay.forEach(each -> each.complete(null));
    underWay.clear();
    return List.copyOf(offsets);
  }

  /** Waits for so many calls. */
  synchronized void await(int calls) throws InterruptedException {
    while (offsets.size() < calls) {
      wait();
    }
  }

  @Override
  public OramStats stats() {
    return new OramStats(0, 0, 0, List.of());
  }

  @Override
  public void close() {}
}
