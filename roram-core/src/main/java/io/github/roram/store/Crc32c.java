package io.github.roram.store;

import java.util.zip.CRC32C;

/**
 * The checksum of what is stored, and sent, in the clear: against accidents, not against anyone.
 */
public final class Crc32c {

  private Crc32c() {}

  /** Of so many bytes of an array, from one of them on. */
  public static int of(byte[] bytes, int from, int count) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, count);
    return (int) crc.getValue();
  }
}
