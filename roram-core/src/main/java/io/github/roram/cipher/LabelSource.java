package io.github.roram.cipher;

import io.github.roram.crypto.SystemRandom;
import java.nio.ByteBuffer;

/** Draws fresh labels, uniform over the leaves. Injected, so that tests can fix them. */
@FunctionalInterface
public interface LabelSource {

  /**
   * Returns a fresh label.
   *
   * @param leaves number of leaves, a power of two
   */
  int next(int leaves);

  /**
   * Returns a source of at most {@code labels} labels, all drawn now, for one read. No copy of a
   * running client has unused ones when the next read begins.
   */
  default LabelSource drawn(int labels) {
    return this;
  }

  /**
   * Returns a source whose labels the {@linkplain SystemRandom system} draws at each call: a copy
   * of a running client shows other labels than the client itself. Thread safe.
   */
  static LabelSource secure() {
    return new LabelSource() {
      @Override
      public int next(int leaves) {
        return drawn(1).next(leaves);
      }

      @Override
      public LabelSource drawn(int labels) {
        byte[] bytes = new byte[labels * Integer.BYTES];
        SystemRandom.fill(bytes);
        ByteBuffer drawn = ByteBuffer.wrap(bytes);
        return leaves -> drawn.getInt() & (leaves - 1);
      }
    };
  }
}
