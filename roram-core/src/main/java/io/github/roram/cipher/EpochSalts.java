package io.github.roram.cipher;

import io.github.roram.crypto.SystemRandom;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * A random salt for the key of each epoch. The number of an epoch alone does not suffice: a client
 * that was restored from a copy begins the same epochs again and seals other contents under the
 * same names, while the server may have kept the earlier messages, and could put them in their
 * place. Not secret, but kept with the client's records. Not thread safe.
 */
public final class EpochSalts {

  private static final int BYTES = 16;
  private static final byte[] NONE = {};

  /** The salts, that of epoch 1 first. */
  private final List<byte[]> salts = new ArrayList<>();

  /** Returns fresh salts for the first epochs of a key. */
  public static EpochSalts upTo(int epoch) {
    EpochSalts salts = new EpochSalts();
    for (int first = 1; first <= epoch; first++) {
      salts.draw(first);
    }
    return salts;
  }

  /**
   * Draws a salt for an epoch that is about to begin.
   *
   * @param epoch the epoch after the last one, or the last one again if it could not be begun
   */
  public void draw(int epoch) {
    byte[] salt = new byte[BYTES];
    SystemRandom.fill(salt);
    if (epoch == salts.size()) {
      salts.set(epoch - 1, salt);
    } else if (epoch == salts.size() + 1) {
      salts.add(salt);
    } else {
      throw new IllegalArgumentException("epoch " + epoch + " does not follow " + salts.size());
    }
  }

  /** Returns the salt of an epoch; empty if it was never begun, which only a forger names. */
  byte[] of(int epoch) {
    return epoch >= 1 && epoch <= salts.size() ? salts.get(epoch - 1) : NONE;
  }

  /** Returns the salt of an epoch as its id; zeros if it was never begun. */
  public UUID id(int epoch) {
    ByteBuffer salt = ByteBuffer.wrap(Arrays.copyOf(of(epoch), BYTES));
    return new UUID(salt.getLong(), salt.getLong());
  }

  /** Saves the salts. */
  public void writeTo(DataOutput out) throws IOException {
    out.writeInt(salts.size());
    for (byte[] salt : salts) {
      out.write(salt);
    }
  }

  /** Loads the salts that {@link #writeTo} saved. */
  public void readFrom(DataInput in) throws IOException {
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      byte[] salt = new byte[BYTES];
      in.readFully(salt);
      salts.add(salt);
    }
  }
}
