package io.github.roram.object;

import io.github.roram.object.VaultSlot.Entry;
import io.github.roram.object.VaultSlot.Kind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The content of an {@link ObjectVault}, from its slots, added one after another: small records,
 * and the places of large records and of the bytes of logs. Not thread safe.
 */
final class VaultView {

  /** Records older than this, in slots, are written anew, so that old slots can be deleted. */
  private static final int CARRIED_AFTER = 256;

  /**
   * Number of slots that only renew the lease, after which logs are put in objects of their own.
   */
  private static final int RENEWED_AFTER = 1024;

  /** Bytes of an object that has a piece of a large record. */
  static final int PIECE_BYTES = 8 << 20;

  private final Map<String, Saved> records = new TreeMap<>();
  private final Map<String, Log> logs = new TreeMap<>();
  private final Set<Long> kept = new HashSet<>();

  /** Slots that only renewed the lease since logs were renewed. */
  private int idle;

  /**
   * A record.
   *
   * @param slot the slot that has it
   */
  private record Saved(long slot, Entry entry) {}

  /** An existing log. */
  private static final class Log {
    /** The first slot that has something of it. */
    private final long first;

    /** The entry that put its bytes in objects of their own; null if none did. */
    private final @Nullable Entry large;

    private final List<ObjectParts.Part> parts = new ArrayList<>();

    /** An entry for the next slot, which puts all its bytes in objects of their own, or null. */
    private @Nullable Entry copy;

    Log(long first, @Nullable Entry large) {
      this.first = first;
      this.large = large;
      if (large != null) {
        parts.addAll(pieces(large));
      }
    }

    /** Gives up the copy, whose objects nobody needs then, unless the log itself is in them. */
    Log changed(List<String> replaced) {
      replace(copy, large, replaced);
      copy = null;
      return this;
    }

    long bytes() {
      return parts.stream().mapToLong(ObjectParts.Part::bytes).sum();
    }
  }

  /**
   * Adds the next slot.
   *
   * @return prefixes of the objects of large records and logs that are no longer needed
   */
  List<String> add(VaultSlot slot) {
    List<String> replaced = new ArrayList<>();
    if (slot.isKept()) {
      kept.add(slot.number());
    }
    if (slot.entries().stream().allMatch(entry -> entry.kind() == Kind.BEAT)) {
      idle++;
    }
    String name = ObjectVault.slotName(slot.number());
    int offset = VaultSlot.HEADER_BYTES;
    for (Entry entry : slot.entries()) {
      int bytes = offset + Entry.headerBytes(entry.name());
      offset += entry.slotBytes();
      switch (entry.kind()) {
        case SAVE, SAVE_LARGE -> {
          Saved before = records.put(entry.name(), new Saved(slot.number(), entry));
          replace(before == null ? null : before.entry, entry, replaced);
        }
        case LOG -> logs.putIfAbsent(entry.name(), new Log(slot.number(), null));
        case LOG_LARGE -> {
          Log before = logs.put(entry.name(), new Log(slot.number(), entry));
          replace(before == null ? null : before.large, entry, replaced);
        }
        case APPEND ->
            log(entry.name())
                .changed(replaced)
                .parts
                .add(new ObjectParts.Part(name, bytes, entry.bytes().length));
        case CUT -> cut(log(entry.name()).changed(replaced), entry.number());
        case DROP -> {
          replace(log(entry.name()).changed(replaced).large, null, replaced);
          logs.remove(entry.name());
        }
        case TAKE, BEAT, RELEASE -> {}
      }
    }
    return replaced;
  }

  /** Returns a log. A missing one is from a slot no longer needed, and a later one deletes it. */
  private Log log(String name) {
    return logs.getOrDefault(name, new Log(0, null));
  }

  /** Adds the objects that an entry names, unless the one in its place names them, too. */
  private static void replace(@Nullable Entry before, @Nullable Entry now, List<String> replaced) {
    if (before != null
        && before.isLarge()
        && !(now != null && now.isLarge() && before.text().equals(now.text()))) {
      replaced.add(before.text());
    }
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

  /** Returns logs to {@link #renew}, if slots that only renew the lease keep older ones needed. */
  List<String> idleLogs() {
    if (idle < RENEWED_AFTER) {
      return List.of();
    }
    idle = 0;
    return logs();
  }

  /** The entry by which all bytes of a log are in objects of their own; null if they are not. */
  @Nullable Entry whole(String log) {
    Entry large = log(log).large;
    return large != null && log(log).parts.equals(pieces(large)) ? large : null;
  }

  /**
   * Takes a log's bytes from objects of their own from the next slot on, if it is still as it was.
   *
   * @param parts where the copied bytes were
   * @return whether it is
   */
  boolean renew(String name, List<ObjectParts.Part> parts, Entry copy) {
    Log log = log(name);
    boolean isSame = logs.containsKey(name) && log.parts.equals(parts);
    if (isSame) {
      log.copy = copy;
    }
    return isSame;
  }

  /** Returns logs and records to write anew in a slot, since they alone keep old slots needed. */
  List<Entry> carried(long slot) {
    long logged = firstOfLogs(slot);
    return Stream.concat(
            logs.values().stream().map(log -> log.copy).filter(Objects::nonNull),
            records.values().stream()
                .filter(saved -> logged - saved.slot > CARRIED_AFTER)
                .map(Saved::entry))
        .toList();
  }

  private long firstOfLogs(long slot) {
    return logs.values().stream()
        .filter(log -> log.copy == null)
        .mapToLong(log -> log.first)
        .reduce(slot, Math::min);
  }

  /** Returns the lowest slot needed once a slot with the {@link #carried} entries exists. */
  long first(long slot) {
    long logged = firstOfLogs(slot);
    return records.values().stream()
        .mapToLong(Saved::slot)
        .filter(saved -> logged - saved <= CARRIED_AFTER)
        .reduce(logged, Math::min);
  }

  /** Returns the prefixes of all objects of large records and logs. */
  List<String> large() {
    return Stream.concat(
            records.values().stream().map(Saved::entry),
            logs.values().stream().map(log -> log.large).filter(Objects::nonNull))
        .filter(Entry::isLarge)
        .map(Entry::text)
        .toList();
  }

  /** Returns the entry of a large record or log, whose pieces have names with a prefix. */
  static Entry large(Kind kind, String of, String name, long bytes) {
    byte[] encoded = name.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer content = ByteBuffer.allocate(Long.BYTES + encoded.length);
    return new Entry(kind, of, content.putLong(bytes).put(encoded).array());
  }

  /** Returns the places of the bytes of a large record or log. */
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
