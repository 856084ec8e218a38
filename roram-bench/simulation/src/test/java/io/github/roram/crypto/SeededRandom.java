package io.github.roram.crypto;

import java.util.Objects;
import java.util.Random;

/** Has all that the system draws at random follow from a seed, as long as it is open. */
public final class SeededRandom implements AutoCloseable {

  private final SystemRandom.Source system;

  /** From now on. There is one at a time. */
  public SeededRandom(long seed) {
    SystemRandom.fill(new byte[1]);
    system = Objects.requireNonNull(SystemRandom.SYSTEM.source);
    Random random = new Random(seed);
    SystemRandom.SYSTEM.source = random::nextBytes;
  }

  @Override
  public void close() {
    SystemRandom.SYSTEM.source = system;
  }
}
