package io.github.roram.client;

import io.github.roram.ConfigurationException;
import io.github.roram.crypto.MasterKey;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A file that holds a master key: 32 raw bytes, or 64 hexadecimal digits with white space around
 * them. New files are written in hexadecimal, so that they can be printed and typed in again.
 */
public final class KeyFile {

  private static final String KIND = "key file";
  private static final int HEX_DIGITS = 2 * MasterKey.BYTES;
  private static final int MAX_BYTES = HEX_DIGITS + 16;

  private KeyFile() {}

  /** Reads the key in a file; the caller closes it. */
  public static MasterKey read(Path file) throws IOException {
    byte[] content = SecretFile.read(file, KIND, MAX_BYTES);
    byte[] secret = new byte[MasterKey.BYTES];
    try {
      if (content.length == MasterKey.BYTES) {
        return MasterKey.copyOf(content);
      }
      if (!parseHex(content, secret)) {
        throw new ConfigurationException(
            KIND
                + " "
                + file
                + " has "
                + content.length
                + " bytes that are no key; it must hold 32 raw bytes or 64 hexadecimal digits");
      }
      return MasterKey.copyOf(secret);
    } finally {
      Arrays.fill(content, (byte) 0);
      Arrays.fill(secret, (byte) 0);
    }
  }

  /** Generates a key and writes it to a new file; the caller closes it. */
  public static MasterKey generate(Path file) throws IOException {
    MasterKey key = MasterKey.generate();
    byte[] secret = new byte[MasterKey.BYTES];
    byte[] hex = new byte[HEX_DIGITS + 1];
    try {
      key.copyTo(secret);
      for (int i = 0; i < secret.length; i++) {
        hex[2 * i] = (byte) Character.forDigit((secret[i] >> 4) & 0xf, 16);
        hex[2 * i + 1] = (byte) Character.forDigit(secret[i] & 0xf, 16);
      }
      hex[HEX_DIGITS] = '\n';
      SecretFile.create(file, hex);
      return key;
    } catch (FileAlreadyExistsException e) {
      key.close();
      throw new ConfigurationException(
          KIND + " " + file + " exists and is not overwritten; leave out --new-key to use it");
    } catch (IOException | RuntimeException e) {
      key.close();
      throw e;
    } finally {
      Arrays.fill(secret, (byte) 0);
      Arrays.fill(hex, (byte) 0);
    }
  }

  /** Fills {@code secret} from hexadecimal digits; returns false for any other content. */
  static boolean parseHex(byte[] content, byte[] secret) {
    int digits = 0;
    for (byte b : content) {
      if (b == ' ' || b == '\t' || b == '\r' || b == '\n') {
        if (digits > 0 && digits < HEX_DIGITS) {
          return false;
        }
        continue;
      }
      int digit = Character.digit(b, 16);
      if (digit < 0 || digits == HEX_DIGITS) {
        return false;
      }
      secret[digits / 2] = (byte) (secret[digits / 2] << 4 | digit);
      digits++;
    }
    return digits == HEX_DIGITS;
  }
}
