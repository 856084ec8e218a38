package io.github.roram.storage;

import io.github.roram.store.BlockStore;
import io.github.roram.store.Crc32c;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreFullException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The table of a {@link BlocksVault}, which says what each chunk of the store holds. It is in two
 * slots at the start, which are written in turn, each with a number: the valid slot with the higher
 * number is current.
 *
 * <pre>
 *   slot: magic u64, number u64, bytes of entries u32, entries, CRC-32C of all before u32
 *   entry: kind u8, name (u16 length, text), id u64, length u64, n u32, n chunks u32
 * </pre>
 *
 * Thread safety: safe, except for a single entry.
 */
final class VaultTable {

  /** Bytes of a chunk, the unit of allocation to records and logs. */
  static final int CHUNK_BYTES = 1 << 18;

  private static final long MAGIC = 0x524f52414d564c54L;
  private static final int SLOT_BYTES = 1 << 16;
  private static final int HEAD_BYTES = 20;
  private static final long FIRST_CHUNK = 2L * SLOT_BYTES;

  /** The highest number of a table: a higher one is forged, and no table could follow it. */
  private static final long MOST_NUMBER = 1L << 62;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** Kind of an entry; the table has its number. */
  enum Kind {
    RECORD(0),
    LOG(1);

    private final int number;

    Kind(int number) {
      this.number = number;
    }

    private static Kind of(int number) {
      return number == LOG.number ? LOG : RECORD;
    }
  }

  /** A record or a log. */
  static final class Entry {
    private final Kind kind;
    private final String name;
    private final long id;
    private long length;
    private int[] chunks;

    /** Number of the chunks that are known to be in the table. */
    private int tabled;

    private Entry(Kind kind, String name, long id, long length, int[] chunks) {
      this.kind = kind;
      this.name = name;
      this.id = id;
      this.length = length;
      this.chunks = chunks;
      tabled = chunks.length;
    }

    String name() {
      return name;
    }

    /** Returns the random id, new for each entry. */
    long id() {
      return id;
    }

    /** Returns the bytes of a record; 0 for a log, whose frames tell where it ends. */
    long length() {
      return length;
    }

    void lengthen(int bytes) {
      length += bytes;
    }

    long roomBytes() {
      return (long) chunks.length * CHUNK_BYTES;
    }

    /** Returns the offset of a chunk in the store. */
    long offset(int chunk) {
      return FIRST_CHUNK + (long) chunks[chunk] * CHUNK_BYTES;
    }

    private String key() {
      return kind + " " + name;
    }
  }

  private final BlockStore store;
  private final int chunks;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final BitSet used = new BitSet();

  /** Whether writing the table failed: the store may have that table or the previous one. */
  private boolean unsettled;

  /** Entries that only such tables have. */
  private final List<Entry> inDoubt = new ArrayList<>();

  private long number;

  private VaultTable(BlockStore store) {
    this.store = store;
    chunks = (int) Math.min(Integer.MAX_VALUE, chunksOf(store.capacityBytes()));
  }

  private static long chunksOf(long capacityBytes) {
    return Math.max(0, (capacityBytes - FIRST_CHUNK) / CHUNK_BYTES);
  }

  /**
   * Reads the table of a store; returns an empty one if there is none.
   *
   * @throws StoreDamagedException if neither slot is valid
   */
  static VaultTable read(BlockStore store) throws IOException {
    VaultTable table = new VaultTable(store);
    boolean blank = true;
    boolean found = false;
    for (int slot = 0; slot < 2; slot++) {
      byte[] bytes = new byte[SLOT_BYTES];
      store.read(slot(slot), (unit, units) -> units.get(bytes));
      blank &= Arrays.equals(bytes, new byte[SLOT_BYTES]);
      found |= table.take(bytes);
    }
    if (!found && !blank) {
      throw new StoreDamagedException(
          store + " holds no vault, or a damaged one; restore it from a copy");
    }
    return table;
  }

