package io.github.roram.store;

import java.io.IOException;

/**
 * A number that only grows, kept out of reach of anyone who can replace the client's vault: in a
 * file on another disk, a trusted platform module, a service. It lets the client detect that its
 * own records and the store were together replaced by older ones; nothing else can (see
 * docs/threat-model.md).
 *
 * <p>Obligations: when {@link #advanceTo} returns, the number is durable, and {@link #read} never
 * returns less. One guard serves one store. Thread safety: calls are serialised by the caller.
 */
public interface RollbackGuard {

  /** A guard that detects nothing. */
  RollbackGuard NONE =
      new RollbackGuard() {
        @Override
        public long read() {
          return 0;
        }

        @Override
        public void advanceTo(long value) {}
      };

  /** Returns the highest number that was ever reached; 0 before the first. */
  long read() throws IOException;

  /**
   * Raises the number durably; does nothing if it is as high already. Called once per key epoch and
   * per checkpoint, after the client's record is durable: a crash in between leaves the record
   * ahead, which does not count as a rollback.
   */
  void advanceTo(long value) throws IOException;
}
