package io.github.roram.map;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Function;

/**
 * How keys or values of a type are bytes. What it makes must not be longer than the {@link
 * EntryShape} of the map has room for.
 */
public interface Codec<T> {

  /** The bytes of a value; equal ones have the same. */
  byte[] encode(T value);

  /** The value of bytes that {@link #encode} made. */
  T decode(byte[] bytes);

  /** Of two functions. */
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

  /** Text as UTF-8, in the order of code points. */
  static Codec<String> strings() {
    return of(
        text -> text.getBytes(StandardCharsets.UTF_8),
        bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  /** Numbers as 8 bytes, in their order: negative ones come first. */
  static Codec<Long> longs() {
    return of(
        number -> ByteBuffer.allocate(Long.BYTES).putLong(number ^ Long.MIN_VALUE).array(),
        bytes -> ByteBuffer.wrap(bytes).getLong() ^ Long.MIN_VALUE);
  }

  /** 16 bytes, in the order of their digits. */
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
}