  private static ExtentBatch slot(int slot) {
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, ExtentBatch.NO_TREE, SLOT_BYTES);
    batch.add((long) slot * SLOT_BYTES, 1);
    return batch;
  }

  /** Loads a slot if it is valid and newer than the one loaded before. */
  private boolean take(byte[] slot) throws IOException {
    ByteBuffer head = ByteBuffer.wrap(slot);
    if (head.getLong() != MAGIC) {
      return false;
    }
    long slotNumber = head.getLong();
    int length = head.getInt();
    if (length < 0
        || length > SLOT_BYTES - HEAD_BYTES - Integer.BYTES
        || slotNumber > MOST_NUMBER) {
      return false;
    }
    int end = HEAD_BYTES + length;
    if (head.getInt(end) != Crc32c.of(slot, 0, end)) {
      return false;
    }
    if (slotNumber <= number) {
      return true;
    }
    Map<String, Entry> read = new LinkedHashMap<>();
    BitSet taken = new BitSet();
    try (DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(slot, HEAD_BYTES, length))) {
      while (in.available() > 0) {
        Entry entry = readEntry(in, taken);
        read.put(entry.key(), entry);
      }
    } catch (IOException | RuntimeException e) {
      // A code is no proof: whoever has the store can make one.
      return false;
    }
    entries.clear();
    entries.putAll(read);
    used.clear();
    used.or(taken);
    number = slotNumber;
    return true;
  }

  private Entry readEntry(DataInputStream in, BitSet taken) throws IOException {
    Kind kind = Kind.of(in.readByte());
    String name = in.readUTF();
    if (!name.matches(kind == Kind.LOG ? "[a-z0-9-]+" : "[a-z-]+")) {
      throw new StoreDamagedException("a vault's table has an invalid name");
    }
    long id = in.readLong();
    long length = in.readLong();
    int count = in.readInt();
    if (count < 0 || count > in.available() / Integer.BYTES) {
      throw new StoreDamagedException("a vault's table has an entry of " + count + " chunks");
    }
    int[] own = new int[count];
    for (int i = 0; i < count; i++) {
      own[i] = in.readInt();
      if (own[i] < 0 || own[i] >= chunks || taken.get(own[i])) {
        throw new StoreDamagedException("a vault's table names chunk " + own[i]);
      }
      taken.set(own[i]);
    }
    if (length < 0 || length > (long) count * CHUNK_BYTES) {
      throw new StoreDamagedException("a vault's table has an entry of " + length + " bytes");
    }
    return new Entry(kind, name, id, length, own);
  }

  synchronized Optional<Entry> find(Kind kind, String name) {
    return Optional.ofNullable(entries.get(kind + " " + name));
  }

  synchronized List<String> names(Kind kind) {
    return entries.values().stream().filter(e -> e.kind == kind).map(Entry::name).toList();
  }

  /** Writes the table durably, unless the store certainly has it. */
  synchronized void settle() throws IOException {
    if (unsettled) {
      write(encoded());
    }
  }

  /**
   * Returns an entry without chunks, which is not in the table yet. If writing the table failed
   * before, writes it now, so that repeated failures take the room of only one entry.
   */
  synchronized Entry begin(Kind kind, String name) throws IOException {
    settle();
    return new Entry(kind, name, RANDOM.nextLong(), 0, new int[0]);
  }

  /**
   * Gives an entry chunks until it has {@code bytes} bytes.
   *
   * @return whether the table lacks some of them, so that it must be written first
   * @throws StoreFullException if there are too few free chunks
   */
  synchronized boolean reserve(Entry entry, long bytes) throws IOException {
    int have = entry.chunks.length;
    int need = (int) ((bytes + CHUNK_BYTES - 1) / CHUNK_BYTES);
    if (need <= have) {
      return need > entry.tabled;
    }
    int[] more = Arrays.copyOf(entry.chunks, need);
    for (int i = have; i < need; i++) {
      int free = used.nextClearBit(i == have ? 0 : more[i - 1]);
      if (free >= chunks) {
        Arrays.stream(more, have, i).forEach(used::clear);
        throw new StoreFullException(
            store + " has no room left for the client's records; all of its chunks are in use",
            new IOException("no free chunk"));
      }
      used.set(free);
      more[i] = free;
    }
    entry.chunks = more;
    return true;
  }

  /** Frees the chunks of an entry that did not get into the table. */
  synchronized void giveUp(Entry entry) {
    Arrays.stream(entry.chunks).forEach(used::clear);
  }

  /** Replaces the entry of the same name, durably. */
  synchronized void put(Entry entry) throws IOException {
    change(entry.key(), entry);
  }

  /** Removes an entry, durably; does nothing if there is none. */
  synchronized void remove(Kind kind, String name) throws IOException {
    String key = kind + " " + name;
    if (entries.containsKey(key)) {
      change(key, null);
    }
  }

  private void change(String key, @Nullable Entry entry) throws IOException {
    Entry before = entry == null ? entries.remove(key) : entries.put(key, entry);
    boolean offered = false;
    boolean written = false;
    try {
      byte[] slot = encoded();
      offered = true;
      write(slot);
      written = true;
    } finally {
      if (!written) {
        undo(key, before, entry, offered);
      }
    }
    if (before != null && before != entry) {
      giveUp(before);
    }
  }

  /** Restores an entry; if a table was offered, the store may have either, and both keep chunks. */
  private void undo(String key, @Nullable Entry before, @Nullable Entry entry, boolean offered) {
    if (before == null) {
      entries.remove(key);
    } else {
      entries.put(key, before);
    }
    unsettled |= offered;
    if (entry != null && entry != before) {
      if (offered) {
        inDoubt.add(entry);
      } else {
        giveUp(entry);
      }
    }
  }

  /** Returns the next table. */
  private byte[] encoded() throws IOException {
    if (number == MOST_NUMBER) {
      throw new StoreDamagedException(
          store + " has a table of number " + number + ", which none can follow: make it anew");
    }
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(content)) {
      for (Entry entry : new ArrayList<>(entries.values())) {
        out.writeByte(entry.kind.number);
        out.writeUTF(entry.name);
        out.writeLong(entry.id);
        out.writeLong(entry.length);
        out.writeInt(entry.chunks.length);
        for (int chunk : entry.chunks) {
          out.writeInt(chunk);
        }
      }
    }
    if (content.size() > SLOT_BYTES - HEAD_BYTES - Integer.BYTES) {
      throw new StoreFullException(
          store
              + " has no room left in its table of the client's records: they have too many"
              + " chunks",
          new IOException("the table is full"));
    }
    byte[] slot = new byte[SLOT_BYTES];
    ByteBuffer view = ByteBuffer.wrap(slot);
    view.putLong(MAGIC).putLong(number + 1).putInt(content.size()).put(content.toByteArray());
    view.putInt(Crc32c.of(slot, 0, view.position()));
    return slot;
  }

  /** Writes a slot; a failed write is repeated to the same slot, since the other one is valid. */
  private void write(byte[] slot) throws IOException {
    store.write(slot((int) ((number + 1) % 2)), (unit, room) -> room.put(slot));
    store.sync();
    number++;
    entries.values().forEach(entry -> entry.tabled = entry.chunks.length);
    unsettled = false;
    inDoubt.forEach(this::giveUp);
    inDoubt.clear();
  }
}
