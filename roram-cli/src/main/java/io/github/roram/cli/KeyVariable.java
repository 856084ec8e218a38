package io.github.roram.cli;

import io.github.roram.crypto.MasterKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A key in an environment variable, for services: 64 hexadecimal digits. */
final class KeyVariable {

  private KeyVariable() {}

  /** The key; the caller closes it. The variable itself stays, as Java cannot wipe it. */
  static MasterKey read(String name, Environment environment) {
    String value = environment.variables().get(name);
    if (value == null) {
      throw new UsageException("environment variable " + name + " is not set");
    }
    byte[] digits = value.getBytes(StandardCharsets.ISO_8859_1);
    byte[] secret = new byte[MasterKey.BYTES];
    try {
      if (!KeyFile.parseHex(digits, secret)) {
        throw new UsageException(
            "environment variable " + name + " is no key; it must hold 64 hexadecimal digits");
      }
      return MasterKey.copyOf(secret);
    } finally {
      Arrays.fill(digits, (byte) 0);
      Arrays.fill(secret, (byte) 0);
    }
  }
}
