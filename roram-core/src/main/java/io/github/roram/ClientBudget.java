package io.github.roram;

/**
 * The most memory that a client may take.
 *
 * @param bytes in all: 1 to 2^40
 * @param opening how the store is going to be opened each time. Accesses in flight take memory
 *     each; with durability {@link Durability#NONE} there is neither a journal nor a copy for a
 *     checkpoint, and with a {@link OpenOptions#withMapDirectory directory} on the client's own
 *     disk such copies are there. The number of threads does not count: it differs by machine.
 */
public record ClientBudget(long bytes, OpenOptions opening) {

  /** Checks the bounds. */
  public ClientBudget {
    SchemeSettings.check("clientMemory", bytes, 1, 1L << 40, "give bytes of client memory");
  }

  /** Of a store that is opened with the default options. */
  public static ClientBudget of(long bytes) {
    return new ClientBudget(bytes, OpenOptions.defaults());
  }

  /**
   * Accesses that may be under way; with a scheme that makes one after another it changes nothing.
   */
  public int inFlight() {
    return opening.inFlight();
  }
}
