package io.github.roram.state;

import io.github.roram.IntegrityException;
import io.github.roram.StaleRecordsException;
import io.github.roram.UncleanShutdownException;
import java.util.UUID;

/** Describes errors of a client's records, and their remedies. */
final class RecordErrors {

  private RecordErrors() {}

  /** Returns the exception for a change of keys that must not be completed. */
  static IntegrityException otherChangeOfKeys(UUID storeId) {
    return new IntegrityException(
        "the client's record 'rekey' is of a change of keys that ended otherwise, or after which"
            + " store "
            + storeId
            + " was used; nothing was changed. If the store opens with the new key once 'rekey'"
            + " and 'rekey-batch' are moved away, they were left over; else restore the newest of"
            + " the client's records");
  }

  /** Returns the exception for a store that was used without a journal and not closed. */
  static UncleanShutdownException notClosed(int savedEpoch, int lastEpoch) {
    return new UncleanShutdownException(
        "the client's state was saved in epoch "
            + savedEpoch
            + " but the store was used in epoch "
            + lastEpoch
            + " with durability NONE and not closed; what was written since is lost: restore"
            + " store and client state from copies made together, or create the store anew");
  }

  /** Returns the exception for records that hold less than the store witnesses. */
  static StaleRecordsException stale(UUID storeId, Watermark held, Watermark witnessed) {
    return new StaleRecordsException(
        "the client's records are older than store "
            + storeId
            + ": they hold "
            + text(held)
            + ", the store witnesses "
            + text(witnessed)
            + ". Restore the newest of the client's records; the store itself needs no restoring,"
            + " and nothing was changed");
  }

  private static String text(Watermark watermark) {
    return "save "
        + watermark.saves()
        + " and journal "
        + watermark.journal().generation()
        + " up to byte "
        + watermark.journal().bytes();
  }

  /** Returns the exception for a store that lost its watermark. */
  static IntegrityException noWatermark(UUID storeId, int found) {
    return new IntegrityException(
        "store "
            + storeId
            + " was created with a watermark of the client's records and has "
            + (found == 0 ? "none" : "none of this client's (" + found + " others)")
            + ", so it cannot be told whether these records are the newest: restore it from a copy"
            + " of the store; nothing was changed");
  }

  /** Returns the exception for records that are older than others, or than the guard says. */
  static IntegrityException rolledBack(UUID storeId, ClientRecord.Header state, long newest) {
    return new IntegrityException(
        "the client's records of store "
            + storeId
            + " were rolled back: its state is save "
            + state.number()
            + " of epoch "
            + state.epoch()
            + ", but save "
            + newest
            + " was made since; restore the newest records, or, if the rollback guard is another"
            + " store's, use the right one");
  }
}
