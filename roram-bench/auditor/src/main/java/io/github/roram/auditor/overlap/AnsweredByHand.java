package io.github.roram.auditor.overlap;

import io.github.roram.auditor.judge.Asked;
import io.github.roram.auditor.judge.OverlapView;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A store whose asynchronous requests wait until they are answered, in any order, on the thread
 * that says so. What they ask for is seen when they come. For one thread.
 */
final class AnsweredByHand extends FilterBlockStore {

  private record Held(CompletableFuture<Void> future, Work work) {}

  private interface Work {
    void run() throws IOException;
  }

  private final OverlapView view;
  private final List<Held> held = new ArrayList<>();

  AnsweredByHand(BlockStore delegate, OverlapView view) {
    super(delegate);
    this.view = view;
  }

  /** How many wait. */
  int held() {
    return held.size();
  }

  /** Answers one of those that wait. */
  void answer(int number) {
    view.answered(number);
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

  private CompletableFuture<Void> hold(ExtentBatch batch, Work work) {
    view.asked(Asked.of(batch, held.size()));
    return hold(work);
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
        return hold(batch, () -> delegate.read(batch, sink));
      }

      @Override
      public CompletableFuture<Void> write(ExtentBatch batch, UnitSource source) {
        return hold(batch, () -> delegate.write(batch, source));
      }

      @Override
      public CompletableFuture<Void> sync() {
        view.syncAsked();
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
