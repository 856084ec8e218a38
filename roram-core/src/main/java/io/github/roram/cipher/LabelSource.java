package io.github.roram.cipher;

import java.security.SecureRandom;

/** Draws fresh labels, uniform over the leaves. Injected, so that tests can fix them. */
@FunctionalInterface
public interface LabelSource {

  /**
   * A fresh label.
   *
   * @param leaves a power of two
   */
  int next(int leaves);

  /** Labels from the platform's strong generator, which is asked for many at once. */
  static LabelSource secure() {
    return new SecureLabels(new SecureRandom());
  }

  /** {@link LabelSource} over a {@link SecureRandom}. Thread safe. */
  final class SecureLabels implements LabelSource {
    private final SecureRandom random;
    private final byte[] buffer = new byte[4096];
    private final java.nio.ByteBuffer view = java.nio.ByteBuffer.wrap(buffer);

    SecureLabels(SecureRandom random) {
      this.random = random;
      view.position(buffer.length);
    }

    @Override
    public synchronized int next(int leaves) {
      if (!view.hasRemaining()) {
        random.nextBytes(buffer);
        view.rewind();
      }
      return view.getInt() & (leaves - 1);
    }
  }
}
