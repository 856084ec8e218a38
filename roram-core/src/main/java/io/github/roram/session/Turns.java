package io.github.roram.session;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs the turns of an ORAM, one after another in their order, and says which may wait for the
 * store or the disk.
 */
interface Turns extends Executor {

  /** Has a turn run that is short, on this thread if others are as short. */
  default void executeHere(Runnable turn) {
    execute(turn);
  }

  /** Returns whether the turn that runs may wait. */
  boolean mayWait();

  /** Has a turn run that may wait. */
  void later(Runnable turn);

  /** Looks at something once all was done that can be done now. */
  <T> T look(Supplier<T> view);

  /**
   * Makes a sync, outside of any turn.
   *
   * @param nobodyElse whether nobody waits for turns meanwhile
   */
  void sync(Runnable sync, boolean nobodyElse);

  /**
   * Turns of an executor, each of which may wait: nobody is held up by that, as with a clock that
   * stands still while something is done.
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
