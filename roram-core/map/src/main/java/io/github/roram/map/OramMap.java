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
 * A map from keys to values in an ORAM of its own. All operations on one key are {@link
 * #updateAsync}, so that they look the same.
 *
 * <p>Thread safety: safe; operations on a key are one after another, in the order of calls.
 */
public abstract sealed class OramMap permits ObliviousMap, ObliviousSortedMap {

  private final AsyncOram oram;
  private final EntryShape shape;

  OramMap(AsyncOram oram, EntryShape shape) {
    this.oram = oram;
    this.shape = shape;
  }

  /**
   * Opens the map that is in an ORAM, after a crash as well.
   *
   * @param oram is the map's; who opened it closes it
   * @throws ConfigurationException if it has none
   */
  public static OramMap open(Oram oram) throws IOException {
    return open(oram, oram.async());
  }

  /**
   * Opens the map that is in an ORAM, whose operations make their accesses through another view of
   * it, as one at a {@linkplain io.github.roram.ConstantRate constant rate}, whose class must be of
   * {@link #accessBlocks} or more.
   *
   * @throws ConfigurationException if it has none
   */
  public static OramMap open(Oram oram, AsyncOram through) throws IOException {
    MapHeader header = MapHeader.read(oram.async());
    return header.kind() == MapHeader.SORTED
        ? ObliviousSortedMap.open(oram, through, header)
        : new ObliviousMap(through, header);
  }

  /**
   * Has the map that is in an ORAM, if there is one, keep to its blocks when the ORAM {@linkplain
   * Oram#grow grows}: to be called before. It is opened with the capacity that it had.
   */
  public static void keepCapacity(Oram oram) throws IOException {
    MapHeader.keepBlocks(oram);
  }

  /**
   * The same for a copy of an ORAM that has another number of blocks.
   *
   * @param block block 0 on its way into the copy, which is changed where the map in it does not
   *     say how many blocks it uses
   * @param blocks of the ORAM
   * @param copyBlocks of the copy
   * @throws ConfigurationException if the map uses more than the copy has
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

  /** How long keys and values may be. */
  public final EntryShape shape() {
    return shape;
  }

  /** Blocks of its longest access: 2, or as many as two leaves of a sorted map have. */
  public abstract int accessBlocks();

  /** A view of this map with keys and values of types. */
  public final <K, V> TypedMap<K, V> typed(Codec<K> keys, Codec<V> values) {
    return new TypedMap<>(this, keys, values);
  }

  /** What makes the accesses. */
  final AsyncOram oram() {
    return oram;
  }

  /**
   * One operation: has a function say what a key's value becomes.
   *
   * @param change gets the value, or null if there is none, and returns the new one, or null to
   *     have none; quick, and without effects: it runs within the access. What it throws is thrown
   * @return completes with the value before, if there was one; exceptionally with {@link
   *     MapFullException} if there is no room for the key, and nothing was changed; with {@link
   *     IOException} as {@link Oram#access}: it may have been done or not
   */
  public abstract CompletableFuture<Optional<byte[]>> updateAsync(
      byte[] key, UnaryOperator<byte @Nullable []> change);

  /** As {@link #updateAsync}, for callers who wait. */
  public final Optional<byte[]> update(byte[] key, UnaryOperator<byte @Nullable []> change)
      throws IOException {
    return Futures.join(updateAsync(key, change));
  }

  /** The value of a key, if there is one. */
  public final Optional<byte[]> get(byte[] key) throws IOException {
    return update(key, value -> value);
  }

  /** Gives a key a value; returns what it had. */
  public final Optional<byte[]> put(byte[] key, byte[] value) throws IOException {
    return Futures.join(putAsync(key, value));
  }

  private CompletableFuture<Optional<byte[]>> putAsync(byte[] key, byte[] value) {
    shape.checkValue(value);
    byte[] own = value.clone();
    return updateAsync(key, before -> own);
  }

  /** Takes a key out; returns what it had. */
  public final Optional<byte[]> remove(byte[] key) throws IOException {
    return update(key, value -> null);
  }

  /**
   * Changes a key's value if it is as expected.
   *
   * @param expected null for no value
   * @param next null to have none
   * @return whether it was
   */
  public final boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] next)
      throws IOException {
    if (next != null) {
      shape.checkValue(next);
    }
    Optional<byte[]> before = update(key, value -> Arrays.equals(value, expected) ? next : value);
    return Arrays.equals(before.orElse(null), expected);
  }

  /** Values of several keys, in their order, by as many accesses, under way at the same time. */
  public final List<Optional<byte[]>> getAll(List<byte[]> keys) throws IOException {
    return joinAll(keys.stream().map(key -> updateAsync(key, value -> value)).toList());
  }

  /**
   * Gives keys values, by as many accesses, under way at the same time; if one fails, others may be
   * done.
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
