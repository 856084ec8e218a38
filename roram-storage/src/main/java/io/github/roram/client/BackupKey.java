package io.github.roram.client;

import io.github.roram.crypto.MasterKey;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Authenticates what a backup consists of: HMAC-SHA-256 under a key of the store's. */
final class BackupKey {

  static final int CODE_BYTES = 32;
  static final String PURPOSE = "roram backup";

  private final SecretKeySpec key;

  /** A key of 32 bytes, which are wiped. */
  BackupKey(byte[] secret) {
    key = new SecretKeySpec(secret, "HmacSHA256");
    Arrays.fill(secret, (byte) 0);
  }

  /** That of a store. */
  static BackupKey of(MasterKey master, UUID storeId) {
    byte[] salt =
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(storeId.getMostSignificantBits())
            .putLong(storeId.getLeastSignificantBits())
            .array();
    return new BackupKey(master.derive(PURPOSE, salt, MasterKey.BYTES));
  }

  /** Returns a code in the making. */
  Mac mac() {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no HmacSHA256", e);
    }
  }

  /** Returns the code of some bytes. */
  byte[] code(byte[] bytes) {
    return mac().doFinal(bytes);
  }
}
