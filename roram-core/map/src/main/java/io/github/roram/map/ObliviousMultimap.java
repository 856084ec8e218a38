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
 * A map from keys to sets of values, in an ORAM of its own: a sorted map whose keys are pairs of a
 * key and a value, so that the values of one key are next to each other. Putting, removing and
 * testing a value look the same; {@link #get} shows how many leaves were requested, not how many
 * values there are.
 *
 * <p>Thread safety: safe, like {@link ObliviousSortedMap}.
 */
public final class ObliviousMultimap {

  private static final byte[] PRESENT = {};

  private final ObliviousSortedMap pairs;
  private final EntryShape shape;

  private ObliviousMultimap(ObliviousSortedMap pairs, EntryShape shape) {
    this.pairs = pairs;
    this.shape = shape;
  }

  /** The layout is key, zeros, key length, value: it sorts by key, and within a key by value. */
  private static EntryShape ofPairs(EntryShape shape) {
    return new EntryShape(shape.keyBytes() + Short.BYTES + shape.valueBytes(), 0);
  }

  /**
   * Creates an empty multimap.
   *
   * @param oram an ORAM for the map alone, which its opener closes
   * @param shape the longest key and value, together at most 1,022 bytes
   * @throws ConfigurationException as by {@link ObliviousSortedMap#create(Oram, EntryShape)}
   */
  public static ObliviousMultimap create(Oram oram, EntryShape shape) throws IOException {
    EntryShape pairs = ofPairs(shape);
    int leafExponent = ObliviousSortedMap.leafExponent(oram, pairs);
    return new ObliviousMultimap(
        ObliviousSortedMap.create(oram, pairs, leafExponent, shape.keyBytes()), shape);
  }

  /**
   * Opens a multimap, even after a crash.
   *
   * @param shape the shape that it was created with
   * @throws ConfigurationException if there is no multimap, or one of another shape; for old ones,
   *     and for sorted maps, this checks only the sum of the lengths
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

  /** Adds a value to a key; returns whether the value is new. */
  public boolean put(byte[] key, byte[] value) throws IOException {
    return !Futures.join(had(pair(key, value), false, true));
  }

  /** Removes a value from a key; returns whether the key had it. */
  public boolean remove(byte[] key, byte[] value) throws IOException {
    return Futures.join(had(pair(key, value), false, false));
  }

  /** Returns whether a key has a value. */
  public boolean contains(byte[] key, byte[] value) throws IOException {
    return Futures.join(had(pair(key, value), true, false));
  }

  /**
   * Values of a key.
   *
   * @param values the values, sorted
   * @param more whether the key may have more values in further leaves
   */
  public record Values(List<byte[]> values, boolean more) {}

  /**
   * Returns the values of a key in {@code leafCount} leaves from its first one on. To get more
   * values, ask for more leaves.
   *
   * @param leafCount number of leaves to read, at least 1
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
