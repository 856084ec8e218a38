package io.github.roram.object;

import io.github.roram.IntegrityException;
import io.github.roram.store.Crc32c;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A slot of an {@link ObjectVault}: an object of at most {@link ObjectSpace#CREATE_BYTES} bytes,
 * created once (docs/file-formats.md). Random bytes distinguish it from others of its number.
 *
 * @param vault id of the vault
 * @param number n
 * @param first the lowest slot that was needed when this was written, or some slots before if it
 *     takes the vault
 * @param tenure the number of the slot by which its writer took the vault
 * @param entries entries, in order
 */
record VaultSlot(UUID vault, long number, long first, long tenure, List<Entry> entries) {

  private static final long MAGIC = 0x726f_7261_6d2d_7631L; // roram-v1

  /** Bytes before the first entry. */
  static final int HEADER_BYTES = 8 + 16 + 3 * 8 + 16;

  private static final int CRC_BYTES = 4;

  /** The highest number of a slot. */
  private static final long LAST = 1L << 62;

  /** The highest number of a slot that takes a vault: its client never runs out of numbers. */
  static final long LAST_TAKEN = LAST / 2;

  /** Most bytes of a large record: more than any client has in memory. */
  private static final long LARGE_BYTES = 1L << 40;

  /** Pattern of names of records. */
  static final String RECORD_NAME = "[a-z-]+";

  /** Pattern of names of logs. */
  static final String LOG_NAME = "[a-z0-9-]+";

  private static final Pattern RECORD = Pattern.compile(RECORD_NAME);
  private static final Pattern LOG = Pattern.compile(LOG_NAME);

  /** Most bytes of a slot's entries together. */
  static final int ENTRY_BYTES = ObjectSpace.CREATE_BYTES - HEADER_BYTES - CRC_BYTES;

  /** Kind of an entry. */
  enum Kind {
    /** The vault belongs to the writer from now on; the name identifies the writer. */
    TAKE,
    /** A record has these bytes. */
    SAVE,
    /** A record is in separate objects: their prefix, and the record's length. */
    SAVE_LARGE,
    /** A log of this name exists. */
    LOG,
    /** A log has these bytes appended. */
    APPEND,
    /** A log is cut to this length. */
    CUT,
    /** A log of this name no longer exists. */
    DROP,
    /** The writer is alive. */
    BEAT,
    /** The writer has left. */
    RELEASE,
    /** A log has, and has only, the bytes in separate objects: their prefix, and its length. */
    LOG_LARGE;

    private static final List<Kind> ALL = List.of(values());
  }

  /**
   * A change of the vault.
   *
   * @param name name of a record, a log or a client; or empty
   * @param bytes content, which must not change
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Entry(Kind kind, String name, byte[] bytes) {

    private static final byte[] NONE = {};
    private static final int HEADER_BYTES = 1 + 2 + 4;

    Entry(Kind kind, String name) {
      this(kind, name, NONE);
    }

    /** Returns the bytes that the entry takes in a slot. */
    int slotBytes() {
      return headerBytes(name) + bytes.length;
    }

    /** Returns the bytes that an entry without content takes in a slot. */
    static int headerBytes(String name) {
      return HEADER_BYTES + name.getBytes(StandardCharsets.UTF_8).length;
    }

    @SuppressWarnings("EnumOrdinal") // a kind is written as its place
    private void writeTo(ByteBuffer to) {
      byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
      to.put((byte) kind.ordinal()).putShort((short) encoded.length).put(encoded);
      to.putInt(bytes.length).put(bytes);
    }

    /** Returns whether a client may have written it: an engine can forge what is not sealed. */
    private boolean canBe() {
      return switch (kind) {
        case SAVE -> isRecord();
        case SAVE_LARGE -> isRecord() && namesPieces();
        case LOG, APPEND, DROP -> isLog();
        case LOG_LARGE -> isLog() && namesPieces();
        case CUT -> isLog() && bytes.length == Long.BYTES && number() >= 0;
        case TAKE, BEAT, RELEASE -> true;
      };
    }

    private boolean isRecord() {
      return RECORD.matcher(name).matches();
    }

    private boolean isLog() {
      return LOG.matcher(name).matches();
    }

    /** Returns whether its record or log is in objects of its own. */
    boolean isLarge() {
      return kind == Kind.SAVE_LARGE || kind == Kind.LOG_LARGE;
    }

    /** Returns whether it is valid, with objects of its own, which replacing it deletes. */
    private boolean namesPieces() {
      return bytes.length > Long.BYTES
          && number() >= 0
          && number() <= LARGE_BYTES
          && text().matches("rec/[0-9a-f]{16}/" + name + "-[0-9a-f-]{36}");
    }

    /** Returns the number that its bytes begin with. */
    long number() {
      return ByteBuffer.wrap(bytes).getLong();
    }

    /** Returns the text after the number. */
    String text() {
      return new String(bytes, Long.BYTES, bytes.length - Long.BYTES, StandardCharsets.US_ASCII);
    }

    private static Entry readFrom(ByteBuffer from) {
      Kind kind = Kind.ALL.get(from.get());
      byte[] name = new byte[Short.toUnsignedInt(from.getShort())];
      from.get(name);
      int length = from.getInt();
      if (length < 0 || length > from.remaining()) {
        throw new BufferUnderflowException();
      }
      byte[] bytes = new byte[length];
      from.get(bytes);
      return new Entry(kind, new String(name, StandardCharsets.UTF_8), bytes);
    }
  }

  /**
   * Returns the slot as bytes.
   *
   * @param random 16 bytes
   */
  byte[] encode(byte[] random) {
    int bytes = HEADER_BYTES + CRC_BYTES;
    for (Entry entry : entries) {
      bytes += entry.slotBytes();
    }
    ByteBuffer to = ByteBuffer.allocate(bytes);
    to.putLong(MAGIC);
    to.putLong(vault.getMostSignificantBits()).putLong(vault.getLeastSignificantBits());
    to.putLong(number).putLong(first).putLong(tenure).put(random);
    entries.forEach(entry -> entry.writeTo(to));
    to.putInt(Crc32c.of(to.array(), 0, to.position()));
    return to.array();
  }

  /**
   * Decodes the result of {@link #encode}.
   *
   * @param name name of the object, for messages
   * @throws IntegrityException if it is not a slot of this number
   */
  static VaultSlot decode(String name, long number, byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    try {
      if (bytes.length >= HEADER_BYTES + CRC_BYTES
          && from.getLong() == MAGIC
          && from.getInt(bytes.length - CRC_BYTES)
              == Crc32c.of(bytes, 0, bytes.length - CRC_BYTES)) {
        UUID vault = new UUID(from.getLong(), from.getLong());
        long found = from.getLong();
        VaultSlot slot =
            new VaultSlot(vault, found, from.getLong(), from.getLong(), new ArrayList<>());
        from.position(HEADER_BYTES).limit(bytes.length - CRC_BYTES);
        while (from.hasRemaining()) {
          slot.entries.add(Entry.readFrom(from));
        }
        if (found == number && slot.canBe()) {
          return slot;
        }
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw (IntegrityException) damaged(name).initCause(e);
    }
    throw damaged(name);
  }

  private boolean canBe() {
    return first >= 0
        && first <= number
        && number <= LAST
        && entries.stream().allMatch(Entry::canBe);
  }

  private static IntegrityException damaged(String name) {
    return new IntegrityException(
        "slot " + name + " of the client's records is damaged, or another's; restore it");
  }

  /** Reads a slot from an engine. */
  static VaultSlot read(ObjectSpace objects, String name, long number) throws IOException {
    return decode(name, number, objects.readWhole(name, ObjectSpace.CREATE_BYTES));
  }

  /** Returns whether a slot {@link #isKept}, without reading it all. */
  @SuppressWarnings("EnumOrdinal") // a kind is written as its place
  static boolean isKept(ObjectSpace objects, String name) throws IOException {
    ByteBuffer kind = ByteBuffer.allocate(1);
    return objects.read(name, HEADER_BYTES, kind) == 1 && kind.get(0) == Kind.TAKE.ordinal();
  }

  /**
   * Returns whether it is never deleted: the vault was taken by it from a client that may still try
   * to create it. Then its first entry says so; a slot that follows a release begins otherwise.
   */
  boolean isKept() {
    return !entries.isEmpty() && entries.get(0).kind == Kind.TAKE;
  }

  /** Returns whether one of its entries is of a kind. */
  boolean has(Kind kind) {
    return entries.stream().anyMatch(entry -> entry.kind == kind);
  }
}
