package io.github.roram.session;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs the turns of an ORAM, one after another in their order, and tells which of them may wait for
 * the store or the disk.
 */
interface Turns extends Executor {

  /** Runs a short turn, on this thread if the turns of others are as short. */
  default void executeHere(Runnable turn) {
    execute(turn);
  }

  /** Returns whether the current turn may wait. */
  boolean mayWait();

  /** Runs a turn that may wait, after the current one. */
  void later(Runnable turn);

  /** Returns a view of the state once everything that can be done now has been done. */
  <T> T look(Supplier<T> view);

  /**
   * Makes a sync, outside of any turn.
   *
   * @param nobodyElse whether no call waits for a turn in the meantime
   */
  void sync(Runnable sync, boolean nobodyElse);

  /**
   * Returns turns on an executor, each of which may wait. For executors where waiting delays
   * nobody, such as one whose clock stands still while a task runs.
   *
   * @param syncs makes the syncs
   */
  static Turns on(Executor executor, Executor syncs) {
    return new Turns() {
      @Override
      public void execute(Runnable turn) {
        executor.execute(turn);
      }

      @Override
      public boolean mayWait() {
        return true;
      }

      @Override
      public void later(Runnable turn) {
        executor.execute(turn);
      }

      @Override
      public <T> T look(Supplier<T> view) {
        return CompletableFuture.supplyAsync(view, executor).join();
      }

      @Override
      public void sync(Runnable sync, boolean nobodyElse) {
        syncs.execute(sync);
      }
    };
  }
}
