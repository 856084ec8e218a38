package io.github.roram.auditor.workload;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Whether a client lives. Everything that it asks of its store and its disk passes here; once it is
 * dead nothing passes any more, on whatever thread, so what another client then finds there stays
 * as it is.
 *
 * <p>A client that is dead and buried gets no errors: its writes go nowhere, so that its object can
 * be closed and its threads end. Thread safety: safe.
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

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private volatile boolean dead;
  private volatile boolean buried;
  private volatile @Nullable Thread armedBy;
  private long callsLeft = NEVER;

  /** Kills the client at the call after the next {@code calls} that this thread makes. */
  void killAfter(int calls) {
    callsLeft = calls;
    armedBy = Thread.currentThread();
  }

  /** Kills the client, once what it has begun on other threads has ended. */
  void kill() {
    lock.writeLock().lock();
    try {
      dead = true;
    } finally {
      lock.writeLock().unlock();
    }
  }

  boolean isDead() {
    return dead;
  }

  /** From now on the dead client's object is only closed. */
  void bury() {
    buried = true;
  }

  /**
   * Begins a call. If it returns true, {@link #leave} ends it; if false, the caller does nothing
   * and returns as if it had.
   *
   * @throws Dead if the client is
   */
  @SuppressWarnings("LockNotBeforeTry") // leave() releases it
  boolean enter() throws Dead {
    if (Thread.currentThread() == armedBy && lock.getReadHoldCount() == 0 && callsLeft-- == 0) {
      kill();
    }
    lock.readLock().lock();
    if (!dead) {
      return true;
    }
    lock.readLock().unlock();
    if (buried) {
      return false;
    }
    throw new Dead();
  }

  void leave() {
    lock.readLock().unlock();
  }
}
