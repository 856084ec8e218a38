package io.github.roram.journal;

/**
 * A place in the journal of a client, across all of its generations.
 *
 * @param generation the generation
 * @param bytes number of the generation's bytes before this place
 */
public record JournalPosition(long generation, long bytes) implements Comparable<JournalPosition> {

  /** The place before everything. */
  public static final JournalPosition START = new JournalPosition(0, 0);

  @Override
  public int compareTo(JournalPosition other) {
    return generation != other.generation
        ? Long.compare(generation, other.generation)
        : Long.compare(bytes, other.bytes);
  }

  /** Returns this place, or the other one if that is further on. */
  public JournalPosition orLater(JournalPosition other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
