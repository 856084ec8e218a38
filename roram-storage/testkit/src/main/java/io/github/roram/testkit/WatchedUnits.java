package io.github.roram.testkit;

import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.ExtentBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Sink or source of one request, that watches how it is called: every unit once and in order, by
 * one thread at a time, and never after the request ended. Its fields are plain ones, as a user's
 * are.
 */
final class WatchedUnits {

  /** Something to do before units are taken. */
  @FunctionalInterface
  interface Step {
    void before(int firstUnit) throws IOException;
  }

  private final ExtentBatch batch;
  private final byte[] content;
  private final Step step;
  private final AtomicBoolean inCall = new AtomicBoolean();
  private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();
  private volatile boolean over;
  private int nextUnit;

  private WatchedUnits(ExtentBatch batch, byte[] content, Step step) {
    this.batch = batch;
    this.content = content;
    this.step = step;
  }

  static WatchedUnits of(ExtentBatch batch) {
    return of(batch, firstUnit -> {});
  }

  static WatchedUnits of(ExtentBatch batch, Step step) {
    return new WatchedUnits(batch, new byte[Math.toIntExact(batch.bytes())], step);
  }

  static WatchedUnits of(ExtentBatch batch, byte[] content) {
    return new WatchedUnits(batch, content, firstUnit -> {});
  }

  /** Reads the batch; completes with what was read. */
  CompletableFuture<byte[]> read(AsyncBlockStore store) {
    return store
        .read(
            batch,
            (first, units) -> take(first, units, (from, bytes) -> units.get(content, from, bytes)))
        .whenComplete(this::end)
        .thenApply(done -> content);
  }

  /** Writes the batch. */
  CompletableFuture<Void> write(AsyncBlockStore store) {
    return store
        .write(
            batch,
            (first, units) -> take(first, units, (from, bytes) -> units.put(content, from, bytes)))
        .whenComplete(this::end);
  }

  /** Returns the violations that were seen. */
  Iterable<String> violations() {
    return violations;
  }

  @FunctionalInterface
  private interface Copy {
    void copy(int from, int bytes);
  }

  private void take(int first, ByteBuffer units, Copy copy) throws IOException {
    check(inCall.compareAndSet(false, true), "called by two threads");
    check(!over, "called after the end");
    check(first == nextUnit, "called with unit " + first + " instead of " + nextUnit);
    step.before(first);
    int bytes = units.remaining();
    check(bytes > 0 && bytes % batch.unitBytes() == 0, "called with " + bytes + " bytes");
    nextUnit = first + bytes / batch.unitBytes();
    copy.copy(first * batch.unitBytes(), bytes);
    inCall.set(false);
  }

  private void end(@Nullable Void done, @Nullable Throwable failure) {
    over = true;
    check(failure != null || nextUnit == batch.units(), "ended after unit " + nextUnit);
  }

  private void check(boolean holds, String otherwise) {
    if (!holds) {
      violations.add(otherwise);
    }
  }
}
