package io.github.roram.engine;

import io.github.roram.OverlapStats;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Accesses of an engine that overlap. An access is one or several reads of paths. A read is begun,
 * which records what it shows; started, once that record is as durable as required; and completed,
 * the oldest first, when it has arrived. Evictions run alongside the reads.
 *
 * <p>The store sees the requests that the same accesses make one after another, in another order,
 * which depends on the sequence of accesses and on how fast the store answers.
 *
 * <p>Calls come one after another, and none waits for the store.
 */
public interface Overlap {

  /** For an engine that makes one access after another: nothing is ever in flight. */
  Overlap NONE =
      new Overlap() {
        @Override
        public int reads(Transfer transfer) {
          throw new UnsupportedOperationException("accesses do not overlap");
        }

        @Override
        public Read begin(Transfer transfer, int read) {
          throw new UnsupportedOperationException("accesses do not overlap");
        }

        @Override
        public boolean hasRoom() {
          return true;
        }

        @Override
        public void evict() {}

        @Override
        public boolean awaitsDurable() {
          return false;
        }

        @Override
        public boolean hasFailed() {
          return false;
        }

        @Override
        public boolean isIdle() {
          return true;
        }

        @Override
        public long[] recorded() {
          return new long[0];
        }

        @Override
        public void durable(long[] recorded) {}

        @Override
        public void giveUp() {}

        @Override
        public void resume() {}

        @Override
        public OverlapStats stats() {
          return OverlapStats.NONE;
        }

        @Override
        public void close() {}
      };

  /** A read of paths of an access. */
  interface Read {

    /** Sends the read to the store. A failed read is repeated unchanged, a few times. */
    void start();

    /** Returns whether the read can be completed, provided that it is the oldest. */
    boolean hasArrived();

    /** Returns why the read is given up; null if it is not. */
    @Nullable Throwable failure();

    /**
     * Applies the oldest read: moves the bytes of its part of the access, and records that.
     *
     * @throws IOException if it could not be recorded; it is applied nevertheless
     */
    void complete() throws IOException;
  }

  /** Returns how many reads an access takes. */
  int reads(Transfer transfer);

  /** Returns whether so few evictions are owed that another read may begin. */
  boolean hasRoom();

  /**
   * Begins a read: chooses what the read shows, and records that.
   *
   * @param read number of the read in its access
   * @throws IOException if it could not be recorded: {@link Engine#completePending} then makes it
   */
  Read begin(Transfer transfer, int read) throws IOException;

  /** Begins evictions that are due, as far as requests in flight allow. */
  void evict();

  /** Returns whether evictions that are due wait for records to become durable. */
  boolean awaitsDurable();

  /** Returns whether evictions failed; then nothing begins until they have been made otherwise. */
  boolean hasFailed();

  /** Returns whether the store has answered all requests. */
  boolean isIdle();

  /** Returns a mark of the records so far, for {@link #durable}. */
  long[] recorded();

  /** Called when all records up to a mark are durable. */
  void durable(long[] recorded);

  /**
   * Forgets the reads that have begun, which {@link Engine#completePending} then makes, and
   * everything that was read ahead.
   */
  void giveUp();

  /**
   * Continues after {@link Engine#completePending} made the pending reads, and all records are
   * durable. Only when idle.
   */
  void resume() throws IOException;

  /** Returns what is in flight. */
  OverlapStats stats();

  /** Ends all requests; those in flight fail. Not to be called on a thread of the store. */
  void close();
}
