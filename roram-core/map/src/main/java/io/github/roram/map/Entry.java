package io.github.roram.map;

/**
 * A key and its value.
 *
 * @param key the key, which must not be changed
 * @param value the value, which must not be changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Entry(byte[] key, byte[] value) {}
