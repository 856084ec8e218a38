package io.github.roram.engine;

import io.github.roram.OverlapStats;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Accesses of an engine that overlap. An access is one read of paths or several; a read is begun,
 * which records what it shows; started, once that record is durable where it has to be; and
 * completed, the oldest first, when it has arrived. Evictions go on alongside the reads.
 *
 * <p>What the store sees is what it sees of one access after another, in another order: which order
 * follows from the sequence of accesses and from how fast the store answers.
 *
 * <p>Calls come one after another, and none waits for the store.
 */
public interface Overlap {

  /** Of an engine that makes one access after another: nothing is ever under way. */
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

    /**
     * Asks the store. A read that fails is repeated some times; what is asked for stays the same.
     */
    void start();

    /** Whether it may be completed, if it is the oldest. */
    boolean hasArrived();

    /** Why it is given up; null if it is not. */
    @Nullable Throwable failure();

    /**
     * Applies the oldest read: moves the bytes of its part of the access, and records that.
     *
     * @throws IOException if it could not be recorded; it is applied all the same
     */
    void complete() throws IOException;
  }

  /** How many reads an access takes. */
  int reads(Transfer transfer);

  /** Whether so little is owed that another read may begin. */
  boolean hasRoom();

  /**
   * Begins a read: chooses what it shows, and records it.
   *
   * @param read number of the read in its access
   * @throws IOException if it could not be recorded: {@link Engine#completePending} then makes it
   */
  Read begin(Transfer transfer, int read) throws IOException;

  /** Begins evictions that are due, as far as what is under way allows. */
  void evict();

  /** Whether evictions that are due wait until what was recorded is durable. */
  boolean awaitsDurable();

  /** Whether evictions failed: nothing more is begun until they were done otherwise. */
  boolean hasFailed();

  /** Whether the store has answered all that it was asked. */
  boolean isIdle();

  /** What was recorded so far, to be handed to {@link #durable}. */
  long[] recorded();

  /** All that was recorded then is durable now. */
  void durable(long[] recorded);

  /**
   * Forgets the reads that were begun: {@link Engine#completePending} makes them. What was read
   * ahead goes, too.
   */
  void giveUp();

  /**
   * Goes on after {@link Engine#completePending} made what was pending, and all that was recorded
   * is durable. Only when idle.
   */
  void resume() throws IOException;

  /** What is under way. */
  OverlapStats stats();

  /** Ends all requests of the store; those under way fail. Not on a thread of the store. */
  void close();
}
