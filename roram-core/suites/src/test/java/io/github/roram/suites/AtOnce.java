package io.github.roram.suites;

import io.github.roram.threads.OwnedThreads;
import java.util.concurrent.Executor;

/**
 * Has a store of objects delete on the thread that asks for it, so that a run can be repeated, and
 * nothing is left to be done when it returns.
 */
public final class AtOnce extends OwnedThreads {

  @Override
  public Executor serial(String name) {
    return Runnable::run;
  }
}
