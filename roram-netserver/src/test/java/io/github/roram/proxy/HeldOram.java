package io.github.roram.proxy;

import io.github.roram.AsyncOram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Writes down where it is read and written, and completes nothing before the test says so. */
final class HeldOram implements AsyncOram {

  private final List<Long> offsets = new ArrayList<>();
  private final List<CompletableFuture<Void>> underWay = new ArrayList<>();
  private volatile boolean open;
  private volatile CountDownLatch stats = new CountDownLatch(0);

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
    return done;
  }

  /** The first call holds up those behind it. */
  @Override
  public int mostUnderWay() {
    return open ? Integer.MAX_VALUE : 1;
  }

  /** Lets requests come: the first is done. */
  void open() {
    List<CompletableFuture<Void>> first;
    synchronized (this) {
      open = true;
      first = List.copyOf(underWay);
      underWay.clear();
    }
    first.forEach(each -> each.complete(null));
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

  /** How many calls there were. */
  synchronized int calls() {
    return offsets.size();
  }

  /** Waits for so many calls. */
  synchronized void await(int calls) throws InterruptedException {
    while (offsets.size() < calls) {
      wait();
    }
  }

  /** Has {@link #stats} wait. */
  void holdStats(CountDownLatch latch) {
    stats = latch;
  }

  @Override
  public OramStats stats() {
    try {
      stats.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return new OramStats(0, 0, 0, List.of());
  }

  @Override
  public void close() {}
}
