package io.github.roram.map;

import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A hashed map. Two keyed hashes of a key name two blocks, its entry is in either, and a new entry
 * goes to the one that has fewer (two choices: Azar, Broder, Karlin and Upfal, STOC 1994). All
 * operations are {@link #update}: one access to both blocks.
 *
 * <p>Of {@link #capacity} entries, or fewer, none finds both its blocks full, but with a
 * probability that is negligible: a block's fill exceeds the average by little more than log log of
 * the number of blocks. Beyond, {@link MapFullException} comes now and then, and changes nothing.
 *
 * <h2>Security</h2>
 *
 * The store sees one access of two blocks for each operation: get, put, remove and a miss look the
 * same, and so do all keys. It sees how many operations there are, and when. The map knows nothing
 * that its blocks do not say, so its user has nothing to save.
 *
 * <p>Thread safety: safe; operations are one after another, in some order.
 */
public final class ObliviousMap {

  /** Slots of a block that the average leaves empty. */
  private static final int SPARE_SLOTS = 8;

  private final Oram oram;
  private final MapHeader header;
  private final EntryShape shape;
  private final int slots;
  private final long buckets;

  private ObliviousMap(Oram oram, MapHeader header) {
    this.oram = oram;
    this.header = header;
    shape = header.shape();
    slots = shape.slots(oram.config().blockBytes());
    buckets = oram.config().blocks() - 1;
  }

  /**
   * Makes an empty map of an ORAM whose blocks are zeros.
   *
   * @param oram is the map's; who opened it closes it
   * @throws ConfigurationException if it makes no accesses to scattered blocks, is too small, has
   *     something in block 0, or has blocks of fewer than {@value #SPARE_SLOTS} + 1 entries
   */
  public static ObliviousMap create(Oram oram, EntryShape shape) throws IOException {
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
    MapHeader header = MapHeader.fresh(MapHeader.HASHED, shape, 0);
    header.create(oram);
    return new ObliviousMap(oram, header);
  }

  /**
   * Opens a map, after a crash as well.
   *
   * @throws ConfigurationException if the ORAM has no hashed map
   */
  public static ObliviousMap open(Oram oram) throws IOException {
    return new ObliviousMap(oram, MapHeader.read(oram, MapHeader.HASHED));
  }

  /** How long keys and values may be. */
  public EntryShape shape() {
    return shape;
  }

  /** Entries that surely have room. */
  public long capacity() {
    return buckets * (slots - SPARE_SLOTS);
  }

  /**
   * One operation: has a function say what a key's value becomes.
   *
   * @param change gets the value, or null if there is none, and returns the new one, or null to
   *     have none; quick, and without effects: it runs within the access. What it throws is thrown
   * @return the value before, if there was one
   * @throws MapFullException if there is no room for the key; nothing was changed
   * @throws IOException as {@link Oram#access}: it may have been done or not
   */
  public Optional<byte[]> update(byte[] key, UnaryOperator<byte @Nullable []> change)
      throws IOException {
    return join(updateAsync(key, change));
  }

  /** As {@link #update}, for callers who do not wait. Operations are done in the order of calls. */
  public CompletableFuture<Optional<byte[]>> updateAsync(
      byte[] key, UnaryOperator<byte @Nullable []> change) {
    shape.checkKey(key);
    byte[] own = key.clone();
    byte[] @Nullable [] before = new byte[1][];
    return oram.async()
        .access(blocks(own), 2, blocks -> before[0] = apply(blocks, own, change))
        .thenApply(none -> Optional.ofNullable(before[0]));
  }

  /** The blocks of a key; one, if both hashes say the same. */
  private long[] blocks(byte[] key) {
    ByteBuffer hash = ByteBuffer.wrap(header.hash(key));
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

  /** The value of a key, if there is one. */
  public Optional<byte[]> get(byte[] key) throws IOException {
    return update(key, value -> value);
  }

  /** Gives a key a value; returns what it had. */
  public Optional<byte[]> put(byte[] key, byte[] value) throws IOException {
    return join(putAsync(key, value));
  }

  private CompletableFuture<Optional<byte[]>> putAsync(byte[] key, byte[] value) {
    shape.checkValue(value);
    byte[] own = value.clone();
    return updateAsync(key, before -> own);
  }

  /** Takes a key out; returns what it had. */
  public Optional<byte[]> remove(byte[] key) throws IOException {
    return update(key, value -> null);
  }

  /**
   * Changes a key's value if it is as expected.
   *
   * @param expected null for no value
   * @param next null to have none
   * @return whether it was
   */
  public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] next)
      throws IOException {
    if (next != null) {
      shape.checkValue(next);
    }
    Optional<byte[]> before = update(key, value -> Arrays.equals(value, expected) ? next : value);
    return Arrays.equals(before.orElse(null), expected);
  }

  /** Values of several keys, in their order, by as many accesses, under way at the same time. */
  public List<Optional<byte[]>> getAll(List<byte[]> keys) throws IOException {
    return joinAll(keys.stream().map(key -> updateAsync(key, value -> value)).toList());
  }

  /**
   * Gives keys values, by as many accesses, under way at the same time; if one fails, others may be
   * done.
   *
   * @param entries keys with their values
   */
  public void putAll(List<Entry> entries) throws IOException {
    joinAll(entries.stream().map(each -> putAsync(each.key(), each.value())).toList());
  }

  private static <T> List<T> joinAll(List<CompletableFuture<T>> all) throws IOException {
    join(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)));
    return all.stream().map(CompletableFuture::join).toList();
  }

  static <T> T join(CompletableFuture<T> future) throws IOException {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }
}
