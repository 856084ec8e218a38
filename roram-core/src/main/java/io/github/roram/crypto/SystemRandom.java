package io.github.roram.crypto;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Random bytes that the operating system generates at the moment of the request, so that none are
 * in this process before. A copy of a running process (a virtual machine's snapshot that is resumed
 * twice, a container's checkpoint) has the memory of the process, and so the state and buffers of
 * every generator in user space, including {@link SecureRandom} on Unix. Bytes drawn here after the
 * copy differ between the copies.
 *
 * <p>Reads {@code /dev/urandom} without a buffer, or, where that does not exist, uses the generator
 * of Windows. A source that gives too few bytes counts as failed. Thread safe.
 *
 * <h2>Security</h2>
 *
 * The kernel decides what two copies of one virtual machine get: Linux reseeds at once if the
 * hypervisor announces the copy (VM generation id), and otherwise uses the copied state for up to a
 * minute.
 */
public final class SystemRandom {

  private static final Path DEVICE = Path.of("/dev/urandom");
  static final SystemRandom SYSTEM = new SystemRandom(SystemRandom::open);

  private final Opening opening;
  volatile @Nullable Source source;

  /** Fills arrays with random bytes, or throws. */
  @FunctionalInterface
  interface Source {
    void fill(byte[] target) throws IOException;
  }

  /** Opens a source. */
  @FunctionalInterface
  interface Opening {
    Source open() throws IOException;
  }

  /** Creates a generator whose source is opened when it is first needed. */
  SystemRandom(Opening opening) {
    this.opening = opening;
  }

  /**
   * Fills an array with random bytes.
   *
   * @throws IllegalStateException if the system gives no random bytes; then nothing may be sealed
   */
  public static void fill(byte[] target) {
    SYSTEM.draw(target);
  }

  /** Fills an array from this source. */
  void draw(byte[] target) {
    try {
      Source opened = source;
      if (opened == null) {
        opened = opening.open();
        source = opened;
      }
      opened.fill(target);
    } catch (IOException e) {
      throw new IllegalStateException(
          "the system gives no fresh random bytes ("
              + e.getMessage()
              + "), without which nothing is sealed; let this process read "
              + DEVICE
              + ", in containers and jails too",
          e);
    }
  }

  private static Source open() throws IOException {
    if (Files.exists(DEVICE)) {
      return of(new FileInputStream(DEVICE.toFile()));
    }
    try {
      return SecureRandom.getInstance("Windows-PRNG")::nextBytes;
    } catch (GeneralSecurityException e) {
      throw new IOException("there is neither " + DEVICE + " nor Windows-PRNG", e);
    }
  }

  /** Returns a source that reads a stream, which must not end. */
  static Source of(InputStream stream) {
    return target -> {
      int read = stream.readNBytes(target, 0, target.length);
      if (read < target.length) {
        throw new IOException("its device ended after " + read + " of " + target.length + " bytes");
      }
    };
  }
}
