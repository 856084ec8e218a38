package io.github.roram.journal;

import io.github.roram.IntegrityException;
import io.github.roram.checkpoint.RecordId;
import io.github.roram.cipher.EpochSalts;
import java.util.UUID;

/**
 * Chains the generations of a journal, and chains the journal to the saved state that it follows.
 * The records of a generation are chained to each other by their tags.
 *
 * <p>The first record of each generation is its START. It contains the random id of the state that
 * is saved with the generation, the salt of the key epoch in which the client began its journal,
 * and the link: the number of records and the last tag of the previous generation. A finished
 * generation has at least a START, so the link always refers to the generation just before. START
 * is written with the first record that follows it, or when the generation is finished: logs are
 * prepared ahead, and one that is not used stays empty.
 *
 * <p>A generation has no link if the client's state does not follow from the previous journal, or
 * if that journal may not be durable: when a client begins, when the journal failed, after a bulk
 * load. Then nothing is recorded before the generation's state is saved. A client that has
 * recovered from a journal which is durable as it was read continues it in a new generation.
 *
 * <p>Recovery accepts:
 *
 * <ul>
 *   <li>The generation that the saved state names, if its START contains this state's id. Its link
 *       is ignored: the state contains everything before.
 *   <li>Any later generation, if its START contains a link, and that link is where the previous
 *       generation ended in this replay.
 *   <li>After a generation without records, no generation with records.
 *   <li>Each only if the client drew the epoch salt in its START.
 * </ul>
 *
 * <h2>Security</h2>
 *
 * An adversary who writes to the vault cannot cut, drop or exchange records before the last one, in
 * whichever generation they are; nor use a generation of another store, of another life of this
 * client (one that was restored from copies draws other salts), or of another state. An older state
 * is accepted together with the complete journal since, which yields the same as the newest state.
 * Only the end, records that no others follow, can be cut without a trace here. The store's
 * watermark reveals that.
 */
public final class JournalChain {

  /**
   * The end of a generation, which the next one names in its first record.
   *
   * @param generation the generation
   * @param records its number of records
   * @param tagHigh first half of its last record's tag
   * @param tagLow second half
   */
  public record Link(long generation, long records, long tagHigh, long tagLow) {

    /** No link: the generation can only follow the state that was saved with it. */
    public static final Link NONE = new Link(-1, 0, 0, 0);
  }

  /**
   * The first record of a generation, which says what the generation belongs to.
   *
   * @param epoch the key epoch in which the client began to keep this journal
   * @param epochSalt the salt of that epoch, which no other life of the client drew
   * @param state id of the state that was saved with this generation, or was to be
   * @param before the end of the generation before, or {@link Link#NONE}
   */
  record Start(int epoch, UUID epochSalt, RecordId state, Link before) {}

  private final UUID storeId;
  private final long first;
  private final RecordId state;
  private final EpochSalts salts;

  /** The end of the generation that was replayed last. */
  private Link end = Link.NONE;

  /** The end of the last generation that has records. */
  private Link recorded = Link.NONE;

  /** The end of the last record. */
  private JournalPosition position;

  /**
   * Creates the chain that follows a saved state.
   *
   * @param storeId the store, for messages
   * @param first the generation that the state names
   * @param state the state's id
   * @param salts salts of the client's epochs
   */
  public JournalChain(UUID storeId, long first, RecordId state, EpochSalts salts) {
    this.storeId = storeId;
    this.first = first;
    this.state = state;
    this.salts = salts;
    position = new JournalPosition(first, 0);
  }

  /**
   * Returns the end of the last record that was replayed; the start of the first generation if none
   * was.
   */
  public JournalPosition position() {
    return position;
  }

  /** Returns the end of the last generation with records; {@link Link#NONE} if none has any. */
  public Link recorded() {
    return recorded;
  }

  UUID storeId() {
    return storeId;
  }

  long first() {
    return first;
  }

  /**
   * Begins a generation.
   *
   * @throws IntegrityException if the generation is not the next one of the chain
   */
  void begin(long generation, Start start) {
    if (!salts.id(start.epoch()).equals(start.epochSalt())) {
      throw broken(generation, "was kept by another life of the client, in epoch " + start.epoch());
    }
    if (generation == first) {
      if (!start.state().equals(state)) {
        throw broken(generation, "does not follow the saved state, but another one");
      }
    } else if (start.before().equals(Link.NONE)) {
      throw broken(generation, "follows a newer state than the saved one");
    } else if (!start.before().equals(end)) {
      throw broken(
          generation,
          "follows "
              + start.before().records()
              + " records of journal "
              + start.before().generation()
              + "; there are "
              + end.records()
              + " of journal "
              + end.generation()
              + (start.before().records() == end.records() ? ", others" : ""));
    }
  }

  /** Ends the replay of a generation, whose last record ends after {@code bytes} bytes. */
  void ended(Link generationEnd, long bytes) {
    end = generationEnd;
    if (generationEnd.records() > 0) {
      recorded = generationEnd;
      position = new JournalPosition(generationEnd.generation(), bytes);
    }
  }

  private IntegrityException broken(long generation, String what) {
    return new IntegrityException(
        "journal "
            + generation
            + " of store "
            + storeId
            + " "
            + what
            + ": the client's records were exchanged, rolled back or cut; restore the newest ones"
            + " together, nothing was changed");
  }
}
