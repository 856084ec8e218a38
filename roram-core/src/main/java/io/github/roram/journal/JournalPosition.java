package io.github.roram.journal;

/**
 * A place in the journal of a client, over all of its generations.
 *
 * @param generation the generation
 * @param bytes how many of its first bytes
 */
public record JournalPosition(long generation, long bytes) implements Comparable<JournalPosition> {

  /** Before everything. */
  public static final JournalPosition START = new JournalPosition(0, 0);

  @Override
  public int compareTo(JournalPosition other) {
    return generation != other.generation
        ? Long.compare(generation, other.generation)
        : Long.compare(bytes, other.bytes);
  }

  /** This place, or the other if that is further on. */
  public JournalPosition orLater(JournalPosition other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
