package io.github.roram.storage;

import io.github.roram.ConfigurationException;

/**
 * Properties of a store's medium, known without looking at the store.
 *
 * @param granuleBytes alignment of writes in bytes, at least 1: before a write that does not start
 *     and end at multiples of it, the store or its medium must read
 * @param writes how the store overwrites bytes
 * @param atomicBytes longest aligned write that is atomic in a crash, in bytes; 1 if none is
 *     guaranteed
 * @param requests how many concurrent requests are worthwhile, at least 1
 * @param cost what each request costs besides its bytes
 * @param readsSeen whether reads leave this machine, so that an adversary sees each of them. If
 *     not, the store's content does not show them, but an observer of the disk or its bus still
 *     sees them
 * @param lasting whether the store outlives the process that created it
 */
public record StoreTraits(
    int granuleBytes,
    Writes writes,
    int atomicBytes,
    int requests,
    Cost cost,
    boolean readsSeen,
    boolean lasting) {

  /** How the store overwrites bytes. */
  public enum Writes {
    /** In place. */
    IN_PLACE,
    /** Elsewhere: the store collects old versions later, so overwriting has a cost. */
    APPENDED
  }

  /** What a request costs besides its bytes. */
  public enum Cost {
    /** A call: the medium is memory. */
    CALL("a call"),
    /** An access of a disk. */
    DISK_ACCESS("a disk access"),
    /** A round trip over a network. */
    ROUND_TRIP("a round trip"),
    /** A movement of a disk's heads. */
    SEEK("a seek of a hard disk");

    private final String words;

    Cost(String words) {
      this.words = words;
    }

    /** Returns a noun with its article, for use in a sentence. */
    public String words() {
      return words;
    }
  }

  /**
   * Checks the numbers.
   *
   * @throws ConfigurationException if one is not positive
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
