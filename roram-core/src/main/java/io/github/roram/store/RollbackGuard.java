package io.github.roram.store;

import java.io.IOException;

/**
 * A number that only grows, kept where nobody who can replace the client's vault can turn it back:
 * a file on another disk, a trusted platform module, a service. With it the client notices that its
 * own records and the store were replaced by older ones together; without it nothing can (see
 * docs/threat-model.md).
 *
 * <p>Obligations: what {@link #advanceTo} returned after is durable, and {@link #read} never
 * returns less than that. One guard serves one store. Thread safety: calls are serialised by the
 * caller.
 */
public interface RollbackGuard {

  /** Guards nothing. */
  RollbackGuard NONE =
      new RollbackGuard() {
        @Override
        public long read() {
          return 0;
        }

        @Override
        public void advanceTo(long value) {}
      };

  /** The highest number that was ever reached; 0 before the first. */
  long read() throws IOException;

  /**
   * Raises the number durably; nothing if it is as high already. Called once with each key epoch
   * and each checkpoint, after the client's record is durable: a crash in between leaves the record
   * ahead, which is no rollback.
   */
  void advanceTo(long value) throws IOException;
}
