package io.github.roram.map;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * A hashed map. Two keyed hashes of a key select two blocks; its entry is in one of them, and a new
 * entry goes to the one with fewer entries (two choices: Azar, Broder, Karlin and Upfal, STOC
 * 1994). Every operation is an {@link #updateAsync}: one access to both blocks.
 *
 * <p>Up to {@link #capacity} entries, the probability that a new entry finds both its blocks full
 * is negligible: a block's fill exceeds the average by little more than log log of the number of
 * blocks. Beyond that, inserts occasionally fail with {@link MapFullException}, and change nothing.
 *
 * <h2>Security</h2>
 *
 * The store sees one access of two blocks for each operation: get, put, remove and a miss look the
 * same, and so do all keys. It sees how many operations there are, and when. The map has no state
 * outside its blocks, so its user has nothing to save.
 *
 * <p>Thread safety: safe; operations run one after another, in some order.
 */
public final class ObliviousMap extends OramMap {

  /**
   * Slots that an average block has free. With two choices the share of blocks that exceed the
   * average by this many entries is about 10^-15, and an insert fails only if it hits two of them.
   */
  static final int SPARE_SLOTS = 6;

  private final ThreadLocal<Mac> hashes;
  private final EntryShape shape;
  private final int slots;
  private final long buckets;

  ObliviousMap(AsyncOram oram, MapHeader header) {
    super(oram, header.shape());
    hashes = ThreadLocal.withInitial(() -> KeyedHash.of(header.secret()));
    shape = header.shape();
    slots = shape.slots(oram.config().blockBytes());
    buckets = header.blocks() - 1;
  }

  /**
   * Creates an empty map in an ORAM whose blocks are zeros.
   *
   * @param oram an ORAM for the map alone, which its opener closes
   * @throws ConfigurationException if the ORAM makes no accesses to scattered blocks, is too small,
   *     has data in block 0, or has blocks of fewer than {@value #SPARE_SLOTS} + 1 entries
   */
  public static ObliviousMap create(Oram oram, EntryShape shape) throws IOException {
    return create(oram.async(), shape);
  }

  /** Creates an empty map in an ORAM that is only asynchronous, like that of a proxy's client. */
  public static ObliviousMap create(AsyncOram oram, EntryShape shape) throws IOException {
    int slots = shape.slots(oram.config().blockBytes());
    if (slots <= SPARE_SLOTS || oram.config().blocks() < 3) {
      throw new ConfigurationException(
          "a block of "
              + oram.config().blockBytes()
              + " bytes has room for "
              + slots
              + " entries, must be "
              + (SPARE_SLOTS + 1)
              + " at least, in 3 blocks at least; use larger blocks or shorter values");
    }
    MapHeader header = MapHeader.fresh(MapHeader.HASHED, shape, 0, oram.config().blocks(), 0);
    header.create(oram);
    return new ObliviousMap(oram, header);
  }

  /**
   * Opens a map, even after a crash.
   *
   * @throws ConfigurationException if the ORAM has no hashed map
   */
  public static ObliviousMap open(Oram oram) throws IOException {
    return open(oram.async());
  }

  /** Opens a map in an ORAM that is only asynchronous, such as that of a proxy's client. */
  public static ObliviousMap open(AsyncOram oram) throws IOException {
    return new ObliviousMap(oram, MapHeader.read(oram, MapHeader.HASHED));
  }

  @Override
  public int accessBlocks() {
    return 2;
  }

  /** Returns the number of entries for which there is certainly room. */
  public long capacity() {
    return buckets * (slots - SPARE_SLOTS);
  }

  /** Returns a number by which a store says that it belongs to this map; not 0. */
  int mark() {
    return 1 | ByteBuffer.wrap(hashes.get().doFinal(new byte[0])).getInt();
  }

  /** Returns the {@link #capacity} of a map that is created in an ORAM. */
  static long capacity(OramConfig config, EntryShape shape) {
    return (config.blocks() - 1) * (shape.slots(config.blockBytes()) - SPARE_SLOTS);
  }

  /**
   * Scans the map; no operation may be in flight.
   *
   * @param oram the map's ORAM
   * @param sink receives each entry, in no particular order
   */
  void forEach(Oram oram, Consumer<Entry> sink) throws IOException {
    oram.scan(
        (block, data) -> {
          ByteBuffer bytes = data.slice();
          for (int slot = 0; block > 0 && block <= buckets && slot < slots; slot++) {
            if (!shape.isEmpty(bytes, 0, slot)) {
              sink.accept(new Entry(shape.key(bytes, 0, slot), shape.value(bytes, 0, slot)));
            }
          }
        });
  }

  @Override
  public CompletableFuture<Optional<byte[]>> updateAsync(
      byte[] key, UnaryOperator<byte @Nullable []> change) {
    shape.checkKey(key);
    byte[] own = key.clone();
    byte[] @Nullable [] before = new byte[1][];
    return oram()
        .access(blocks(own), 2, blocks -> before[0] = apply(blocks, own, change))
        .thenApply(none -> Optional.ofNullable(before[0]));
  }

  /** Returns the blocks of a key; just one if both hashes agree. */
  private long[] blocks(byte[] key) {
    ByteBuffer hash = ByteBuffer.wrap(hashes.get().doFinal(key));
    long first = 1 + Long.remainderUnsigned(hash.getLong(), buckets);
    long second = 1 + Long.remainderUnsigned(hash.getLong(), buckets);
    return first == second ? new long[] {first} : new long[] {first, second};
  }

  private byte @Nullable [] apply(
      ByteBuffer[] blocks, byte[] key, UnaryOperator<byte @Nullable []> change) {
    ByteBuffer home = null;
    int slot = -1;
    ByteBuffer emptiest = blocks[0];
    for (ByteBuffer block : blocks) {
      int found = shape.find(block, 0, slots, key);
      if (found >= 0) {
        home = block;
        slot = found;
      }
      emptiest = shape.used(block, 0, slots) < shape.used(emptiest, 0, slots) ? block : emptiest;
    }
    byte @Nullable [] before = home == null ? null : shape.value(home, 0, slot);
    byte @Nullable [] after = change.apply(before == null ? null : before.clone());
    if (after != null) {
      shape.checkValue(after);
      if (home == null) {
        home = emptiest;
        slot = shape.findEmpty(home, 0, slots);
      }
      if (slot < 0) {
        throw new MapFullException(
            "both blocks of a key are full; the map has room for "
                + capacity()
                + " entries: copy it to a larger one");
      }
      shape.put(home, 0, slot, key, after);
    } else if (home != null) {
      shape.clear(home, 0, slot);
    }
    return before;
  }
}
