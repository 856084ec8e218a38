package io.github.roram.auditor.overlap;

import io.github.roram.OramException;
import io.github.roram.auditor.judge.OverlapView;
import io.github.roram.auditor.judge.OverlapView.Asked;
import io.github.roram.auditor.judge.Seen.Extent;
import io.github.roram.auditor.workload.Provocation;
import io.github.roram.auditor.workload.Provocation.ActiveStore;
import io.github.roram.auditor.workload.Provocation.Answer;
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
import java.util.stream.IntStream;

/**
 * A store whose asynchronous requests wait until they are answered, in any order, on the thread
 * that says so. What they ask for is seen when they come. For one thread.
 */
final class AnsweredByHand extends FilterBlockStore {

  /** A request that waits; number 0 is a sync. */
  private record Held(
      CompletableFuture<Void> future, int number, int read, boolean writes, Work work) {}

  private interface Work {
    void run(boolean tampered) throws IOException;
  }

  private final OverlapView view;
  private final Provocation rule;
  private final List<Held> held = new ArrayList<>();

  /** Which reads of paths there were; one that failed is repeated. */
  private final List<List<Extent>> reads = new ArrayList<>();

  AnsweredByHand(BlockStore delegate, OverlapView view, Provocation rule) {
    super(delegate);
    this.view = view;
    this.rule = rule;
  }

  /** Returns how many wait. */
  int held() {
    return held.size();
  }

  /** Returns how many reads of paths it was asked for. */
  int reads() {
    return reads.size();
  }

  /**
   * Returns the positions of waiting requests that may be answered: all but reads of paths beyond
   * the first {@code firstReads}.
   */
  List<Integer> answerable(int firstReads) {
    return IntStream.range(0, held.size())
        .filter(place -> held.get(place).read() < firstReads)
        .boxed()
        .toList();
  }

  /** Answers one of those that wait. */
  void answer(int place) {
    Held one = held.remove(place);
    Answer how = one.number() == 0 ? Answer.HONEST : rule.next(one.writes());
    view.answered(place, one.number(), how == Answer.FAILED);
    try {
      if (how == Answer.FAILED) {
        throw new IOException("the store fails request " + one.number());
      }
      one.work().run(how == Answer.TAMPERED);
      one.future().complete(null);
    } catch (IOException | OramException e) {
      one.future().completeExceptionally(e);
    }
  }

  /** Answers at once, because a client that recovers from a failure waits for each answer. */
  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    answerAtOnce(batch);
    delegate.read(batch, sink);
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    answerAtOnce(batch);
    delegate.write(batch, source);
  }

  private void answerAtOnce(ExtentBatch batch) {
    if (rule.isActive() && batch.tree() >= 0) {
      view.answered(held.size(), asked(batch), false);
    }
  }

  private CompletableFuture<Void> hold(int number, int read, boolean writes, Work work) {
    Held one = new Held(new CompletableFuture<>(), number, read, writes, work);
    held.add(one);
    return one.future();
  }

  private int numberOfRead(ExtentBatch batch) {
    if (batch.phase() != IoPhase.READ) {
      return -1;
    }
    List<Extent> extents = Asked.of(batch, 0).extents();
    int before = reads.lastIndexOf(extents);
    if (before < 0) {
      reads.add(extents);
    }
    return before < 0 ? reads.size() - 1 : before;
  }

  private int asked(ExtentBatch batch) {
    return view.asked(Asked.of(batch, held.size()));
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
        return hold(
            asked(batch),
            numberOfRead(batch),
            false,
            tampered -> delegate.read(batch, tampered ? ActiveStore.tampered(sink) : sink));
      }

      @Override
      public CompletableFuture<Void> write(ExtentBatch batch, UnitSource source) {
        return hold(asked(batch), -1, true, tampered -> delegate.write(batch, source));
      }

      @Override
      public CompletableFuture<Void> sync() {
        view.syncAsked();
        return hold(0, -1, true, tampered -> delegate.sync());
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
