package io.github.roram.storage.remote.protocol;

import io.netty.buffer.ByteBuf;
import java.security.SecureRandom;

/**
 * The secret that proves who holds the lease of a volume.
 *
 * @param high first half
 * @param low second half
 */
public record LeaseToken(long high, long low) {

  /** No lease. */
  public static final LeaseToken NONE = new LeaseToken(0, 0);

  /** Bytes on the wire. */
  public static final int BYTES = 16;

  /** Returns a new random token. */
  public static LeaseToken random(SecureRandom random) {
    return new LeaseToken(random.nextLong() | 1, random.nextLong());
  }

  void encode(ByteBuf out) {
    out.writeLong(high).writeLong(low);
  }

  static LeaseToken decode(ByteBuf in) throws ProtocolException {
    Text.require(in, BYTES);
    return new LeaseToken(in.readLong(), in.readLong());
  }

  /** Returns a text without the secret. */
  @Override
  public String toString() {
    return equals(NONE) ? "no lease" : "a lease";
  }
}
