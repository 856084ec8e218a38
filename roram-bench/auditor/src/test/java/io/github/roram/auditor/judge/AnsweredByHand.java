package io.github.roram.auditor.judge;

import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A store whose asynchronous requests wait until they are answered, in any order, on the thread
 * that says so. What they ask for is remembered.
 */
final class AnsweredByHand extends FilterBlockStore {

  /** What is seen of a request when it comes. */
  record Asked(IoPhase phase, int tree, List<long[]> extents, int waiting) {}

  private record Held(CompletableFuture<Void> future, Work work) {}

  private interface Work {
    void run() throws IOException;
  }

  private final List<Asked> asked = new ArrayList<>();
  private final List<Held> held = new ArrayList<>();

  AnsweredByHand(BlockStore delegate) {
    super(delegate);
  }

  List<Asked> asked() {
    return asked;
  }

  int held() {
    return held.size();
  }

  /** Answers one of those that wait. */
  void answer(int number) {
    Held one = held.remove(number);
    try {
      one.work().run();
      one.future().complete(null);
    } catch (IOException e) {
      one.future().completeExceptionally(e);
    }
  }

  private CompletableFuture<Void> hold(Work work) {
    Held one = new Held(new CompletableFuture<>(), work);
    held.add(one);
    return one.future();
  }

  private void remember(ExtentBatch batch) {
    List<long[]> extents = new ArrayList<>();
    for (int i = 0; i < batch.extents(); i++) {
      extents.add(new long[] {batch.offset(i), batch.bytes(i)});
    }
    asked.add(new Asked(batch.phase(), batch.tree(), extents, held.size()));
  }

  @Override
  public AsyncBlockStore async(int requests) {
    return new AsyncBlockStore() {
      @Override
      public long capacityBytes() {
        return delegate.capacityBytes();
      }

      @Override
      public CompletableFuture<Void> read(ExtentBatch batch, UnitSink sink) {
        remember(batch);
        return hold(() -> delegate.read(batch, sink));
      }

      @Override
      public CompletableFuture<Void> write(ExtentBatch batch, UnitSource source) {
        remember(batch);
        return hold(() -> delegate.write(batch, source));
      }

      @Override
      public CompletableFuture<Void> sync() {
        return hold(delegate::sync);
      }

      @Override
      public void close() {
        held.forEach(
            one -> one.future().completeExceptionally(new CompletionException("closed", null)));
        held.clear();
      }
    };
  }
}
