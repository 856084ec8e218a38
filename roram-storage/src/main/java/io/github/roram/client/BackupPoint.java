package io.github.roram.client;

import io.github.roram.IntegrityException;
import io.github.roram.engine.StoreLog;
import io.github.roram.store.PrintableText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.UUID;

/**
 * One point of a {@link Backup}: the pieces that make up the store's logs, and the digests of the
 * client's records.
 *
 * @param storeId identity of the store
 * @param uri URI of the store when the point was taken
 * @param number the point's number, from 1 on
 * @param time when the point was taken
 * @param storeBytes size of the store's address space
 * @param records SHA-256 of each record and of the superblock, by name, in hexadecimal
 * @param logs the store's logs, without their epochs, which the pieces name
 * @param pieces file names of the pieces, by log
 */
public record BackupPoint(
    UUID storeId,
    String uri,
    int number,
    Instant time,
    long storeBytes,
    Map<String, String> records,
    List<StoreLog> logs,
    Map<String, List<String>> pieces) {

  private static final String MAGIC = "roram-backup 1";
  private static final int CODE_LINE_BYTES = "code ".length() + 2 * BackupKey.CODE_BYTES + 1;

  /** Most words in a line of text, which a line of a log has; further words stay together. */
  private static final int MOST_WORDS = 8;

  /** A bound above the logs of any store, which a superblock of 4,096 bytes must describe. */
  private static final int MOST_LOGS = 4096;

  private static final int MOST_RECORDS = 16;

  /** Returns this point with other pieces. */
  BackupPoint with(Map<String, List<String>> others) {
    return new BackupPoint(storeId, uri, number, time, storeBytes, records, logs, others);
  }

  /** Returns about how much memory it takes; what is no piece may have any characters. */
  long heldBytes() {
    long bytes = 2L * uri.length();
    for (Map.Entry<String, String> each : records.entrySet()) {
      bytes += 2L * (Backup.NAME_BYTES + each.getKey().length() + each.getValue().length());
    }
    for (StoreLog log : logs) {
      bytes += 2L * (Backup.NAME_BYTES + log.name().length());
    }
    for (List<String> names : pieces.values()) {
      bytes += names.stream().mapToLong(name -> Backup.NAME_BYTES + name.length()).sum();
    }
    return bytes;
  }

  /** Returns the point as text, one item per line; the last line authenticates the others. */
  byte[] encode(BackupKey key) {
    StringBuilder text = new StringBuilder(MAGIC).append('\n');
    text.append("store ").append(storeId).append('\n');
    text.append("point ").append(number).append('\n');
    text.append("time ").append(time).append('\n');
    text.append("bytes ").append(storeBytes).append('\n');
    records.forEach((name, digest) -> text.append("record " + name + " " + digest + "\n"));
    for (StoreLog log : logs) {
      text.append("log ").append(log.name());
      text.append(' ').append(log.offset()).append(' ').append(log.places());
      text.append(' ').append(log.unitBytes());
      text.append(' ').append(log.first()).append(' ').append(log.end()).append('\n');
      for (String piece : pieces.getOrDefault(log.name(), List.of())) {
        text.append("piece ").append(piece).append('\n');
      }
    }
    text.append("uri ").append(uri.replace('\n', ' ')).append('\n');
    byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);
    byte[] code = codeLine(key.code(body));
    byte[] all = Arrays.copyOf(body, body.length + code.length);
    System.arraycopy(code, 0, all, body.length, code.length);
    return all;
  }

  private static byte[] codeLine(byte[] code) {
    return ("code " + HexFormat.of().formatHex(code) + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Returns the point in a text, which is not authenticated yet: no name or number in it may be
   * used before {@link #check}.
   *
   * @throws IntegrityException if the text is malformed
   */
  static BackupPoint decode(byte[] encoded, String place) {
    UUID storeId = new UUID(0, 0);
    String uri = "";
    int number = 0;
    Instant time = Instant.EPOCH;
    long storeBytes = 0;
    Map<String, String> records = new LinkedHashMap<>();
    List<StoreLog> logs = new ArrayList<>();
    Map<String, List<String>> pieces = new LinkedHashMap<>();
    try {
      // Line by line: all together they take many times the memory of the text.
      StringTokenizer lines =
          new StringTokenizer(new String(encoded, StandardCharsets.UTF_8), "\n");
      String magic = lines.hasMoreTokens() ? lines.nextToken() : "";
      if (!magic.equals(MAGIC)) {
        throw new IllegalArgumentException(
            "it is no point of a backup, or of another version: it begins '" + magic + "'");
      }
      while (lines.hasMoreTokens()) {
        String line = lines.nextToken();
        String[] words = line.split(" ", MOST_WORDS);
        switch (words[0]) {
          case "store" -> storeId = UUID.fromString(words[1]);
          case "uri" -> uri = line.substring("uri ".length());
          case "point" -> number = Integer.parseInt(words[1]);
          case "time" -> time = Instant.parse(words[1]);
          case "bytes" -> storeBytes = Long.parseLong(words[1]);
          case "record" -> {
            records.put(words[1], words[2]);
            checkCount(records.size(), MOST_RECORDS, "records");
          }
          case "log" -> {
            checkCount(logs.size() + 1, MOST_LOGS, "logs");
            logs.add(
                new StoreLog(
                    words[1],
                    Long.parseLong(words[2]),
                    Long.parseLong(words[3]),
                    Integer.parseInt(words[4]),
                    Long.parseLong(words[5]),
                    Long.parseLong(words[6]),
                    List.of()));
            pieces.put(words[1], new ArrayList<>());
          }
          case "piece" -> {
            BackupPieces.Piece piece = BackupPieces.Piece.of(words[1]);
            List<String> ofLog = piece == null ? null : pieces.get(piece.log());
            if (ofLog == null) {
              throw new IllegalArgumentException("it has an invalid piece: '" + words[1] + "'");
            }
            ofLog.add(words[1]);
          }
          case "code" -> {} // the last one
          default -> throw new IllegalArgumentException("it has a line '" + words[0] + "'");
        }
      }
    } catch (RuntimeException e) {
      throw new IntegrityException(
          place + " is damaged: " + PrintableText.of(e.getMessage()) + "; restore another point",
          e);
    }
    return new BackupPoint(storeId, uri, number, time, storeBytes, records, logs, pieces);
  }

  private static void checkCount(int count, int most, String what) {
    if (count > most) {
      throw new IllegalArgumentException("it has more than " + most + " " + what);
    }
  }

  /** Returns whether this client wrote the text. */
  static boolean isOf(byte[] encoded, BackupKey key) {
    int end = Math.max(0, encoded.length - CODE_LINE_BYTES);
    byte[] code = codeLine(key.code(Arrays.copyOf(encoded, end)));
    return MessageDigest.isEqual(code, Arrays.copyOfRange(encoded, end, encoded.length));
  }

  /**
   * Checks that this client wrote the text.
   *
   * @throws IntegrityException if it did not
   */
  static void check(byte[] encoded, BackupKey key, String place) {
    if (!isOf(encoded, key)) {
      throw new IntegrityException(
          place
              + " was changed, or is of another master key than its record of the key;"
              + " restore another point");
    }
  }
}
