package io.github.roram.store;

import java.util.zip.CRC32C;

/** The checksum of bytes stored or sent in the clear: it detects accidents, not attacks. */
public final class Crc32c {

  private Crc32c() {}

  /** Returns the checksum of {@code count} bytes of an array, from index {@code from} on. */
  public static int of(byte[] bytes, int from, int count) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, count);
    return (int) crc.getValue();
  }
}
