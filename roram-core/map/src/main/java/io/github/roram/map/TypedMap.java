package io.github.roram.map;

import io.github.roram.threads.Futures;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A view of an {@link OramMap} whose keys and values have types. Its operations are those of the
 * map, and look the same.
 *
 * <p>Thread safety: safe, if the codecs are.
 */
public final class TypedMap<K, V> {

  private final OramMap map;
  private final Codec<K> keys;
  private final Codec<V> values;

  TypedMap(OramMap map, Codec<K> keys, Codec<V> values) {
    this.map = map;
    this.keys = keys;
    this.values = values;
  }

  /** Changes a key's value as {@link OramMap#updateAsync} does. */
  public CompletableFuture<Optional<V>> updateAsync(K key, UnaryOperator<@Nullable V> change) {
    return map.updateAsync(
            keys.encode(key),
            before -> {
              V after = change.apply(before == null ? null : values.decode(before));
              return after == null ? null : values.encode(after);
            })
        .thenApply(before -> before.map(values::decode));
  }

  /** Changes a key's value as {@link OramMap#update} does; returns the old value. */
  public Optional<V> update(K key, UnaryOperator<@Nullable V> change) throws IOException {
    return Futures.join(updateAsync(key, change));
  }

  /** Returns the value of a key, if there is one. */
  public Optional<V> get(K key) throws IOException {
    return map.get(keys.encode(key)).map(values::decode);
  }

  /** Sets the value of a key; returns the old one. */
  public Optional<V> put(K key, V value) throws IOException {
    return map.put(keys.encode(key), values.encode(value)).map(values::decode);
  }

  /** Removes a key; returns its value. */
  public Optional<V> remove(K key) throws IOException {
    return map.remove(keys.encode(key)).map(values::decode);
  }

  /**
   * Sets a value as {@link OramMap#compareAndSet} does; null means no value.
   *
   * @return whether the value was as expected
   */
  public boolean compareAndSet(K key, @Nullable V expected, @Nullable V next) throws IOException {
    return map.compareAndSet(
        keys.encode(key),
        expected == null ? null : values.encode(expected),
        next == null ? null : values.encode(next));
  }
}
