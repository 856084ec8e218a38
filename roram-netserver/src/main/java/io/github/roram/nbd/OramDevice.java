package io.github.roram.nbd;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.intake.IntakeLimits;
import io.github.roram.intake.SharedOram;
import io.github.roram.open.Orams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * A device over an ORAM. Requests go to the ORAM as they come, and wait if it has no room.
 *
 * <h2>Security</h2>
 *
 * What the store sees depends on the lengths of requests (see {@code DeviceAccesses}); trims and
 * zeroed blocks make no accesses.
 *
 * <p>Thread safety: safe.
 */
public final class OramDevice implements BlockDevice {

  private final AsyncOram oram;
  private final OramConfig config;
  private final AsyncOram calls;
  private final DeviceAccesses accesses;
  private final boolean padded;
  private volatile boolean closed;

  /**
   * Creates a device over an ORAM, opened with {@linkplain io.github.roram.OpenOptions#trims trims}
   * if its scheme has them. The device closes the ORAM and is its only user.
   *
   * @param sizeClass i, to make every access one of 2^i blocks; −1 to follow the length of requests
   * @throws ConfigurationException if the ORAM has no such class; it stays open
   */
  public OramDevice(AsyncOram oram, int sizeClass) {
    this.oram = oram;
    config = oram.config();
    checkClass(config, sizeClass);
    padded = sizeClass >= 0;
    calls = new SharedOram(oram).newLine();
    accesses = new DeviceAccesses(calls, sizeClass < 0 ? 0 : 1 << sizeClass);
  }

  /**
   * Creates a device over any ORAM, with as many accesses in flight as the ORAM was opened for.
   * They overlap if the scheme supports it; with durability {@code sync} they share syncs.
   *
   * @throws ConfigurationException if the ORAM has no such class; it stays open
   */
  public static OramDevice over(Oram oram, int sizeClass) {
    checkClass(oram.config(), sizeClass);
    // What depends on its futures is handed on to the event loop of a connection.
    return new OramDevice(Orams.async(oram, Runnable::run), sizeClass);
  }

  private static void checkClass(OramConfig config, int sizeClass) {
    int most = Math.min(config.maxRangeBlocks(), (1 << 30) / config.blockBytes());
    if (sizeClass < -1 || sizeClass > 30 || (sizeClass >= 0 && 1 << sizeClass > most)) {
      throw new ConfigurationException(
          "size class is "
              + sizeClass
              + ", accesses of 2^"
              + sizeClass
              + " blocks; must be 0 to "
              + (Integer.SIZE - 1 - Integer.numberOfLeadingZeros(most))
              + ", the store's longest range");
    }
  }

  @Override
  public long bytes() {
    return oram.config().bytes();
  }

  @Override
  public int blockBytes() {
    return config.blockBytes();
  }

  /** With a size class, returns the bytes of one access, so that only the number of them shows. */
  @Override
  public int longestBytes() {
    return padded
        ? (int) Math.min(IntakeLimits.MOST_REQUEST_BYTES, accesses.accessBytes())
        : IntakeLimits.MOST_REQUEST_BYTES;
  }

  private CompletableFuture<Void> withFlush(CompletableFuture<Void> done, boolean durable) {
    return durable ? done.thenCompose(nothing -> flush()) : done;
  }

  @Override
  public CompletableFuture<Void> read(long offset, ByteBuffer target) {
    return accesses.read(offset, target);
  }

  @Override
  public CompletableFuture<Void> write(long offset, ByteBuffer source, boolean durable) {
    return withFlush(accesses.write(offset, source), durable);
  }

  @Override
  public boolean trims() {
    return accesses.trims();
  }

  @Override
  public CompletableFuture<Void> zero(long offset, long length, boolean durable) {
    return withFlush(accesses.zero(offset, length), durable);
  }

  @Override
  public CompletableFuture<Void> trim(long offset, long length, boolean durable) {
    return withFlush(accesses.trim(offset, length), durable);
  }

  @Override
  public CompletableFuture<Void> flush() {
    return accesses.flush();
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      oram.close(); // which may have failed
      return;
    }
    closed = true;
    try (oram) {
      calls.close();
    }
  }

  @Override
  public String toString() {
    return "a device of " + bytes() + " bytes";
  }
}
