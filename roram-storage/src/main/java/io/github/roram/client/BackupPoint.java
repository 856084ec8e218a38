package io.github.roram.client;

import io.github.roram.IntegrityException;
import io.github.roram.engine.StoreLog;
import io.github.roram.store.PrintableText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One moment of a store that a {@link Backup} has: which pieces make up its logs, and the digests
 * of the client's records.
 *
 * @param storeId identity of the store
 * @param uri where it was
 * @param number of the point, from 1 on
 * @param time when it was taken
 * @param storeBytes size of the store's address space
 * @param records SHA-256 of each record and of the superblock, by name, in hexadecimal
 * @param logs the store's logs, without their epochs: the pieces name these
 * @param pieces names of files, by log
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

  /** The same of these pieces. */
  BackupPoint with(Map<String, List<String>> others) {
    return new BackupPoint(storeId, uri, number, time, storeBytes, records, logs, others);
  }

  /** As text, a line for each thing; a code that authenticates it is the last line. */
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
    text.append("uri ").append(uri).append('\n');
    byte[] code = key.code(bytes(text.toString()));
    return bytes(text + "code " + HexFormat.of().formatHex(code) + "\n");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * What the text says, which is not authenticated yet: before {@link #check} no name or number in
   * it is used.
   *
   * @throws IntegrityException if it is no such text
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
      String[] lines = new String(encoded, StandardCharsets.UTF_8).split("\n", -1);
      if (!lines[0].equals(MAGIC)) {
        throw new IllegalArgumentException(
            "it is no point of a backup, or of another version: it begins '" + lines[0] + "'");
      }
      for (String line : lines) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
          case "store" -> storeId = UUID.fromString(words[1]);
          case "uri" -> uri = line.substring("uri ".length());
          case "point" -> number = Integer.parseInt(words[1]);
          case "time" -> time = Instant.parse(words[1]);
          case "bytes" -> storeBytes = Long.parseLong(words[1]);
          case "record" -> records.put(words[1], words[2]);
          case "log" -> {
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
              throw new IllegalArgumentException("it names no piece: '" + words[1] + "'");
            }
            ofLog.add(words[1]);
          }
          default -> {
            // the first line, the code, and the end
          }
        }
      }
    } catch (RuntimeException e) {
      throw new IntegrityException(
          place + " is damaged: " + PrintableText.of(e.getMessage()) + "; restore another point",
          e);
    }
    return new BackupPoint(storeId, uri, number, time, storeBytes, records, logs, pieces);
  }

  /**
   * Checks that this client wrote the text.
   *
   * @throws IntegrityException if not
   */
  static void check(byte[] encoded, BackupKey key, String place) {
    String text = new String(encoded, StandardCharsets.UTF_8);
    int code = text.lastIndexOf("code ");
    String expected =
        code < 0
            ? ""
            : "code " + HexFormat.of().formatHex(key.code(bytes(text.substring(0, code)))) + "\n";
    if (code < 0 || !text.substring(code).equals(expected)) {
      throw new IntegrityException(
          place
              + " was changed, or is of another master key than its record of the key;"
              + " restore another point");
    }
  }
}
