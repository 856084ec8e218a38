package io.github.roram.cipher;

import io.github.roram.crypto.SystemRandom;
import java.nio.ByteBuffer;

/** Draws fresh labels, uniform over the leaves. Injected, so that tests can fix them. */
@FunctionalInterface
public interface LabelSource {

  /**
   * A fresh label.
   *
   * @param leaves a power of two
   */
  int next(int leaves);

  /**
   * A source of at most so many labels that are drawn now, together, for one read: no copy of a
   * running client has what is left of them when the next one begins.
   */
  default LabelSource drawn(int labels) {
    return this;
  }

  /**
   * Labels that the {@linkplain SystemRandom system} draws when they are asked for: a copy of a
   * running client shows others than the client itself. Thread safe.
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
