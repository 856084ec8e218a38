package io.github.roram.client;

import io.github.roram.ConfigurationException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.crypto.SystemRandom;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * Parameters of Argon2id (RFC 9106), which derives a {@link MasterKey} from a passphrase. They are
 * not secret, and are kept with the {@link WrappedKey}.
 *
 * @param memoryKib memory, in KiB
 * @param iterations passes over the memory
 * @param parallelism number of lanes
 * @param saltHex 16 random bytes, in hexadecimal
 */
public record PassphraseParameters(int memoryKib, int iterations, int parallelism, String saltHex) {

  private static final int FRESH_KIB = 64 * 1024;

  /** Returns RFC 9106's second recommended choice (64 MiB, 3 passes, 4 lanes) with a fresh salt. */
  public static PassphraseParameters fresh() {
    byte[] salt = new byte[16];
    SystemRandom.fill(salt);
    return new PassphraseParameters(FRESH_KIB, 3, 4, HexFormat.of().formatHex(salt));
  }

  /** Checks the bounds: a hostile parameter file must not exhaust memory. */
  public PassphraseParameters {
    if (memoryKib < 8 * 1024
        || memoryKib > 4 << 20
        || iterations < 1
        || iterations > 64
        || parallelism < 1
        || parallelism > 64
        || saltHex.length() != 32) {
      throw new ConfigurationException(
          "passphrase parameters are out of bounds (memory 8 MiB to 4 GiB, 1 to 64 passes, 1 to 64"
              + " lanes, 16 bytes of salt); restore the file from a copy");
    }
  }

  /**
   * Derives the key. The caller wipes the passphrase.
   *
   * @throws ConfigurationException if Bouncy Castle is not on the class path, or the heap is
   *     smaller than the memory that Argon2id takes with these parameters
   */
  public MasterKey derive(char[] passphrase) {
    return derive(passphrase, Runtime.getRuntime().maxMemory());
  }

  /** Derives the key with a heap of this many bytes. */
  MasterKey derive(char[] passphrase, long heapBytes) {
    if (memoryKib > heapBytes >> 10) {
      throw tooMuch(heapBytes);
    }
    try {
      return argon2(passphrase);
    } catch (OutOfMemoryError e) {
      throw (ConfigurationException) tooMuch(heapBytes).initCause(e);
    } catch (NoClassDefFoundError e) {
      throw new ConfigurationException(
          "a passphrase needs Bouncy Castle: add org.bouncycastle:bcprov-jdk18on to the class path, or"
              + " use a key file");
    }
  }

  /** The parameters may come from anyone who can write to the record. */
  private ConfigurationException tooMuch(long heapBytes) {
    return new ConfigurationException(
        "the record 'key' says that its passphrase takes "
            + (memoryKib >> 10)
            + " MiB of memory (new ones: "
            + (FRESH_KIB >> 10)
            + "), the heap is "
            + (heapBytes >> 20)
            + " MiB: give Java a larger one (-Xmx), or restore the record from a copy");
  }

  private MasterKey argon2(char[] passphrase) {
    byte[] password = utf8(passphrase);
    byte[] secret = new byte[MasterKey.BYTES];
    try {
      Argon2BytesGenerator argon2 = new Argon2BytesGenerator();
      argon2.init(
          new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
              .withVersion(Argon2Parameters.ARGON2_VERSION_13)
              .withMemoryAsKB(memoryKib)
              .withIterations(iterations)
              .withParallelism(parallelism)
              .withSalt(HexFormat.of().parseHex(saltHex))
              .build());
      argon2.generateBytes(password, secret);
      return MasterKey.copyOf(secret);
    } finally {
      Arrays.fill(password, (byte) 0);
      Arrays.fill(secret, (byte) 0);
    }
  }

  private static byte[] utf8(char[] passphrase) {
    byte[] room = new byte[3 * passphrase.length];
    ByteBuffer out = ByteBuffer.wrap(room);
    StandardCharsets.UTF_8
        .newEncoder()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .encode(CharBuffer.wrap(passphrase), out, true);
    byte[] encoded = Arrays.copyOf(room, out.position());
    Arrays.fill(room, (byte) 0);
    return encoded;
  }
}
