package io.github.roram.auditor.workload;

import java.io.IOException;

/**
 * Whether a client lives. It stands between a client, one of whose threads works at a time, and its
 * store and vault: once he is dead nothing passes any more, so what another client then finds there
 * stays as it is.
 */
final class Lifeline {

  private static final long NEVER = Long.MAX_VALUE;

  /** What a dead client is told. */
  static final class Dead extends IOException {
    private static final long serialVersionUID = 1L;

    Dead() {
      super("the client was killed");
    }
  }

  private boolean dead;
  private long callsLeft = NEVER;

  /** Kills the client at the call after the next {@code calls}. */
  synchronized void killAfter(int calls) {
    callsLeft = calls;
  }

  /** Kills the client. */
  synchronized void kill() {
    dead = true;
  }

  synchronized boolean isDead() {
    return dead;
  }

  /**
   * A call of the client is about to pass.
   *
   * @throws Dead if he is
   */
  synchronized void check() throws Dead {
    if (callsLeft-- == 0) {
      kill();
    }
    if (dead) {
      throw new Dead();
    }
  }
}
