package io.github.roram.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.roram.IntegrityException;
import io.github.roram.engine.StoreLog;
import io.github.roram.store.BlockStore;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a backup: files of consecutive units of a log, named by what they are, and never
 * changed. A unit is written once in a key epoch of one client, so a name has one content: whatever
 * has it is taken over, by the next point or after an attempt that was broken off. The units are
 * followed by a code over name and units.
 */
final class BackupPieces {

  private static final int REQUEST_BYTES = 4 << 20;
  private static final Pattern NAME =
      Pattern.compile("([a-z0-9-]+)_(\\d+)-(\\d+)_(\\d+)-([0-9a-f-]{36})");

  private final BackupPlace backups;
  private final long mostBytes;

  /**
   * Pieces of the backups in a place.
   *
   * @param mostBytes of units in one
   */
  BackupPieces(BackupPlace backups, long mostBytes) {
    this.backups = backups;
    this.mostBytes = mostBytes;
  }

  /**
   * A file.
   *
   * @param log its name
   * @param first the first unit
   * @param end behind the last one
   * @param epoch that sealed all of them
   * @param life the epoch's own name
   */
  record Piece(String log, long first, long end, int epoch, UUID life) {

    /** Returns the piece of a name; none if it is not the name that a piece has. */
    static @Nullable Piece of(String name) {
      Matcher matcher = NAME.matcher(name);
      if (!matcher.matches()) {
        return null;
      }
      try {
        Piece piece =
            new Piece(
                matcher.group(1),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3)),
                Integer.parseInt(matcher.group(4)),
                UUID.fromString(matcher.group(5)));
        return piece.name().equals(name) ? piece : null;
      } catch (IllegalArgumentException e) {
        return null;
      }
    }

    /** Returns a part of it, as a piece. */
    Piece cut(long from, long to) {
      return new Piece(log, from, to, epoch, life);
    }

    String name() {
      return log + "_" + first + "-" + end + "_" + epoch + "-" + life;
    }
  }

  /** Returns what there is, whole. */
  List<Piece> present() throws IOException {
    return backups.pieces().stream().map(Piece::of).filter(Objects::nonNull).toList();
  }

  /**
   * Returns the pieces that hold a log, in its order: those that are there, and for what is between
   * them those that are to be copied.
   *
   * @param names of the epochs
   * @param missing gets the latter
   */
  List<Piece> cover(
      StoreLog log, IntFunction<UUID> names, List<Piece> present, List<Piece> missing) {
    List<Piece> covering = new ArrayList<>();
    long most = Math.max(1, mostBytes / log.unitBytes());
    for (StoreLog.Span span : log.spans()) {
      UUID life = names.apply(span.epoch());
      List<Piece> own =
          present.stream()
              .filter(p -> p.log().equals(log.name()) && p.life().equals(life))
              .sorted(Comparator.comparingLong(Piece::first))
              .toList();
      int seen = 0;
      Piece furthest = null;
      long next = span.first();
      while (next < span.end()) {
        for (; seen < own.size() && own.get(seen).first() <= next; seen++) {
          if (furthest == null || own.get(seen).end() > furthest.end()) {
            furthest = own.get(seen);
          }
        }
        Piece covered = furthest;
        if (covered == null || covered.end() <= next) {
          long until = seen < own.size() ? own.get(seen).first() : Long.MAX_VALUE;
          long end = Math.min(Math.min(until, span.end()), next + most);
          covered = new Piece(log.name(), next, end, span.epoch(), life);
          missing.add(covered);
        }
        covering.add(covered);
        next = covered.end();
      }
    }
    return covering;
  }

  /** Reads units that are to be copied. */
  @FunctionalInterface
  interface Source {
    /** Reads consecutive ones into an array of that size or more. */
    void read(long first, long end, byte[] units) throws IOException;
  }

  /** Copies units into a piece, which is durable when this returns. */
  void copy(Piece piece, StoreLog log, BackupKey key, Source source) throws IOException {
    int most = Math.max(1, REQUEST_BYTES / log.unitBytes());
    byte[] buffer = new byte[(int) Math.min(most, piece.end() - piece.first()) * log.unitBytes()];
    Mac mac = key.mac();
    mac.update(piece.name().getBytes(UTF_8));
    backups.write(
        BackupPlace.PIECES + piece.name(),
        out -> {
          for (long first = piece.first(); first < piece.end(); first += most) {
            long end = Math.min(piece.end(), first + most);
            source.read(first, end, buffer);
            int bytes = (int) (end - first) * log.unitBytes();
            mac.update(buffer, 0, bytes);
            out.write(buffer, 0, bytes);
          }
          out.write(mac.doFinal());
        });
  }

  /** Takes units of a piece. */
  @FunctionalInterface
  interface Units {
    /** Consecutive units, beginning with {@code first}. */
    void accept(long first, int count, byte[] units) throws IOException;
  }

  /**
   * Reads a piece.
   *
   * @throws IntegrityException if it is missing, or not as it was made; what was read before is not
   *     to be used
   */
  void read(String name, StoreLog log, BackupKey key, Units sink) throws IOException {
    Piece piece = Piece.of(name);
    if (piece == null) {
      throw new IntegrityException("'" + name + "' is no name of a piece");
    }
    int most = Math.max(1, REQUEST_BYTES / log.unitBytes());
    byte[] buffer = new byte[(int) Math.min(most, piece.end() - piece.first()) * log.unitBytes()];
    Mac mac = key.mac();
    mac.update(name.getBytes(UTF_8));
    try (InputStream file = backups.read(BackupPlace.PIECES + name);
        DataInputStream in = new DataInputStream(file)) {
      for (long first = piece.first(); first < piece.end(); first += most) {
        int count = (int) Math.min(most, piece.end() - first);
        in.readFully(buffer, 0, count * log.unitBytes());
        mac.update(buffer, 0, count * log.unitBytes());
        sink.accept(first, count, buffer);
      }
      byte[] code = in.readNBytes(BackupKey.CODE_BYTES + 1);
      if (!MessageDigest.isEqual(code, mac.doFinal())) {
        throw changed(name);
      }
    } catch (NoSuchFileException e) {
      throw new IntegrityException("piece " + name + " of the backup is missing", e);
    } catch (EOFException e) {
      throw changed(name);
    }
  }

  private static IntegrityException changed(String name) {
    return new IntegrityException(
        "piece " + name + " of the backup was changed, cut, or put in another's place");
  }

  /** Writes units of a piece to where they belong on a store. */
  static void write(BlockStore store, StoreLog log, long first, int count, byte[] units)
      throws IOException {
    // What is older than the log's first unit may lie where a newer one belongs.
    long from = Math.max(first, log.first());
    long to = Math.min(first + count, log.end());
    if (from >= to) {
      return;
    }
    int skipped = (int) (from - first) * log.unitBytes();
    store.write(
        log.extents(from, to),
        (unit, piece) -> {
          ByteBuffer source =
              ByteBuffer.wrap(units, skipped + unit * log.unitBytes(), piece.remaining());
          piece.put(source);
        });
  }
}
