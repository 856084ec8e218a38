package io.github.roram.map;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Function;

/**
 * Encodes keys or values of a type as bytes. The encoding must not be longer than the {@link
 * EntryShape} of the map allows.
 */
public interface Codec<T> {

  /** Returns the bytes of a value; equal values have equal bytes. */
  byte[] encode(T value);

  /** Returns the value that {@link #encode} encoded. */
  T decode(byte[] bytes);

  /** Returns a codec made of two functions. */
  static <T> Codec<T> of(Function<? super T, byte[]> encode, Function<byte[], ? extends T> decode) {
    return new Codec<>() {
      @Override
      public byte[] encode(T value) {
        return encode.apply(value);
      }

      @Override
      public T decode(byte[] bytes) {
        return decode.apply(bytes);
      }
    };
  }

  /**
   * Returns a codec of text as UTF-8, which sorts by code points. It refuses text with half a
   * surrogate pair, which UTF-8 cannot encode.
   */
  static Codec<String> strings() {
    return of(Codec::utf8, bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  /** Returns a codec of numbers as 8 bytes, which sorts as numbers do, negative ones first. */
  static Codec<Long> longs() {
    return of(
        number -> ByteBuffer.allocate(Long.BYTES).putLong(number ^ Long.MIN_VALUE).array(),
        bytes -> ByteBuffer.wrap(bytes).getLong() ^ Long.MIN_VALUE);
  }

  /** Returns a codec of UUIDs as 16 bytes, which sorts by their digits. */
  static Codec<UUID> uuids() {
    return of(
        uuid ->
            ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array(),
        bytes ->
            new UUID(ByteBuffer.wrap(bytes).getLong(), ByteBuffer.wrap(bytes).getLong(Long.BYTES)));
  }

  private static byte[] utf8(String text) {
    for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
      if (Character.getType(text.codePointAt(at)) == Character.SURROGATE) {
        throw new IllegalArgumentException(
            "character " + at + " of a text is half a surrogate pair; give it as a whole");
      }
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
