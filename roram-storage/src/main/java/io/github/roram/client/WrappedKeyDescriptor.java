package io.github.roram.client;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.WrongKeyException;
import io.github.roram.cipher.BucketCipher;
import io.github.roram.cipher.RecordCipher;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.Crc32c;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of the client's record {@code key} (big endian).
 *
 * <pre>
 *    0  magic "rORAMkey"          8
 *    8  version                   u16 = 1
 *   10  source                    u8: 1 passphrase, 2 key file, 3 environment variable
 *   11  number of keys n          u8: 1; 2 while the store gets a new master key
 *   12  Argon2id: memory in KiB, passes, lanes   u32, u32, u32; zeros unless a passphrase
 *   24  Argon2id: salt            16; zeros unless a passphrase
 *   40  salt                      32
 *   72  ciphertext                32 n: the master key, the new master key
 *       tag                       16
 *       CRC32C of all before      u32
 * </pre>
 *
 * AES-256-GCM under HKDF of the secret with purpose {@code roram key} and the salt, nonce zero,
 * associated data bytes 0 to 71. The checksum tells a damaged record from a wrong secret.
 */
final class WrappedKeyDescriptor {

  static final int SALT_BYTES = 32;
  static final int MAX_KEYS = 2;
  static final int MAX_BYTES = bytes(MAX_KEYS);

  private static final int VERSION = 1;
  private static final byte[] MAGIC = {'r', 'O', 'R', 'A', 'M', 'k', 'e', 'y'};
  private static final String PURPOSE = "roram key";
  private static final int SOURCE = 10;
  private static final int KEYS = 11;
  private static final int ARGON2 = 12;
  private static final int ARGON2_SALT = 24;
  private static final int ARGON2_SALT_BYTES = 16;

  /** The key is of a fresh salt, and seals one record. */
  private static final byte[] NONCE = new byte[BucketCipher.NONCE_BYTES];

  private static final int SALT = 40;
  private static final int SEALED = 72;

  /** By their code in the format, from 1. */
  private static final List<KeySource> SOURCES =
      List.of(KeySource.PASSPHRASE, KeySource.KEY_FILE, KeySource.ENVIRONMENT);

  private WrappedKeyDescriptor() {}

  private static int bytes(int keys) {
    return SEALED + keys * MasterKey.BYTES + BucketCipher.TAG_BYTES + 4;
  }

  static byte[] encode(
      KeySource source,
      @Nullable PassphraseParameters passphrase,
      byte[] salt,
      byte[] plain,
      MasterKey secret) {
    int keys = plain.length / MasterKey.BYTES;
    ByteBuffer out = ByteBuffer.allocate(bytes(keys));
    out.put(MAGIC).putShort((short) VERSION);
    out.put((byte) (SOURCES.indexOf(source) + 1)).put((byte) keys);
    if (passphrase != null) {
      out.putInt(passphrase.memoryKib());
      out.putInt(passphrase.iterations()).putInt(passphrase.parallelism());
      out.put(HexFormat.of().parseHex(passphrase.saltHex()));
    }
    out.position(SALT).put(salt);
    byte[] record = out.array();
    try (RecordCipher cipher = new RecordCipher(secret, PURPOSE, salt)) {
      cipher.seal(NONCE, Arrays.copyOf(record, SEALED), plain, plain.length, record, SEALED);
    }
    out.putInt(record.length - 4, Crc32c.of(record, 0, record.length - 4));
    return record;
  }

  /**
   * Checks everything that takes no secret.
   *
   * @throws IntegrityException if it is corrupt, or of a newer version
   */
  static void check(byte[] record) {
    if (record.length < bytes(1)
        || !Arrays.equals(record, 0, MAGIC.length, MAGIC, 0, MAGIC.length)
        || ByteBuffer.wrap(record).getInt(record.length - 4)
            != Crc32c.of(record, 0, record.length - 4)) {
      throw damaged();
    }
    int version = ByteBuffer.wrap(record).getShort(8);
    if (version != VERSION) {
      throw new IntegrityException(
          "the client's record 'key' has version "
              + version
              + ", this version of roram reads version "
              + VERSION
              + "; use "
              + (version > VERSION ? "a newer" : "an older")
              + " version");
    }
    if (record[SOURCE] < 1
        || record[SOURCE] > SOURCES.size()
        || record[KEYS] < 1
        || record[KEYS] > MAX_KEYS
        || record.length != bytes(record[KEYS])) {
      throw damaged();
    }
  }

  private static IntegrityException damaged() {
    return new IntegrityException(
        "the client's record 'key', which holds the wrapped master key, is corrupt; restore it from"
            + " a copy: without it the data is lost");
  }

  static KeySource source(byte[] record) {
    return SOURCES.get(record[SOURCE] - 1);
  }

  static PassphraseParameters passphrase(byte[] record) {
    ByteBuffer in = ByteBuffer.wrap(record);
    String salt = HexFormat.of().formatHex(record, ARGON2_SALT, ARGON2_SALT + ARGON2_SALT_BYTES);
    try {
      return new PassphraseParameters(
          in.getInt(ARGON2), in.getInt(ARGON2 + 4), in.getInt(ARGON2 + 8), salt);
    } catch (ConfigurationException e) {
      throw new IntegrityException("the client's record 'key' was forged", e);
    }
  }

  /** Returns the plaintext, which the caller wipes. */
  static byte[] open(byte[] record, MasterKey secret) {
    byte[] plain = new byte[record[KEYS] * MasterKey.BYTES];
    byte[] salt = Arrays.copyOfRange(record, SALT, SEALED);
    try (RecordCipher cipher = new RecordCipher(secret, PURPOSE, salt)) {
      int sealedBytes = plain.length + BucketCipher.TAG_BYTES;
      byte[] associated = Arrays.copyOf(record, SEALED);
      if (!cipher.open(NONCE, associated, record, SEALED, sealedBytes, plain)) {
        throw new WrongKeyException(
            "the store is locked with "
                + source(record)
                + ", and this is not the right one; nothing was changed");
      }
    }
    return plain;
  }
}
