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
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** The generations of a journal in the client's vault. */
public final class JournalFiles {

  private JournalFiles() {}

  /**
   * Replays all generations from {@code first} on. Only the last may have a torn end.
   *
   * @throws UncleanShutdownException if the first one is missing
   * @throws IntegrityException if one is damaged, or of another store
   */
  public static RecoveryReport replay(
      ClientVault vault, MasterKey master, UUID storeId, long first, JournalReplay replay)
      throws IOException {
    Set<Long> generations = generations(vault);
    if (!generations.contains(first)) {
      throw new UncleanShutdownException(
          "journal "
              + first
              + " of store "
              + storeId
              + " is missing, and the store was not closed:"
              + " what was written since the last checkpoint is in that journal; restore it from a copy");
    }
    long[] counts = new long[2];
    long torn = 0;
    int replayed = 0;
    for (long generation = first; generations.contains(generation); generation++) {
      if (torn > 0) {
        throw new IntegrityException(
            "journal "
                + (generation - 1)
                + " of store "
                + storeId
                + " ends in the middle of a record"
                + " although journal "
                + generation
                + " follows it; restore it from a copy");
      }
      try (AppendLog log = vault.openLog(JournalDescriptor.logName(generation))) {
        JournalReader reader = JournalReader.of(log, storeId, generation);
        reader.replay(master, record -> apply(record, replay, counts));
        torn = reader.tornBytes();
      }
      replayed++;
    }
    return new RecoveryReport(replayed, counts[0], counts[1], torn, false);
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
                "the journal has a record of kind " + kind + "; use a newer version of roram");
      }
    } catch (EOFException e) {
      throw new IntegrityException("a journal record ends too early", e);
    }
  }

  private static void intent(DataInputStream record, int tree, JournalReplay replay)
      throws IOException {
    int runs = record.readInt();
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
    for (int i = record.readInt(); i > 0; i--) {
      replay.arrived(tree, record.readInt(), record);
    }
    for (int i = record.readInt(); i > 0; i--) {
      replay.written(record.readInt(), record);
    }
  }

  private static void commit(DataInputStream record, int tree, JournalReplay replay)
      throws IOException {
    replay.evicted(tree, record.readInt(), record.readInt());
    for (int i = record.readInt(); i > 0; i--) {
      replay.left(tree, record.readInt());
    }
  }

  /** Cuts the torn end off a generation, durably. */
  public static void cut(ClientVault vault, long generation, long tornBytes) throws IOException {
    if (tornBytes > 0) {
      try (AppendLog log = vault.openLog(JournalDescriptor.logName(generation))) {
        log.truncate(log.bytes() - tornBytes);
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

  private static Set<Long> generations(ClientVault vault) throws IOException {
    Set<Long> generations = new TreeSet<>();
    for (String name : vault.logs()) {
      long generation = JournalDescriptor.generationOf(name);
      if (generation >= 0) {
        generations.add(generation);
      }
    }
    return generations;
  }
}
