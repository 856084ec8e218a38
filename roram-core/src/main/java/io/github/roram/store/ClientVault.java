package io.github.roram.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Storage for what the trusted client must remember between two openings of a store: a few named
 * records, each replaced as a whole. The client seals records; only their sizes and the times of
 * replacement show.
 *
 * <p>Obligations: {@link #save} is atomic and durable (after a crash at any moment the old or the
 * new record is there, whole), a failed save leaves the old record, and names match {@code
 * [a-z-]+}. Thread safety: calls for different names may run at the same time; those for one name
 * are serialised by the caller.
 */
public interface ClientVault {

  /** Bytes that are copied at a time. */
  int PIECE_BYTES = 1 << 16;

  /** Writes a record's bytes. */
  @FunctionalInterface
  interface Writer {
    /** Writes everything to {@code out}, which the vault closes. */
    void writeTo(OutputStream out) throws IOException;
  }

  /** Opens a record for reading, from its start; empty if it was never saved. */
  Optional<InputStream> load(String name) throws IOException;

  /** Returns when a record was saved last, if the medium knows. */
  default Optional<Instant> savedAt(String name) throws IOException {
    return Optional.empty();
  }

  /**
   * Returns the names of all records, in no particular order, for making a copy of the vault.
   *
   * @throws UnsupportedOperationException if this vault does not know the names
   */
  default List<String> names() throws IOException {
    throw new UnsupportedOperationException(this + " does not list its records");
  }

  /** Replaces a record. */
  void save(String name, Writer writer) throws IOException;

  /**
   * Opens a log for appending at its end; creates it, durably, if it does not exist. Names match
   * {@code [a-z0-9-]+}.
   */
  AppendLog openLog(String name) throws IOException;

  /** Returns the names of all logs, in no particular order. */
  List<String> logs() throws IOException;

  /** Deletes a log; does nothing if there is none. */
  void deleteLog(String name) throws IOException;

  /** Replaces a record of another vault by this one's; does nothing if it was never saved. */
  default void copyRecord(String name, ClientVault to) throws IOException {
    Optional<InputStream> found = load(name);
    if (found.isPresent()) {
      try (InputStream in = found.get()) {
        to.save(name, in::transferTo);
      }
    }
  }

  /**
   * Replaces a log of another vault by this one's, durably. A common prefix stays in place, so an
   * interruption loses nothing that both had.
   */
  default void copyLog(String name, ClientVault to) throws IOException {
    try (AppendLog from = openLog(name);
        AppendLog other = to.openLog(name);
        InputStream in = from.read()) {
      long same = 0;
      byte[] piece = in.readNBytes(PIECE_BYTES);
      try (InputStream there = other.read()) {
        int differs = Arrays.mismatch(piece, there.readNBytes(piece.length));
        while (piece.length > 0 && differs < 0) {
          same += piece.length;
          piece = in.readNBytes(PIECE_BYTES);
          differs = Arrays.mismatch(piece, there.readNBytes(piece.length));
        }
        same += Math.max(0, differs);
        piece = Arrays.copyOfRange(piece, Math.max(0, differs), piece.length);
      }
      if (other.bytes() > same) {
        other.truncate(same);
      }
      while (piece.length > 0) {
        other.append(ByteBuffer.wrap(piece));
        piece = in.readNBytes(PIECE_BYTES);
      }
      other.sync();
    }
  }

  /**
   * Returns whether bytes appended to a log survive the death of this process before they are
   * synced, as {@link AppendLog} requires. A vault that buffers them here and sends them elsewhere
   * returns false: for it, the death of the process has the effect of a power failure.
   */
  default boolean keepsAppends() {
    return true;
  }

  /**
   * Checks that this client still has the vault.
   *
   * @param asks whether to ask the medium; if not, checks only what is known already
   * @throws IOException if another client has taken it
   */
  default void confirm(boolean asks) throws IOException {}

  /** Returns a vault that lives as long as this object: for stores in memory, and tests. */
  static ClientVault inMemory() {
    return new MemoryVault(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
  }
}
