package io.github.roram.map;

import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A map of values of several declared lengths, from a few bytes to many blocks. A hashed map, in an
 * ORAM of its own, gives the <i>place</i> of each key's value: one of the runs of blocks of the
 * value's class, in another ORAM. A key belongs to a class: the same bytes in another class are
 * another key.
 *
 * <p>Each operation is one access to the hashed map and one to a place, one after the other. The
 * entry of a key and its place have the same random stamp, and an entry whose place has another
 * stamp does not count. So a crash between the two accesses leaves the key with its old value, or
 * without one if it had none. Opening scans the hashed map to find the free places.
 *
 * <p>The first block of the values' ORAM; big endian, the rest are zeros. Its last 4 bytes are the
 * {@linkplain ObliviousMap#mark mark} of the hashed map; 0 in stores older than the mark.
 *
 * <pre>
 *   0  magic "RORAMVAL"                     u64
 *   8  number of classes                    u32
 *  12  of each: value bytes, places         u32, u32
 * </pre>
 *
 * A place: its stamp (u64), the length of the value (u32), the value.
 *
 * <h2>Security</h2>
 *
 * The two stores see that there was an operation, and its class; get, put, remove and a miss look
 * the same, and so do all keys. Opening shows one pass over the hashed map.
 *
 * <p>Thread safety: safe; operations run one after another.
 */
public final class ObliviousValues {

  private static final long MAGIC = 0x524F52414D56414CL;
  private static final int CLASSES_OFFSET = 12;
  private static final int CLASS_BYTES = 2 * Integer.BYTES;
  private static final int MOST_CLASSES = 128;
  private static final int MOST_KEY_BYTES = 1023;
  private static final int NONE = -1;
  private static final int PLACE_HEADER_BYTES = Long.BYTES + Integer.BYTES;

  /** Bytes of an entry of the hashed map: the number of the place, and its stamp. */
  private static final int ENTRY_BYTES = Integer.BYTES + Long.BYTES;

  private final ObliviousMap index;
  private final Oram values;
  private final List<Places> classes = new ArrayList<>();
  private final SecureRandom stamps = new SecureRandom();

  private ObliviousValues(ObliviousMap index, Oram values, List<ValueClass> declared) {
    this.index = index;
    this.values = values;
    long first = 1;
    for (ValueClass one : declared) {
      classes.add(new Places(one, first));
      first += blocks(one, values.config()) * one.places();
    }
  }

  /** Returns the blocks of a place. */
  private static long blocks(ValueClass one, OramConfig config) {
    long bytes = (long) PLACE_HEADER_BYTES + one.valueBytes();
    return (bytes + config.blockBytes() - 1) / config.blockBytes();
  }

  /**
   * Creates an empty map.
   *
   * @param index an ORAM whose blocks are zeros, for the hashed map
   * @param values another such ORAM, for the values; the opener of the two closes them
   * @param keyBytes the longest key, 1 to 1023
   * @param declared the classes, which are numbered 0, 1, …
   * @throws ConfigurationException if keys cannot be so long, the values' ORAM has no room for the
   *     classes or has data in block 0, or if the other ORAM has no room for their keys, or is
   *     refused by {@link ObliviousMap#create}
   */
  public static ObliviousValues create(
      Oram index, Oram values, int keyBytes, List<ValueClass> declared) throws IOException {
    if (keyBytes < 1 || keyBytes > MOST_KEY_BYTES) {
      throw new ConfigurationException(
          "keys of up to " + keyBytes + " bytes, must be 1 to " + MOST_KEY_BYTES + "; hash them");
    }
    EntryShape entries = new EntryShape(1 + keyBytes, ENTRY_BYTES);
    checkClasses(values.config(), declared);
    long all = declared.stream().mapToLong(ValueClass::places).sum();
    if (all > ObliviousMap.capacity(index.config(), entries)) {
      throw new ConfigurationException(
          "there are "
              + all
              + " places, and a hashed map in the other store has room for "
              + ObliviousMap.capacity(index.config(), entries)
              + " keys; declare fewer places, or create it with more blocks");
    }
    if (MapHeader.hasData(values.read(0, 1))) {
      throw new ConfigurationException("block 0 of the values' store is not empty; use a new one");
    }
    ObliviousMap map = ObliviousMap.create(index, entries);
    values.write(0, header(values.config().blockBytes(), declared, map.mark()));
    return new ObliviousValues(map, values, declared);
  }

  private static void checkClasses(OramConfig config, List<ValueClass> declared) {
    int most = Math.min(MOST_CLASSES, (config.blockBytes() - CLASSES_OFFSET) / CLASS_BYTES);
    if (declared.isEmpty() || declared.size() > most) {
      throw new ConfigurationException(
          declared.size() + " classes of values, must be 1 to " + most + "; declare fewer");
    }
    long end = 1;
    long longest = 0;
    for (ValueClass one : declared) {
      longest = Math.max(longest, blocks(one, config));
      end += blocks(one, config) * one.places();
    }
    WholeRun.check(config, "the longest values", longest);
    if (end > config.blocks()) {
      throw new ConfigurationException(
          "the values take "
              + end
              + " blocks, the store has "
              + config.blocks()
              + "; declare fewer or shorter values, or create it with more");
    }
  }

  private static ByteBuffer header(int blockBytes, List<ValueClass> declared, int mark) {
    ByteBuffer block = ByteBuffer.allocate(blockBytes);
    block.putLong(MAGIC).putInt(declared.size());
    declared.forEach(one -> block.putInt(one.valueBytes()).putInt(one.places()));
    // Behind all classes: block sizes are multiples of 8 bytes.
    return block.putInt(blockBytes - Integer.BYTES, mark).rewind();
  }

  /**
   * Opens a map, even after a crash: scans the hashed map.
   *
   * @throws ConfigurationException if the two ORAMs have no such map, or the first cannot be
   *     scanned
   */
  public static ObliviousValues open(Oram index, Oram values) throws IOException {
    ByteBuffer block = values.read(0, 1);
    if (block.getLong(0) != MAGIC) {
      throw new ConfigurationException("the store has no values of a map; create them");
    }
    List<ValueClass> declared = new ArrayList<>();
    for (int i = 0; i < block.getInt(Long.BYTES); i++) {
      int at = CLASSES_OFFSET + i * CLASS_BYTES;
      declared.add(new ValueClass(block.getInt(at), block.getInt(at + Integer.BYTES)));
    }
    checkClasses(values.config(), declared);
    ObliviousMap map = ObliviousMap.open(index);
    int mark = block.getInt(values.config().blockBytes() - Integer.BYTES);
    if (mark != 0 && mark != map.mark()) {
      throw new ConfigurationException(
          "the map in the first store is not of the values in the other; give the two that were"
              + " created together");
    }
    ObliviousValues opened = new ObliviousValues(map, values, declared);
    opened.index.forEach(
        index,
        entry -> opened.classes.get(entry.key()[0]).take(ByteBuffer.wrap(entry.value()).getInt(0)));
    return opened;
  }

  /**
   * Returns the value of a key of a class, if there is one.
   *
   * @throws IllegalArgumentException if there is no such class, or the key is too long
   */
  public synchronized Optional<byte[]> get(int sizeClass, byte[] key) throws IOException {
    Places places = places(sizeClass);
    return places.read(index.get(keyOf(sizeClass, key)).map(ByteBuffer::wrap).orElse(null));
  }

  /**
   * Sets the value of a key of a class.
   *
   * @throws IllegalArgumentException if there is no such class, the value is too long for the
   *     class, or the key is too long
   * @throws MapFullException if all places of the class are taken; nothing was changed
   * @throws IOException like {@link Oram#access}: the change may or may not have been made
   */
  public synchronized void put(int sizeClass, byte[] key, byte[] value) throws IOException {
    Places places = places(sizeClass);
    places.checkValue(value);
    byte[] own = keyOf(sizeClass, key);
    int free = places.free();
    ByteBuffer fresh =
        ByteBuffer.allocate(ENTRY_BYTES).putInt(free).putLong(stamps.nextLong()).rewind();
    // After another failure it may be the key's place, so it stays taken until the next opening.
    places.take(free);
    ByteBuffer entry;
    try {
      entry =
          index
              .update(own, old -> old == null && free >= 0 ? fresh.array() : old)
              .map(ByteBuffer::wrap)
              .orElse(free >= 0 ? fresh : null);
    } catch (MapFullException e) {
      places.release(free);
      throw e;
    }
    if (entry == null) {
      Optional<byte[]> unused = places.read(null);
      throw new MapFullException(
          "all "
              + places.declared.places()
              + " places for values of up to "
              + places.declared.valueBytes()
              + " bytes are taken; copy the map to one with more");
    }
    if (entry.getInt(0) != free) {
      places.release(free);
    }
    places.write(entry, value);
  }

  /**
   * Removes a key of a class.
   *
   * @throws IllegalArgumentException if there is no such class, or the key is too long
   */
  public synchronized void remove(int sizeClass, byte[] key) throws IOException {
    Places places = places(sizeClass);
    ByteBuffer entry = index.remove(keyOf(sizeClass, key)).map(ByteBuffer::wrap).orElse(null);
    Optional<byte[]> unused = places.read(entry);
    if (entry != null) {
      places.release(entry.getInt(0));
    }
  }

  private Places places(int sizeClass) {
    if (sizeClass < 0 || sizeClass >= classes.size()) {
      throw new IllegalArgumentException(
          "the class is " + sizeClass + ", this map's are 0 to " + (classes.size() - 1));
    }
    return classes.get(sizeClass);
  }

  /** Returns the key in the hashed map, which begins with the class. */
  private byte[] keyOf(int sizeClass, byte[] key) {
    int most = index.shape().keyBytes() - 1;
    if (key.length > most) {
      throw new IllegalArgumentException(
          "the key has " + key.length + " bytes, this map's have at most " + most);
    }
    return ByteBuffer.allocate(1 + key.length).put((byte) sizeClass).put(key).array();
  }

  /** The places of a class. */
  private final class Places {
    private final ValueClass declared;
    private final long first;
    private final int blocks;
    private final BitSet taken = new BitSet();

    /** Creates free places from a block on. */
    Places(ValueClass declared, long first) {
      this.declared = declared;
      this.first = first;
      blocks = (int) blocks(declared, values.config());
    }

    void checkValue(byte[] value) {
      if (value.length > declared.valueBytes()) {
        throw new IllegalArgumentException(
            "the value has "
                + value.length
                + " bytes, those of its class have at most "
                + declared.valueBytes());
      }
    }

    /** Returns a free place, or −1. */
    int free() {
      int free = taken.nextClearBit(0);
      return free < declared.places() ? free : NONE;
    }

    void take(int place) {
      if (place != NONE) {
        taken.set(place);
      }
    }

    void release(int place) {
      if (place != NONE) {
        taken.clear(place);
      }
    }

    private WholeRun run(int place) {
      return new WholeRun(values, first + (long) place * blocks, blocks);
    }

    /** Reads the place of an entry; without an entry, reads the first place and ignores it. */
    Optional<byte[]> read(@Nullable ByteBuffer entry) throws IOException {
      ByteBuffer place = ByteBuffer.allocate(PLACE_HEADER_BYTES + declared.valueBytes());
      run(entry == null ? 0 : entry.getInt(0)).read(place);
      if (entry == null || place.getLong(0) != entry.getLong(Integer.BYTES)) {
        return Optional.empty();
      }
      byte[] value = new byte[place.getInt(Long.BYTES)];
      place.get(PLACE_HEADER_BYTES, value);
      return Optional.of(value);
    }

    void write(ByteBuffer entry, byte[] value) throws IOException {
      ByteBuffer place = ByteBuffer.allocate(PLACE_HEADER_BYTES + declared.valueBytes());
      place.putLong(entry.getLong(Integer.BYTES)).putInt(value.length).put(value).rewind();
      run(entry.getInt(0)).write(place);
    }
  }
}
