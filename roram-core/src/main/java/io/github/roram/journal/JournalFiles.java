package io.github.roram.journal;

import io.github.roram.IntegrityException;
import io.github.roram.RecoveryReport;
import io.github.roram.UncleanShutdownException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.UUID;

/** The generations of a journal in the client's vault: recovery reads them all, in order. */
public final class JournalFiles {

  private JournalFiles() {}

  /**
   * Replays all generations of a chain. After a torn generation, only generations without records
   * may follow: those that were started for a checkpoint which was then not made.
   *
   * @throws UncleanShutdownException if a generation is missing
   * @throws IntegrityException if one is damaged, of another store, or not the next of the chain
   */
  public static RecoveryReport replay(
      ClientVault vault, MasterKey master, JournalChain chain, JournalReplay replay)
      throws IOException {
    UUID storeId = chain.storeId();
    long first = chain.first();
    long last = lastGeneration(vault, storeId, first);
    long[] counts = new long[2];
    long torn = 0;
    for (long generation = first; generation <= last; generation++) {
      try (AppendLog log = vault.openLog(JournalDescriptor.logName(generation));
          JournalReader reader = new JournalReader(log, storeId, generation)) {
        if (torn > 0 && reader.holdsRecords(master)) {
          throw new IntegrityException(
              "a journal before journal "
                  + generation
                  + " of store "
                  + storeId
                  + " ends in the middle of a record; restore it from a copy");
        }
        long current = generation;
        reader.replay(
            master,
            record -> {
              if (reader.records() == 0) {
                chain.begin(current, JournalRecord.readStart(record));
              } else {
                byte kind = JournalRecord.replay(record, replay);
                counts[0] += kind == JournalRecord.ACCESS ? 1 : 0;
                counts[1] += kind == JournalRecord.COMMIT ? 1 : 0;
              }
            });
        chain.ended(reader.end(), reader.endBytes());
        torn += reader.tornBytes();
      }
    }
    return new RecoveryReport((int) (last - first + 1), counts[0], counts[1], torn, false);
  }

  /** Returns the last of the generations from {@code first} on, none of which may be missing. */
  private static long lastGeneration(ClientVault vault, UUID storeId, long first)
      throws IOException {
    NavigableSet<Long> generations = generations(vault);
    long last = generations.isEmpty() ? first : Math.max(first, generations.last());
    for (long generation = first; generation <= last; generation++) {
      if (!generations.contains(generation)) {
        throw new UncleanShutdownException(
            "journal "
                + generation
                + " of store "
                + storeId
                + " is missing, and the store was not closed:"
                + " what was written since the last checkpoint is in that journal; restore it from"
                + " a copy");
      }
    }
    return last;
  }

  /**
   * Deletes all generations from {@code generation} on, the last one first, so that none is ever
   * missing in between.
   */
  public static void deleteFrom(ClientVault vault, long generation) throws IOException {
    for (long later : generations(vault).descendingSet()) {
      if (later >= generation) {
        vault.deleteLog(JournalDescriptor.logName(later));
      }
    }
  }

  /** Deletes all generations before {@code generation}. */
  public static void deleteBefore(ClientVault vault, long generation) throws IOException {
    for (long old : generations(vault)) {
      if (old < generation) {
        vault.deleteLog(JournalDescriptor.logName(old));
      }
    }
  }

  /** Makes all that was appended to any generation durable. */
  public static void sync(ClientVault vault) throws IOException {
    for (long generation : generations(vault)) {
      try (AppendLog log = vault.openLog(JournalDescriptor.logName(generation))) {
        log.sync();
      }
    }
  }

  private static NavigableSet<Long> generations(ClientVault vault) throws IOException {
    NavigableSet<Long> generations = new TreeSet<>();
    for (String name : vault.logs()) {
      long generation = JournalDescriptor.generationOf(name);
      if (generation >= 0) {
        generations.add(generation);
      }
    }
    return generations;
  }
}
