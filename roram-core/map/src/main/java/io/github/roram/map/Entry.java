package io.github.roram.map;

/**
 * A key and its value.
 *
 * @param key not to be changed
 * @param value not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record Entry(byte[] key, byte[] value) {}
