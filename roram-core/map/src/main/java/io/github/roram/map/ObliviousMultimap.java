package io.github.roram.map;

import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.threads.Futures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A map from keys to sets of values, in an ORAM of its own: a sorted map of which each key is a key
 * and a value, so that those of one key are next to each other. To put, to remove and to ask for a
 * value look the same; {@link #get} shows how many leaves were asked for, not how many values there
 * are.
 *
 * <p>Thread safety: safe, as {@link ObliviousSortedMap}.
 */
public final class ObliviousMultimap {

  private static final byte[] PRESENT = {};

  private final ObliviousSortedMap pairs;
  private final EntryShape shape;

  private ObliviousMultimap(ObliviousSortedMap pairs, EntryShape shape) {
    this.pairs = pairs;
    this.shape = shape;
  }

  /** Key, zeros, its length, value: in the order of keys, and of one key in that of values. */
  private static EntryShape ofPairs(EntryShape shape) {
    return new EntryShape(shape.keyBytes() + Short.BYTES + shape.valueBytes(), 0);
  }

  /**
   * Makes an empty one.
   *
   * @param oram is the map's; who opened it closes it
   * @param shape how long keys and values may be; together at most 1,022 bytes
   * @throws ConfigurationException as {@link ObliviousSortedMap#create(Oram, EntryShape)}
   */
  public static ObliviousMultimap create(Oram oram, EntryShape shape) throws IOException {
    EntryShape pairs = ofPairs(shape);
    int leafExponent = ObliviousSortedMap.leafExponent(oram, pairs);
    return new ObliviousMultimap(
        ObliviousSortedMap.create(oram, pairs, leafExponent, shape.keyBytes()), shape);
  }

  /**
   * Opens one, after a crash as well.
   *
   * @param shape with which it was made
   * @throws ConfigurationException if there is none, or one of another shape, of which an old one,
   *     and a sorted map, tell only how long a key and a value are together
   */
  public static ObliviousMultimap open(Oram oram, EntryShape shape) throws IOException {
    MapHeader header = MapHeader.read(oram.async(), MapHeader.SORTED);
    int keyBytes = header.pairKeyBytes();
    boolean isOther = keyBytes != 0 && keyBytes != shape.keyBytes();
    if (isOther || !header.shape().equals(ofPairs(shape))) {
      throw new ConfigurationException(
          "the store has no multimap of "
              + shape
              + " but a sorted map of "
              + header.shape()
              + (keyBytes == 0 ? "" : " with keys of up to " + keyBytes + " bytes")
              + "; open it with the shape that it was made with");
    }
    return new ObliviousMultimap(ObliviousSortedMap.open(oram, oram.async(), header), shape);
  }

  private byte[] prefix(byte[] key) {
    shape.checkKey(key);
    return ByteBuffer.allocate(shape.keyBytes() + Short.BYTES)
        .put(key)
        .putShort(shape.keyBytes(), (short) key.length)
        .array();
  }

  private byte[] pair(byte[] key, byte[] value) {
    shape.checkValue(value);
    byte[] prefix = prefix(key);
    byte[] pair = Arrays.copyOf(prefix, prefix.length + value.length);
    System.arraycopy(value, 0, pair, prefix.length, value.length);
    return pair;
  }

  private CompletableFuture<Boolean> had(byte[] pair, boolean leaves, boolean puts) {
    return pairs
        .updateAsync(pair, before -> leaves ? before : puts ? PRESENT : null)
        .thenApply(before -> before.isPresent());
  }

  /** Gives a key one more value; returns whether it did not have it. */
  public boolean put(byte[] key, byte[] value) throws IOException {
    return !Futures.join(had(pair(key, value), false, true));
  }

  /** Takes a value from a key; returns whether it had it. */
  public boolean remove(byte[] key, byte[] value) throws IOException {
    return Futures.join(had(pair(key, value), false, false));
  }

  /** Whether a key has a value. */
  public boolean contains(byte[] key, byte[] value) throws IOException {
    return Futures.join(had(pair(key, value), true, false));
  }

  /**
   * Values of a key.
   *
   * @param values in their order
   * @param more whether the key may have more values in further leaves
   */
  public record Values(List<byte[]> values, boolean more) {}

  /**
   * The values of a key that are in so many leaves from its first on; to go on, ask for more
   * leaves.
   *
   * @param leafCount at least 1
   */
  public Values get(byte[] key, int leafCount) throws IOException {
    byte[] prefix = prefix(key);
    ObliviousSortedMap.Page page = pairs.scan(prefix, leafCount);
    List<byte[]> values =
        page.entries().stream()
            .map(Entry::key)
            .filter(pair -> startsWith(pair, prefix))
            .map(pair -> Arrays.copyOfRange(pair, prefix.length, pair.length))
            .toList();
    byte[] next = page.next();
    boolean more =
        next != null && (startsWith(next, prefix) || Arrays.compareUnsigned(next, prefix) < 0);
    return new Values(values, more);
  }

  private static boolean startsWith(byte[] pair, byte[] prefix) {
    return pair.length >= prefix.length
        && Arrays.equals(pair, 0, prefix.length, prefix, 0, prefix.length);
  }
}
