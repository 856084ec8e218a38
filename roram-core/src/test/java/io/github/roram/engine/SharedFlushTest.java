package io.github.roram.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class SharedFlushTest {

  private final Deque<CompletableFuture<Void>> begun = new ArrayDeque<>();
  private boolean failing;

  private final SharedFlush flush =
      new SharedFlush(
          () -> {
            if (failing) {
              throw new IllegalStateException("injected");
            }
            CompletableFuture<Void> next = new CompletableFuture<>();
            begun.add(next);
            return next;
          });

  @Test
  void thoseThatAreAskedForMeanwhileShareTheNext() {
    CompletableFuture<Void> first = flush.ask();
    CompletableFuture<Void> second = flush.ask();
    CompletableFuture<Void> third = flush.ask();
    begun.remove().complete(null);
    assertThat(first).isCompleted();
    assertThat(second).isNotDone();
    begun.remove().complete(null);
    assertThat(second).isCompleted();
    assertThat(third).isCompleted();
    assertThat(begun).isEmpty();
  }

  @Test
  void oneThatCannotBeBegunFailsForAllWhoWait() {
    failing = true;
    assertThat(flush.ask()).isCompletedExceptionally();
    failing = false;
    CompletableFuture<Void> next = flush.ask();
    begun.remove().complete(null);
    assertThat(next).isCompleted();
  }
}
