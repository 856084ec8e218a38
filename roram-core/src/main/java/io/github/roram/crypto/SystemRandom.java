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
 * Random bytes that the operating system makes at the moment at which they are asked for: nothing
 * of them is in this process before. A copy of a running process (a virtual machine's snapshot that
 * is resumed twice, a container's checkpoint) has the same memory as the process, and with it the
 * state and the buffers of every generator in user space, those of {@link SecureRandom} on Unix
 * included; what is drawn here after the copy was made is its own.
 *
 * <p>Reads {@code /dev/urandom} without a buffer, and where there is none asks Windows' own
 * generator. What gives fewer bytes than asked for gives none. Thread safe.
 *
 * <h2>Security</h2>
 *
 * What the kernel gives two copies of one virtual machine is the kernel's affair: Linux reseeds at
 * once where the hypervisor announces the copy (VM generation id), and otherwise goes on with the
 * copied state for up to a minute.
 */
public final class SystemRandom {

  private static final Path DEVICE = Path.of("/dev/urandom");
  static final SystemRandom SYSTEM = new SystemRandom(SystemRandom::open);

  private final Opening opening;
  volatile @Nullable Source source;

  /** Fills arrays, or throws. */
  @FunctionalInterface
  interface Source {
    void fill(byte[] target) throws IOException;
  }

  /** Opens a source. */
  @FunctionalInterface
  interface Opening {
    Source open() throws IOException;
  }

  /** Of a source that is opened when it is needed first. */
  SystemRandom(Opening opening) {
    this.opening = opening;
  }

  /**
   * Fills an array.
   *
   * @throws IllegalStateException if the system gives no random bytes; nothing may be sealed then
   */
  public static void fill(byte[] target) {
    SYSTEM.draw(target);
  }

  /** As {@link #fill}, of this source. */
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

  /** Reads a stream that must not end. */
  static Source of(InputStream stream) {
    return target -> {
      int read = stream.readNBytes(target, 0, target.length);
      if (read < target.length) {
        throw new IOException("its device ended after " + read + " of " + target.length + " bytes");
      }
    };
  }
}
