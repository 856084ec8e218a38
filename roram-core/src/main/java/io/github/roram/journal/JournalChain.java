package io.github.roram.journal;

import io.github.roram.IntegrityException;
import io.github.roram.checkpoint.RecordId;
import io.github.roram.cipher.EpochSalts;
import java.util.UUID;

/**
 * Makes one journal of its generations, and that journal the one which follows the saved state. The
 * records of a generation are chained to each other by their tags; this chains the generations.
 *
 * <p>The first record of each generation is its START. It holds the random id of the state that is
 * saved with the generation, the salt of the key epoch in which the client began its journal, and
 * the link: number of records and last tag of the generation before. A generation that is left has
 * a START at least, so the link is always to the one just before. START is written with the first
 * record that follows it, or when the generation is left: logs are made ready ahead, and one that
 * is not used stays empty.
 *
 * <p>A generation has no link where the client's memory does not follow from the journal before it,
 * or that journal may not be durable: when a client begins, when the journal failed, after a bulk
 * load. Nothing is then recorded before the state that belongs to it is saved. A client that
 * recovered from a journal which is durable as it was read goes on with it, in a generation of its
 * own.
 *
 * <p>What is accepted:
 *
 * <ul>
 *   <li>The generation that the saved state names, if its START holds this state's id. Its link is
 *       not looked at: the state holds what came before.
 *   <li>Any later one, if its START holds a link, and that link is where the generation before
 *       ended in this replay.
 *   <li>After a generation without records, none with records.
 *   <li>Each only if the client drew the epoch salt that its START holds.
 * </ul>
 *
 * <h2>Security</h2>
 *
 * Who can write to the vault cannot cut, drop or exchange records before the last one, in whichever
 * generation they are; nor use a generation of another store, of another life of this client (one
 * that was restored from copies draws other salts), or of another state. An older state is accepted
 * next to the complete journal since, which yields what the newest state does. What can be cut
 * without a trace here is the end: records after which there are none. The store's watermark
 * witnesses them.
 */
public final class JournalChain {

  /**
   * Where a generation ends: what the next one names in its first record.
   *
   * @param generation the generation
   * @param records its number of records
   * @param tagHigh first half of its last record's tag
   * @param tagLow second half
   */
  public record Link(long generation, long records, long tagHigh, long tagLow) {

    /** Leads nowhere: the generation can only follow the state that was saved with it. */
    public static final Link NONE = new Link(-1, 0, 0, 0);
  }

  /**
   * What a generation belongs to: its first record.
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

  /** Where the generation that was replayed last ends. */
  private Link end = Link.NONE;

  /** Where the last generation ends that has records. */
  private Link recorded = Link.NONE;

  /** Where the last record ends. */
  private JournalPosition position;

  /**
   * The chain that follows a saved state.
   *
   * @param storeId the store, for messages
   * @param first the generation that the state names
   * @param state the state's id
   * @param salts those of the client's epochs
   */
  public JournalChain(UUID storeId, long first, RecordId state, EpochSalts salts) {
    this.storeId = storeId;
    this.first = first;
    this.state = state;
    this.salts = salts;
    position = new JournalPosition(first, 0);
  }

  /**
   * Returns where the last record that was replayed ends; before the first generation if none was.
   */
  public JournalPosition position() {
    return position;
  }

  /** Returns where the last generation with records ends; {@link Link#NONE} if none has any. */
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
   * A generation begins.
   *
   * @throws IntegrityException if it is not the next one of the chain
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

  /** A generation was replayed up to its end, after so many bytes. */
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
