package io.github.roram.journal;

import io.github.roram.IntegrityException;
import io.github.roram.RecoveryReport;
import io.github.roram.UncleanShutdownException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.UUID;

/** The generations of a journal in the client's vault. */
public final class JournalFiles {

  /** Range, label that is read, fresh label. */
  private static final int RUN_BYTES = 3 * Integer.BYTES;

  private JournalFiles() {}

  /**
   * Replays all generations of a chain. After one that is torn, only generations without records
   * may follow: those that were started for a checkpoint which was then not made.
   *
   * @throws UncleanShutdownException if one is missing
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
                chain.begin(current, start(record));
              } else {
                apply(record, replay, counts);
              }
            });
        chain.ended(reader.end());
        torn += reader.tornBytes();
      }
    }
    return new RecoveryReport((int) (last - first + 1), counts[0], counts[1], torn, false);
  }

  /** The last of the generations from {@code first} on, none of which may be missing. */
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

  private static JournalStart start(DataInputStream record) throws IOException {
    try {
      byte kind = record.readByte();
      if (kind != JournalRecord.START) {
        throw new IntegrityException("a journal begins with a record of kind " + kind);
      }
      return JournalStart.readFrom(record);
    } catch (EOFException e) {
      throw tooShort(e);
    }
  }

  private static IntegrityException tooShort(EOFException cause) {
    return new IntegrityException("a journal record ends too early", cause);
  }

  private static void apply(DataInputStream record, JournalReplay replay, long[] counts)
      throws IOException {
    try {
      byte kind = record.readByte();
      int tree = record.readInt();
      switch (kind) {
        case JournalRecord.INTENT -> intent(record, tree, replay);
        case JournalRecord.ACCESS -> {
          access(record, tree, replay);
          counts[0]++;
        }
        case JournalRecord.COMMIT -> {
          commit(record, tree, replay);
          counts[1]++;
        }
        default ->
            throw new IntegrityException(
                "the journal has a record of kind " + kind + " where none may be");
      }
    } catch (EOFException e) {
      throw tooShort(e);
    }
  }

  private static void intent(DataInputStream record, int tree, JournalReplay replay)
      throws IOException {
    int runs = record.readInt();
    if (runs < 1 || runs > record.available() / RUN_BYTES) {
      throw new IntegrityException(
          "a journal record has " + record.available() + " bytes for " + runs + " runs of labels");
    }
    int[] ranges = new int[runs];
    int[] labels = new int[runs];
    int[] fresh = new int[runs];
    for (int i = 0; i < runs; i++) {
      ranges[i] = record.readInt();
      labels[i] = record.readInt();
      fresh[i] = record.readInt();
    }
    replay.intent(tree, ranges, labels, fresh);
  }

  private static void access(DataInputStream record, int tree, JournalReplay replay)
      throws IOException {
    replay.complete(tree);
    for (int i = count(record); i > 0; i--) {
      replay.arrived(tree, record.readInt(), record);
    }
    for (int i = count(record); i > 0; i--) {
      replay.written(record.readInt(), record);
    }
  }

  private static void commit(DataInputStream record, int tree, JournalReplay replay)
      throws IOException {
    replay.evicted(tree, record.readInt(), record.readInt());
    for (int i = count(record); i > 0; i--) {
      replay.left(tree, record.readInt());
    }
  }

  /** A number of blocks, each of which takes its address at least. */
  private static int count(DataInputStream record) throws IOException {
    int count = record.readInt();
    if (count < 0 || count > record.available() / Integer.BYTES) {
      throw new IntegrityException(
          "a journal record has " + record.available() + " bytes for " + count + " blocks");
    }
    return count;
  }

  /** Deletes all generations from one on. */
  public static void deleteFrom(ClientVault vault, long generation) throws IOException {
    for (long later : generations(vault)) {
      if (later >= generation) {
        vault.deleteLog(JournalDescriptor.logName(later));
      }
    }
  }

  /** Deletes all generations before one. */
  public static void deleteBefore(ClientVault vault, long generation) throws IOException {
    for (long old : generations(vault)) {
      if (old < generation) {
        vault.deleteLog(JournalDescriptor.logName(old));
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
