package io.github.roram.map;

import io.github.roram.threads.Futures;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A view of an {@link OramMap} whose keys and values have types. Operations are those of the map,
 * and look the same.
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

  /** As {@link OramMap#updateAsync}. */
  public CompletableFuture<Optional<V>> updateAsync(K key, UnaryOperator<@Nullable V> change) {
    return map.updateAsync(
            keys.encode(key),
            before -> {
              V after = change.apply(before == null ? null : values.decode(before));
              return after == null ? null : values.encode(after);
            })
        .thenApply(before -> before.map(values::decode));
  }

  /** As {@link OramMap#update}: returns the value before. */
  public Optional<V> update(K key, UnaryOperator<@Nullable V> change) throws IOException {
    return Futures.join(updateAsync(key, change));
  }

  /** The value of a key, if there is one. */
  public Optional<V> get(K key) throws IOException {
    return map.get(keys.encode(key)).map(values::decode);
  }

  /** Gives a key a value; returns what it had. */
  public Optional<V> put(K key, V value) throws IOException {
    return map.put(keys.encode(key), values.encode(value)).map(values::decode);
  }

  /** Takes a key out; returns what it had. */
  public Optional<V> remove(K key) throws IOException {
    return map.remove(keys.encode(key)).map(values::decode);
  }

  /**
   * As {@link OramMap#compareAndSet}: null for no value.
   *
   * @return whether it was as expected
   */
  public boolean compareAndSet(K key, @Nullable V expected, @Nullable V next) throws IOException {
    return map.compareAndSet(
        keys.encode(key),
        expected == null ? null : values.encode(expected),
        next == null ? null : values.encode(next));
  }
}
