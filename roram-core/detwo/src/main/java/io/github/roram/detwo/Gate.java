package io.github.roram.detwo;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Opens once, whoever opens it; one thread may wait for that, and sleeps only if it takes long. */
final class Gate {

  private final BooleanSupplier isOpen = this::isOpen;
  private volatile boolean open;
  private volatile @Nullable Thread asleep;

  boolean isOpen() {
    return open;
  }

  /** Opens it; wakes who sleeps before it, and costs little if nobody does. */
  void open() {
    open = true;
    Thread waiting = asleep;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }

  /** Waits until it is open. Interrupts are kept for later. */
  void await() {
    if (!Lookout.sees(isOpen)) {
      sleep();
    }
  }

  /** Who opens sees the sleeper, or the sleeper sees that it is open. */
  private void sleep() {
    boolean interrupted = false;
    asleep = Thread.currentThread();
    while (!open) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    asleep = null;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
