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
   * Labels that the {@linkplain SystemRandom system} draws when they are asked for: a copy of a
   * running client shows others than the client itself. Thread safe.
   */
  static LabelSource secure() {
    return leaves -> {
      byte[] label = new byte[Integer.BYTES];
      SystemRandom.fill(label);
      return ByteBuffer.wrap(label).getInt() & (leaves - 1);
    };
  }
}
