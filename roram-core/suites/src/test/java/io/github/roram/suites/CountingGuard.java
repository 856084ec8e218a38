package io.github.roram.suites;

import io.github.roram.store.RollbackGuard;

/** A rollback guard in memory. Thread safety: safe. */
public final class CountingGuard implements RollbackGuard {

  private long value;

  /** Creates a guard at 0. */
  public CountingGuard() {}

  /** Creates a guard that was raised before. */
  public CountingGuard(long value) {
    this.value = value;
  }

  @Override
  public synchronized long read() {
    return value;
  }

  @Override
  public synchronized void advanceTo(long newest) {
    value = Math.max(value, newest);
  }
}
