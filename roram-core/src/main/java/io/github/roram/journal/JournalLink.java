package io.github.roram.journal;

/**
 * Where a generation of the journal ends: what the next one names in its first record.
 *
 * @param generation the generation
 * @param records its number of records
 * @param tagHigh first half of its last record's tag
 * @param tagLow second half
 */
public record JournalLink(long generation, long records, long tagHigh, long tagLow) {

  /** Leads nowhere: the generation can only follow the state that was saved with it. */
  public static final JournalLink NONE = new JournalLink(-1, 0, 0, 0);
}
