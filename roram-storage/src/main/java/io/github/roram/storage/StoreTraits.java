package io.github.roram.storage;

import io.github.roram.ConfigurationException;

/**
 * What is good to know of a store before it is used: of its medium, not of what it holds.
 *
 * @param granuleBytes writes that do not start and end at multiples of so many bytes make the store
 *     or its medium read first, at least 1
 * @param writes how bytes that were written are written again
 * @param atomicBytes longest aligned write that a crash leaves undone or whole; 1 if the store
 *     promises nothing
 * @param requests how many requests are worth having under way at the same time, at least 1
 * @param cost what each request costs besides its bytes
 * @param readsSeen whether reads leave this machine, so that an adversary sees each of them. Where
 *     they do not, the store's content between two accesses does not show them, but an observer of
 *     the disk or its bus sees them
 * @param lasting whether the store is there when the process that created it has ended
 */
public record StoreTraits(
    int granuleBytes,
    Writes writes,
    int atomicBytes,
    int requests,
    Cost cost,
    boolean readsSeen,
    boolean lasting) {

  /** How bytes that were written are written again. */
  public enum Writes {
    /** Where they are. */
    IN_PLACE,
    /** Elsewhere: the store collects what is no longer valid, so that rewriting has a price. */
    APPENDED
  }

  /** What a request costs besides its bytes. */
  public enum Cost {
    /** A call: there is no medium but memory. */
    CALL("a call"),
    /** An access of a disk. */
    DISK_ACCESS("a disk access"),
    /** A round trip over a network. */
    ROUND_TRIP("a round trip"),
    /** A disk moves its heads. */
    SEEK("a seek of a hard disk");

    private final String words;

    Cost(String words) {
      this.words = words;
    }

    /** With an article, for a sentence. */
    public String words() {
      return words;
    }
  }

  /**
   * Checks the numbers.
   *
   * @throws ConfigurationException naming one that is not positive
   */
  public StoreTraits {
    requirePositive("granuleBytes", granuleBytes);
    requirePositive("atomicBytes", atomicBytes);
    requirePositive("requests", requests);
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new ConfigurationException(
          "the trait " + name + " of a store is " + value + ", must be at least 1");
    }
  }
}
