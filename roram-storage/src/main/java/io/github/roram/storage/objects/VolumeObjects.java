package io.github.roram.storage.objects;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.roram.ConfigurationException;
import io.github.roram.object.NoSuchObjectException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import io.github.roram.store.BlockStore;
import io.github.roram.store.Crc32c;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Objects in the address space of a store, such as a volume of a block server, which one client has
 * open at a time. The store is cut into slots, of which an object has one or several, and each slot
 * has an entry in the table at the start:
 *
 * <pre>
 *   head: magic u64, slots u32, bytes of a slot u32, CRC-32C of these u32; {@value #HEAD_BYTES} bytes
 *   entry: length of the object u32, part u32, id u64, name (u16 length, text),
 *          CRC-32C of all before u32; {@value #ENTRY_BYTES} bytes, zeros where the slot is free
 * </pre>
 *
 * The bytes are synced before the entries are written. An object exists if all of its entries do,
 * so the remains of a failed write take no slot once the store is opened again.
 */
public final class VolumeObjects implements ObjectSpace {

  private static final long MAGIC = 0x524f52414d4f424aL;
  private static final int HEAD_BYTES = 4096;
  private static final int SEALED_BYTES = 16;
  private static final int ENTRY_BYTES = 256;
  private static final int LEAST_SLOT_BYTES = 1 << 18;

  /**
   * Most slots, unless slots would become longer than an object; the table is read in one request.
   */
  private static final int MOST_SLOTS = 1 << 16;

  private static final int MOST_TABLE = Integer.MAX_VALUE / ENTRY_BYTES;

  /** No object gets a greater one: a greater one is forged, and none could follow it. */
  private static final long MOST_ID = 1L << 62;

  /** Room for those that are shorter than a slot. */
  private static final long SHORT_OBJECTS = 2000;

  /** What the table says may take this part of the heap. */
  private static final int HEAP_SHARE = 4;

  /** What an object takes besides its name and slots. */
  private static final int OBJECT_OVERHEAD_BYTES = 250;

  /** Entries that are read at a time. */
  private static final int BATCH = 4096;

  private final BlockStore store;
  private final int slots;
  private final int slotBytes;
  private final NavigableMap<String, Placed> placed = new TreeMap<>();

  /**
   * Objects whose put failed when entries may already have been written. They occupy their slots
   * and cannot be read.
   */
  private final Map<String, Placed> doubtful = new HashMap<>();

  private final BitSet used = new BitSet();
  private long lastId;
  private boolean closed;

  /** Where an object is. */
  private static final class Placed {
    private final int length;
    private final int[] slots;

    Placed(int length, int[] slots) {
      this.length = length;
      this.slots = slots;
    }
  }

  /** An entry of the table. */
  private record Entry(String name, long id, int length, int part) {}

  private VolumeObjects(BlockStore store, int slots, int slotBytes) {
    this.store = store;
    this.slots = slots;
    this.slotBytes = slotBytes;
  }

  /** Returns the size of a store for {@code bytes} bytes of objects, most of which are long. */
  public static long capacityFor(long bytes) {
    return bytes + bytes / 4 + SHORT_OBJECTS * (LEAST_SLOT_BYTES + ENTRY_BYTES);
  }

  /**
   * Opens the objects in a store, which is closed with them; a store of zeros has none.
   *
   * @throws StoreDamagedException if the store has other content
   * @throws ConfigurationException if there is no memory for all objects that are listed
   */
  public static VolumeObjects in(BlockStore store) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
    transfer(store, 0, head, false);
    head.flip();
    if (head.equals(ByteBuffer.allocate(HEAD_BYTES))) {
      int bytes = slotBytesOf(store);
      head.putLong(MAGIC).putInt((int) Math.min(slotsOf(store, bytes), MOST_TABLE)).putInt(bytes);
      head.putInt(Crc32c.of(head.array(), 0, head.position())).rewind();
      transfer(store, 0, head, true);
      head.rewind();
    }
    boolean ours = head.getLong() == MAGIC;
    int slots = head.getInt();
    int slotBytes = head.getInt();
    if (!ours
        || head.getInt() != Crc32c.of(head.array(), 0, SEALED_BYTES)
        || slots < 0
        || slotBytes < LEAST_SLOT_BYTES
        || slots > slotsOf(store, slotBytes)) {
      throw new StoreDamagedException(
          store + " holds something else than objects, or is damaged; name another volume");
    }
    VolumeObjects objects = new VolumeObjects(store, slots, slotBytes);
    objects.readTable();
    // What an earlier client wrote last may not be durable, and is taken for it from now on.
    store.sync();
    return objects;
  }

  private static int slotBytesOf(BlockStore store) {
    int bytes = LEAST_SLOT_BYTES;
    while (bytes < OBJECT_BYTES && slotsOf(store, bytes) > MOST_SLOTS) {
      bytes *= 2;
    }
    return bytes;
  }

  private static long slotsOf(BlockStore store, int bytes) {
    return Math.max(0, (store.capacityBytes() - HEAD_BYTES) / (ENTRY_BYTES + bytes));
  }

  /** Moves all that remains of a buffer. */
  private static void transfer(BlockStore store, long offset, ByteBuffer bytes, boolean out)
      throws IOException {
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, ExtentBatch.NO_TREE, 1);
    batch.add(offset, bytes.remaining());
    int start = bytes.position();
    if (out) {
      store.write(batch, (unit, room) -> room.put(bytes.slice(start + unit, room.remaining())));
    } else {
      store.read(
          batch,
          (unit, found) -> {
            int count = found.remaining();
            bytes.slice(start + unit, count).put(found);
          });
    }
    bytes.position(bytes.limit());
  }

  private void readTable() throws IOException {
    Map<Long, Placed> found = new HashMap<>();
    Map<Long, String> names = new HashMap<>();
    // Whoever has the store may invent objects as long as there are entries.
    HeapShare held = new HeapShare(store + " lists more objects than fit", HEAP_SHARE);
    for (int first = 0; first < slots; first += BATCH) {
      int count = Math.min(BATCH, slots - first);
      ByteBuffer entries = ByteBuffer.allocate(count * ENTRY_BYTES);
      transfer(store, entryOffset(first), entries, false);
      for (int i = 0; i < count; i++) {
        int from = i * ENTRY_BYTES;
        Entry entry = decode(Arrays.copyOfRange(entries.array(), from, from + ENTRY_BYTES));
        if (entry.length >= 0) {
          if (names.put(entry.id, entry.name) == null) {
            held.add(OBJECT_OVERHEAD_BYTES + entry.name.length() + 4L * parts(entry.length));
          }
          Placed object = found.computeIfAbsent(entry.id, id -> unplaced(entry.length));
          // A code is no proof: whoever has the store can make one.
          if (entry.part < object.slots.length) {
            object.slots[entry.part] = first + i;
          }
        }
      }
    }
    found.forEach((id, object) -> take(Objects.requireNonNull(names.get(id)), id, object));
  }

  private void take(String name, long id, Placed object) {
    lastId = Math.max(lastId, id);
    if (Arrays.stream(object.slots).allMatch(slot -> slot >= 0)) {
      placed.put(name, object);
      Arrays.stream(object.slots).forEach(used::set);
    }
  }

  private Placed unplaced(int length) {
    int[] nowhere = new int[parts(length)];
    Arrays.fill(nowhere, -1);
    return new Placed(length, nowhere);
  }

  private int parts(int length) {
    return Math.max(1, (length + slotBytes - 1) / slotBytes);
  }

  private static final Entry FREE = new Entry("", 0, -1, 0);

  private Entry decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int length = in.getInt();
    int part = in.getInt();
    long id = in.getLong();
    int nameBytes = in.getShort();
    int end = in.position() + nameBytes;
    if (id <= 0
        || id > MOST_ID
        || nameBytes < 1
        || nameBytes > NAME_CHARS
        || in.getInt(end) != Crc32c.of(bytes, 0, end)) {
      return FREE;
    }
    boolean can = length >= 0 && length <= OBJECT_BYTES && part >= 0 && part < parts(length);
    String name = new String(bytes, in.position(), nameBytes, US_ASCII);
    return can ? new Entry(name, id, length, part) : FREE;
  }

  private static ByteBuffer encode(Entry entry) {
    byte[] bytes = new byte[ENTRY_BYTES];
    byte[] name = entry.name.getBytes(US_ASCII);
    ByteBuffer out = ByteBuffer.wrap(bytes);
    out.putInt(entry.length).putInt(entry.part).putLong(entry.id);
    out.putShort((short) name.length).put(name);
    out.putInt(Crc32c.of(bytes, 0, out.position()));
    return out.rewind();
  }

  private static long entryOffset(int slot) {
    return HEAD_BYTES + (long) slot * ENTRY_BYTES;
  }

  private long slotOffset(int slot) {
    return entryOffset(slots) + (long) slot * slotBytes;
  }

  @Override
  public synchronized void put(String name, ByteBuffer bytes) throws IOException {
    ObjectSpace.checkBytes(name, bytes, OBJECT_BYTES);
    checkOpen();
    if (placed.containsKey(name)) {
      return;
    }
    if (lastId == MOST_ID) {
      throw new StoreDamagedException(
          store + " has an object of id " + lastId + ", which none can follow: make a new volume");
    }
    if (doubtful.containsKey(name)) {
      // Else there would be two of the name, and deleting one would leave the other.
      delete(List.of(name));
    }
    int[] own = free(parts(bytes.remaining()));
    for (int part = 0; part < own.length; part++) {
      int from = part * slotBytes;
      int count = Math.min(slotBytes, bytes.remaining() - from);
      if (count > 0) {
        ByteBuffer content = bytes.slice(bytes.position() + from, count);
        transfer(store, slotOffset(own[part]), content, true);
      }
    }
    store.sync();
    Placed object = new Placed(bytes.remaining(), own);
    // From the first entry on the slots may be taken for the object's, even if this fails.
    doubtful.put(name, object);
    Arrays.stream(own).forEach(used::set);
    long id = ++lastId;
    for (int part = 0; part < own.length; part++) {
      Entry entry = new Entry(name, id, bytes.remaining(), part);
      transfer(store, entryOffset(own[part]), encode(entry), true);
    }
    store.sync();
    doubtful.remove(name);
    placed.put(name, object);
  }

  private int[] free(int count) throws StoreFullException {
    int[] free = new int[count];
    int next = -1;
    for (int i = 0; i < count; i++) {
      next = used.nextClearBit(next + 1);
      if (next >= slots) {
        throw new StoreFullException(
            store
                + " has no room left for "
                + count
                + " more slots of its "
                + slots
                + ": delete some of what is there, or take a larger volume",
            new IOException("no free slot"));
      }
      free[i] = next;
    }
    return free;
  }

  @Override
  public synchronized boolean createOnce(String name, ByteBuffer bytes) throws IOException {
    ObjectSpace.checkBytes(name, bytes, CREATE_BYTES);
    checkOpen();
    Placed there = placed.get(name);
    if (there == null) {
      put(name, bytes);
      return true;
    }
    ByteBuffer content = ByteBuffer.allocate(Math.min(there.length, CREATE_BYTES + 1));
    read(name, 0, content);
    return content.flip().equals(bytes);
  }

  @Override
  public int read(String name, long offset, ByteBuffer to) throws IOException {
    Placed object;
    synchronized (this) {
      checkOpen();
      object = placed.get(ObjectSpace.checkName(name));
    }
    if (object == null) {
      throw new NoSuchObjectException(name);
    }
    int count = (int) Math.max(0, Math.min(to.remaining(), object.length - offset));
    ByteBuffer into = to.slice(to.position(), count);
    while (into.hasRemaining()) {
      long at = offset + into.position();
      int within = (int) (at % slotBytes);
      ByteBuffer part = into.slice(into.position(), Math.min(into.remaining(), slotBytes - within));
      transfer(store, slotOffset(object.slots[(int) (at / slotBytes)]) + within, part, false);
      into.position(into.position() + part.limit());
    }
    synchronized (this) {
      // Otherwise its slots may have been given to another object in the meantime.
      if (placed.get(name) != object) {
        throw new NoSuchObjectException(name);
      }
    }
    to.position(to.position() + count);
    return count;
  }

  @Override
  public synchronized List<String> list(String prefix, String after) throws IOException {
    checkOpen();
    boolean fromPrefix = after.compareTo(prefix) < 0;
    List<String> names = new ArrayList<>();
    for (String name : placed.tailMap(fromPrefix ? prefix : after, fromPrefix).keySet()) {
      if (!name.startsWith(prefix)) {
        break;
      }
      names.add(name);
    }
    return names;
  }

  @Override
  public synchronized void delete(Collection<String> names) throws IOException {
    checkOpen();
    List<Placed> gone = new ArrayList<>();
    for (String name : names) {
      Placed object = placed.getOrDefault(name, doubtful.get(name));
      if (object != null) {
        for (int slot : object.slots) {
          transfer(store, entryOffset(slot), ByteBuffer.allocate(ENTRY_BYTES), true);
        }
        gone.add(object);
      }
    }
    if (gone.isEmpty()) {
      return;
    }
    // Until that is durable nothing else may be in the slots.
    store.sync();
    placed.keySet().removeAll(List.copyOf(names));
    doubtful.keySet().removeAll(List.copyOf(names));
    gone.forEach(object -> Arrays.stream(object.slots).forEach(used::clear));
  }

  @Override
  public ObjectTraits traits() {
    return new ObjectTraits(1, 1, true, ObjectTraits.Prices.NONE);
  }

  @Override
  public boolean isBeside(Path place) {
    return store.isBeside(place);
  }

  private void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      store.close();
    }
  }

  @Override
  public String toString() {
    return store.toString();
  }
}
