package io.github.roram.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the trusted client keeps what it must remember between two openings of a store: a few named
 * records, each replaced as a whole. The records come sealed; only their sizes and the times of
 * replacement show.
 *
 * <p>Obligations: {@link #save} is atomic and durable (after a crash at any moment the old or the
 * new record is there, whole), a failed save leaves the old record, and names match {@code
 * [a-z-]+}. Thread safety: calls for different names may run at the same time; those for one name
 * are serialised by the caller.
 */
public interface ClientVault {

  /** Writes a record's bytes. */
  @FunctionalInterface
  interface Writer {
    /** Writes everything to {@code out}, which the vault closes. */
    void writeTo(OutputStream out) throws IOException;
  }

  /** Opens a record for reading, from its start; empty if it was never saved. */
  Optional<InputStream> load(String name) throws IOException;

  /** When a record was saved last, where the medium knows. */
  default Optional<Instant> savedAt(String name) throws IOException {
    return Optional.empty();
  }

  /** Replaces a record. */
  void save(String name, Writer writer) throws IOException;

  /**
   * Opens a log for appending, at its end; creates it, durably, if there is none. Names match
   * {@code [a-z0-9-]+}.
   */
  AppendLog openLog(String name) throws IOException;

  /** Names of all logs, in no particular order. */
  List<String> logs() throws IOException;

  /** Deletes a log; nothing if there is none. */
  void deleteLog(String name) throws IOException;

  /** A vault that lives as long as this object: for stores in memory, and tests. */
  static ClientVault inMemory() {
    return new MemoryVault(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
  }
}
