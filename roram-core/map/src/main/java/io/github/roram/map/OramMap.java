package io.github.roram.map;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.threads.Futures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A map from keys to values in an ORAM of its own. Every operation on a key is an {@link
 * #updateAsync}, so they all look the same.
 *
 * <p>Thread safety: safe; operations on a key run one after another, in the order of calls.
 */
public abstract sealed class OramMap permits ObliviousMap, ObliviousSortedMap {

  private final AsyncOram oram;
  private final EntryShape shape;

  OramMap(AsyncOram oram, EntryShape shape) {
    this.oram = oram;
    this.shape = shape;
  }

  /**
   * Opens the map in an ORAM, even after a crash.
   *
   * @param oram an ORAM for the map alone, which its opener closes
   * @throws ConfigurationException if the ORAM has no map
   */
  public static OramMap open(Oram oram) throws IOException {
    return open(oram, oram.async());
  }

  /**
   * Opens the map in an ORAM, and makes its accesses through another view of the ORAM, such as one
   * at a {@linkplain io.github.roram.ConstantRate constant rate}, whose accesses must have at least
   * {@link #accessBlocks} blocks.
   *
   * @throws ConfigurationException if the ORAM has no map
   */
  public static OramMap open(Oram oram, AsyncOram through) throws IOException {
    MapHeader header = MapHeader.read(oram.async());
    return header.kind() == MapHeader.SORTED
        ? ObliviousSortedMap.open(oram, through, header)
        : new ObliviousMap(through, header);
  }

  /**
   * Makes the map in an ORAM, if there is one, keep to its present blocks, and so to its capacity,
   * when the ORAM {@linkplain Oram#grow grows}. Call it before growing.
   */
  public static void keepCapacity(Oram oram) throws IOException {
    MapHeader.keepBlocks(oram);
  }

  /**
   * Makes the map keep to its present blocks in a copy of the ORAM with another number of blocks.
   *
   * @param block block 0 on its way into the copy; gets the map's number of blocks if it lacks it
   * @param blocks number of blocks of the ORAM
   * @param copyBlocks number of blocks of the copy
   * @throws ConfigurationException if the map uses more blocks than the copy has
   */
  public static void keepCapacity(ByteBuffer block, long blocks, long copyBlocks) {
    long used = MapHeader.keepBlocks(block, blocks);
    if (used > copyBlocks) {
      throw new ConfigurationException(
          "the store has a map that uses "
              + used
              + " blocks, and the copy is to have "
              + copyBlocks
              + ": give it as many, or put the map's entries into one of a new store");
    }
  }

  /** Returns the longest key and value. */
  public final EntryShape shape() {
    return shape;
  }

  /** Returns the blocks of the longest access: 2, or those of two leaves of a sorted map. */
  public abstract int accessBlocks();

  /** Returns a view of this map whose keys and values have types. */
  public final <K, V> TypedMap<K, V> typed(Codec<K> keys, Codec<V> values) {
    return new TypedMap<>(this, keys, values);
  }

  /** Returns the view that makes the accesses. */
  final AsyncOram oram() {
    return oram;
  }

  /**
   * Changes a key's value by a function, in one operation.
   *
   * @param change maps the value, or null for none, to the new value, or null for none. It must be
   *     quick and free of side effects, since it runs within the access. Its exceptions are passed
   *     on
   * @return the old value, if there was one; fails with {@link MapFullException} if there is no
   *     room for the key, and nothing was changed; or with {@link IOException} like {@link
   *     Oram#access}, in which case the change may or may not have been made
   */
  public abstract CompletableFuture<Optional<byte[]>> updateAsync(
      byte[] key, UnaryOperator<byte @Nullable []> change);

  /** Changes a key's value as {@link #updateAsync} does, and waits for it. */
  public final Optional<byte[]> update(byte[] key, UnaryOperator<byte @Nullable []> change)
      throws IOException {
    return Futures.join(updateAsync(key, change));
  }

  /** Returns the value of a key, if there is one. */
  public final Optional<byte[]> get(byte[] key) throws IOException {
    return update(key, value -> value);
  }

  /** Sets the value of a key; returns the old one. */
  public final Optional<byte[]> put(byte[] key, byte[] value) throws IOException {
    return Futures.join(putAsync(key, value));
  }

  private CompletableFuture<Optional<byte[]>> putAsync(byte[] key, byte[] value) {
    shape.checkValue(value);
    byte[] own = value.clone();
    return updateAsync(key, before -> own);
  }

  /** Removes a key; returns its value. */
  public final Optional<byte[]> remove(byte[] key) throws IOException {
    return update(key, value -> null);
  }

  /**
   * Sets a key's value if the present one is as expected.
   *
   * @param expected the expected value, or null for none
   * @param next the new value, or null for none
   * @return whether the value was as expected
   */
  public final boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] next)
      throws IOException {
    if (next != null) {
      shape.checkValue(next);
    }
    Optional<byte[]> before = update(key, value -> Arrays.equals(value, expected) ? next : value);
    return Arrays.equals(before.orElse(null), expected);
  }

  /** Returns the values of several keys, in their order, by one access each; accesses overlap. */
  public final List<Optional<byte[]>> getAll(List<byte[]> keys) throws IOException {
    return joinAll(keys.stream().map(key -> updateAsync(key, value -> value)).toList());
  }

  /**
   * Sets the values of several keys, by one access each; accesses overlap. If one fails, others may
   * have been made.
   *
   * @param entries keys with their values
   */
  public final void putAll(List<Entry> entries) throws IOException {
    joinAll(entries.stream().map(each -> putAsync(each.key(), each.value())).toList());
  }

  private static <T> List<T> joinAll(List<CompletableFuture<T>> all) throws IOException {
    Futures.join(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)));
    return all.stream().map(CompletableFuture::join).toList();
  }
}
