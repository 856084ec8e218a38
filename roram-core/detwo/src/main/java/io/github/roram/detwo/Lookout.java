package io.github.roram.detwo;

import java.util.function.BooleanSupplier;

/**
 * Looking out for what another thread does within microseconds, before one sleeps: to fall asleep
 * and to be woken takes as long as refreshing a dozen pages. After a while other threads that want
 * the processor come first. Who has the only processor does not look, since nothing can happen
 * meanwhile.
 */
final class Lookout {

  /** As long as sleeping and waking a few times; less than a moment to the rest of the machine. */
  private static final long AWAKE_NANOS = 200_000;

  /** What is soon there is so by then. */
  private static final long ALONE_NANOS = 20_000;

  /** Between looks at the clock. */
  private static final int LOOKS = 16;

  private static final boolean ONE_PROCESSOR = Runtime.getRuntime().availableProcessors() == 1;

  private Lookout() {}

  /** Looks until it happens, or for a while; whether it has happened. */
  static boolean sees(BooleanSupplier event) {
    return sees(event, ONE_PROCESSOR);
  }

  /** As above; {@code alone} if nothing can happen meanwhile. */
  @SuppressWarnings("ThreadPriorityCheck") // a hint, nothing relies on it
  static boolean sees(BooleanSupplier event, boolean alone) {
    if (alone) {
      return event.getAsBoolean();
    }
    long start = System.nanoTime();
    for (long waited = 0; waited < AWAKE_NANOS; waited = System.nanoTime() - start) {
      if (waited > ALONE_NANOS) {
        Thread.yield();
      }
      for (int i = 0; i < LOOKS; i++) {
        if (event.getAsBoolean()) {
          return true;
        }
        Thread.onSpinWait();
      }
    }
    return event.getAsBoolean();
  }
}
