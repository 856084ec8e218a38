package io.github.roram.map;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A keyed hash of 32 bytes, which cannot be predicted without the secret. */
final class KeyedHash {

  static final int SECRET_BYTES = 32;

  private static final String NAME = "HmacSHA256";

  private KeyedHash() {}

  static byte[] newSecret() {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return secret;
  }

  /** Returns a hash, which is not thread safe. */
  static Mac of(byte[] secret) {
    try {
      Mac mac = Mac.getInstance(NAME);
      mac.init(new SecretKeySpec(secret, NAME));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + NAME, e);
    }
  }
}
