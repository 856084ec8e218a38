package io.github.roram;

/**
 * A limit on the memory that a client takes.
 *
 * @param bytes total bytes: 1 to 2^40
 * @param opening the options with which the store will be opened. Each access in flight takes
 *     memory; durability {@link Durability#NONE} has neither a journal nor a copy for a checkpoint;
 *     with a {@link OpenOptions#withMapDirectory directory} on the client's own disk such copies
 *     are kept there. The number of threads does not count, since it differs from machine to
 *     machine.
 * @param inObjects whether the store will keep objects: see {@link Scheme#objectMemory}
 */
public record ClientBudget(long bytes, OpenOptions opening, boolean inObjects) {

  /** Checks the bounds. */
  public ClientBudget {
    SchemeSettings.check("clientMemory", bytes, 1, 1L << 40, "give bytes of client memory");
  }

  /** A limit for a store that overwrites in place. */
  public ClientBudget(long bytes, OpenOptions opening) {
    this(bytes, opening, false);
  }

  /** Returns the budget for a store that is opened with the default options. */
  public static ClientBudget of(long bytes) {
    return new ClientBudget(bytes, OpenOptions.defaults());
  }

  /** Returns the same budget for a store of objects. */
  public ClientBudget forObjects() {
    return new ClientBudget(bytes, opening, true);
  }

  /** Returns the most accesses in flight; of no effect if the scheme makes one after another. */
  public int inFlight() {
    return opening.inFlight();
  }
}
