package io.github.roram.object;

import io.github.roram.object.VaultSlot.Entry;
import io.github.roram.object.VaultSlot.Kind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The content of an {@link ObjectVault}, from its slots, added one after another: small records,
 * and the places of large records and of the bytes of logs. Not thread safe.
 */
final class VaultView {

  /** Records older than this, in slots, are written anew, so that old slots can be deleted. */
  private static final int CARRIED_AFTER = 256;

  /** Bytes of an object that has a piece of a large record. */
  static final int PIECE_BYTES = 8 << 20;

  private final Map<String, Saved> records = new TreeMap<>();
  private final Map<String, Log> logs = new TreeMap<>();
  private final Set<Long> kept = new HashSet<>();

  /**
   * A record.
   *
   * @param slot the slot that has it
   */
  private record Saved(long slot, Entry entry) {}

  /** An existing log. */
  private static final class Log {
    private final long created;
    private final List<ObjectParts.Part> parts = new ArrayList<>();

    Log(long created) {
      this.created = created;
    }

    long bytes() {
      return parts.stream().mapToLong(ObjectParts.Part::bytes).sum();
    }
  }

  /**
   * Adds the next slot.
   *
   * @return prefixes of the objects of large records that are no longer needed
   */
  List<String> add(VaultSlot slot) {
    List<String> replaced = new ArrayList<>();
    if (slot.isKept()) {
      kept.add(slot.number());
    }
    String name = ObjectVault.slotName(slot.number());
    int offset = VaultSlot.HEADER_BYTES;
    for (Entry entry : slot.entries()) {
      int bytes = offset + Entry.headerBytes(entry.name());
      offset += entry.slotBytes();
      switch (entry.kind()) {
        case SAVE, SAVE_LARGE -> {
          Saved before = records.put(entry.name(), new Saved(slot.number(), entry));
          if (before != null && isOther(before.entry, entry)) {
            replaced.add(before.entry.text());
          }
        }
        case LOG -> logs.putIfAbsent(entry.name(), new Log(slot.number()));
        case APPEND ->
            log(entry.name()).parts.add(new ObjectParts.Part(name, bytes, entry.bytes().length));
        case CUT -> cut(log(entry.name()), entry.number());
        case DROP -> logs.remove(entry.name());
        case TAKE, BEAT, RELEASE -> {}
      }
    }
    return replaced;
  }

  /** Returns a log. A missing one is from a slot no longer needed, and a later one deletes it. */
  private Log log(String name) {
    return logs.getOrDefault(name, new Log(0));
  }

  private static boolean isOther(Entry before, Entry entry) {
    return before.kind() == Kind.SAVE_LARGE
        && !(entry.kind() == Kind.SAVE_LARGE && before.text().equals(entry.text()));
  }

  private static void cut(Log log, long bytes) {
    long left = bytes;
    List<ObjectParts.Part> kept = new ArrayList<>();
    for (ObjectParts.Part part : log.parts) {
      int count = (int) Math.min(left, part.bytes());
      if (count > 0) {
        kept.add(new ObjectParts.Part(part.name(), part.offset(), count));
      }
      left -= count;
    }
    log.parts.clear();
    log.parts.addAll(kept);
  }

  /** Returns whether a slot is kept even if nothing in it is needed. */
  boolean isKept(long slot) {
    return kept.contains(slot);
  }

  /** A record; null if it was never saved. */
  @Nullable Entry record(String name) {
    Saved saved = records.get(name);
    return saved == null ? null : saved.entry;
  }

  /** Returns the names of all records. */
  List<String> records() {
    return List.copyOf(records.keySet());
  }

  /** Returns the names of the existing logs. */
  List<String> logs() {
    return List.copyOf(logs.keySet());
  }

  /** Returns the length of an existing log. */
  long bytes(String log) {
    return log(log).bytes();
  }

  /** Returns the places of the bytes of an existing log. */
  List<ObjectParts.Part> parts(String log) {
    return List.copyOf(log(log).parts);
  }

  /** Returns records to write anew in a slot, since they alone keep old slots needed. */
  List<Entry> carried(long slot) {
    long logged = Math.min(slot, firstOfLogs());
    return records.values().stream()
        .filter(saved -> logged - saved.slot > CARRIED_AFTER)
        .map(Saved::entry)
        .toList();
  }

  private long firstOfLogs() {
    return logs.values().stream().mapToLong(log -> log.created).min().orElse(Long.MAX_VALUE);
  }

  /** Returns the lowest slot needed once a slot with the {@link #carried} records exists. */
  long first(long slot) {
    long logged = Math.min(slot, firstOfLogs());
    return records.values().stream()
        .mapToLong(Saved::slot)
        .filter(saved -> logged - saved <= CARRIED_AFTER)
        .reduce(logged, Math::min);
  }

  /** Returns the prefixes of all objects of large records. */
  List<String> large() {
    return records.values().stream()
        .map(Saved::entry)
        .filter(entry -> entry.kind() == Kind.SAVE_LARGE)
        .map(Entry::text)
        .toList();
  }

  /** Returns the entry of a large record, whose pieces have names with a prefix. */
  static Entry large(String record, String name, long bytes) {
    byte[] encoded = name.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer content = ByteBuffer.allocate(Long.BYTES + encoded.length);
    return new Entry(Kind.SAVE_LARGE, record, content.putLong(bytes).put(encoded).array());
  }

  /** Returns the places of the bytes of a large record. */
  static List<ObjectParts.Part> pieces(Entry large) {
    long left = large.number();
    List<ObjectParts.Part> pieces = new ArrayList<>();
    for (int piece = 0; left > 0; piece++) {
      int bytes = (int) Math.min(left, PIECE_BYTES);
      pieces.add(new ObjectParts.Part(pieceName(large.text(), piece), 0, bytes));
      left -= bytes;
    }
    return pieces;
  }

  static String pieceName(String large, int piece) {
    return large + "/" + Integer.toHexString(piece | 1 << 28);
  }
}
