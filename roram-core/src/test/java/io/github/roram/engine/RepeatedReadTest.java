package io.github.roram.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class RepeatedReadTest {

  private int changes;

  private final class Arriving extends RepeatedRead {
    Arriving() {
      super(Runnable::run, () -> changes++);
    }

    @Override
    public void start() {
      ask();
    }

    @Override
    protected CompletableFuture<Void> request() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    protected void answered(boolean isKept) {
      throw new IllegalStateException("injected");
    }

    @Override
    public void complete() {
      throw new AssertionError("completed");
    }
  }

  @Test
  void oneThatCannotBeKeptHasFailed() {
    Arriving read = new Arriving();
    read.start();
    assertThat(read.failure()).hasMessage("injected");
    assertThat(changes).isEqualTo(1);
  }
}
