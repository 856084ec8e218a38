package io.github.roram.nbd;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.engine.SharedFlush;
import io.github.roram.intake.IntakeLimits;
import io.github.roram.intake.SharedOram;
import io.github.roram.open.Orams;
import io.github.roram.threads.Futures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A device over an ORAM. Requests go to the ORAM as they come, and wait if it has no room. Each is
 * cut into accesses of at most the longest range, as many and as long as {@link ShownBlocks} says;
 * with a size class, into accesses of that class alone. Reads and writes make the same accesses,
 * and one that has no bytes of the request is made all the same.
 *
 * <h2>Security</h2>
 *
 * What is asked of the ORAM follows from the lengths of requests, and from whether they are
 * aligned; with a size class from their number alone, as long as they are no longer than that.
 * Nothing is cached and nothing is merged: either would make the accesses depend on addresses.
 * Trims and zeroed blocks make no accesses.
 *
 * <p>Thread safety: safe.
 */
public final class OramDevice implements BlockDevice {

  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final AsyncOram oram;
  private final OramConfig config;

  /** The ORAM, whose calls do not wait for room. */
  private final AsyncOram calls;

  private final SharedFlush flushes;
  private final boolean padded;

  /** Blocks of an access: most, and fewest. */
  private final int longest;

  private final int least;
  private final boolean trims;
  private ByteBuffer zeros = ByteBuffer.allocate(0);
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
    calls = new SharedOram(oram).newLine();
    flushes = new SharedFlush(calls::flush);
    padded = sizeClass >= 0;
    longest = padded ? 1 << sizeClass : mostBlocks(config);
    least = padded ? longest : 1;
    trims = config.has(Scheme.Trait.TRIMS);
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
    int most = mostBlocks(config);
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

  /** Of at most 2^30 bytes, so that they fit a buffer. */
  private static int mostBlocks(OramConfig config) {
    return Math.min(config.maxRangeBlocks(), (1 << 30) / config.blockBytes());
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
        ? (int) Math.min(IntakeLimits.MOST_REQUEST_BYTES, (long) longest * config.blockBytes())
        : IntakeLimits.MOST_REQUEST_BYTES;
  }

  /** One access. */
  @FunctionalInterface
  private interface Access {
    CompletableFuture<Void> make(long offset, int leastBlocks, ByteBuffer buffer);
  }

  @Override
  public CompletableFuture<Void> read(long offset, ByteBuffer target) {
    return access(offset, target, calls::readBytes);
  }

  @Override
  public CompletableFuture<Void> write(long offset, ByteBuffer source, boolean durable) {
    return withFlush(access(offset, source, calls::updateBytes), durable);
  }

  private CompletableFuture<Void> access(long offset, ByteBuffer buffer, Access access) {
    int blockBytes = config.blockBytes();
    long end = offset + buffer.remaining();
    // A store may have grown since.
    long all = calls.config().blocks();
    long shown = Math.min(all, ShownBlocks.of(offset, buffer.remaining(), blockBytes));
    long first = Math.min(offset / blockBytes, all - shown);
    int start = buffer.position();
    List<CompletableFuture<Void>> made = new ArrayList<>(1);
    for (long done = 0; done < shown; done += longest) {
      int blocks = (int) Math.min(longest, shown - done);
      long pieceStart = (first + done) * blockBytes;
      long from = Math.max(offset, pieceStart);
      long to = Math.min(end, pieceStart + (long) blocks * blockBytes);
      if (from < to) {
        ByteBuffer piece =
            buffer
                .duplicate()
                .position(start + (int) (from - offset))
                .limit(start + (int) (to - offset));
        made.add(access.make(from, Math.max(blocks, least), piece));
      } else {
        made.add(calls.readBytes(pieceStart, Math.max(blocks, least), ByteBuffer.allocate(1)));
      }
    }
    return all(made);
  }

  private static CompletableFuture<Void> all(List<CompletableFuture<Void>> made) {
    return made.size() == 1
        ? made.get(0)
        : CompletableFuture.allOf(made.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> withFlush(CompletableFuture<Void> done, boolean durable) {
    return durable ? done.thenCompose(nothing -> flush()) : done;
  }

  @Override
  public boolean trims() {
    return trims;
  }

  /** Trims the whole blocks of these bytes, if there is room for a further trim; no access. */
  @Override
  public CompletableFuture<Void> trim(long offset, long length, boolean durable) {
    long first = firstWhole(offset);
    long count = (offset + length) / config.blockBytes() - first;
    return withFlush(
        trims && count > 0 ? calls.trim(first, count).thenAccept(room -> {}) : DONE, durable);
  }

  /**
   * Writes zeros: whole blocks by trimming them, or by writes where the scheme has no trims.
   * Requests that are not of whole blocks make two accesses of a block besides, one for each end,
   * wherever they begin.
   */
  @Override
  public CompletableFuture<Void> zero(long offset, long length, boolean durable) {
    int blockBytes = config.blockBytes();
    long end = offset + length;
    long first = firstWhole(offset);
    long last = end / blockBytes;
    List<CompletableFuture<Void>> made = new ArrayList<>(1);
    if (offset % blockBytes != 0 || length % blockBytes != 0) {
      long headEnd = Math.min(end, first * blockBytes);
      made.add(zeroPart(offset, headEnd));
      made.add(zeroPart(Math.max(headEnd, last * blockBytes), end));
    }
    if (!trims) {
      made.add(writeZeros(first, last));
    } else if (last > first) {
      made.add(trimSurely(first, last - first));
    }
    return withFlush(all(made), durable);
  }

  /**
   * Trims once there is room: after so many in a row that none fits the next record, it is written
   * now. Others may take the room first, but then those are done.
   */
  private CompletableFuture<Void> trimSurely(long first, long count) {
    return calls
        .trim(first, count)
        .thenCompose(
            room -> room ? DONE : flush().thenCompose(nothing -> trimSurely(first, count)));
  }

  /**
   * Whole blocks, by as many accesses as a write of as many bytes makes, one after another: a
   * request may be of 4 GiB, and nothing bounds what waits of it.
   */
  private CompletableFuture<Void> writeZeros(long first, long end) {
    CompletableFuture<Void> all = new CompletableFuture<>();
    writeZeros(first, end, all);
    return all;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what fails, fails all
  private void writeZeros(long first, long end, CompletableFuture<Void> all) {
    long block = first;
    CompletableFuture<Void> made = DONE;
    // What is done at once takes no stack.
    while (block < end && made.isDone() && !made.isCompletedExceptionally()) {
      made = writeZeros(block, (int) Math.min(longest, end - block));
      block += longest;
    }
    long next = block;
    made.whenComplete(
        (nothing, failure) -> {
          if (failure != null) {
            all.completeExceptionally(failure);
          } else if (next < end) {
            writeZeros(next, end, all);
          } else {
            all.complete(null);
          }
        });
  }

  /** One access. */
  private CompletableFuture<Void> writeZeros(long block, int count) {
    int blockBytes = config.blockBytes();
    return Futures.begun(
        () ->
            calls.updateBytes(
                block * blockBytes, Math.max(count, least), zeros(count * blockBytes)));
  }

  /** All requests write the same. */
  private synchronized ByteBuffer zeros(int bytes) {
    if (zeros.capacity() < bytes) {
      zeros = ByteBuffer.allocate(bytes).asReadOnlyBuffer();
    }
    return zeros.slice(0, bytes);
  }

  /** One access, whether there are such bytes or not. */
  private CompletableFuture<Void> zeroPart(long from, long to) {
    return from < to
        ? calls.updateBytes(from, least, ByteBuffer.allocate((int) (to - from)))
        : calls.readBytes(0, least, ByteBuffer.allocate(1));
  }

  private long firstWhole(long offset) {
    return (offset + config.blockBytes() - 1) / config.blockBytes();
  }

  /** Covers what was done before; those that are asked for at the same time share one. */
  @Override
  public CompletableFuture<Void> flush() {
    return flushes.ask();
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

  /**
   * Of how many blocks the accesses of a request are: a function of its length, and of whether it
   * is aligned as requests of that length are. Where exactly it begins does not show.
   *
   * <p>With u the largest power of two that divides the length and a block: a request that begins
   * at a multiple of u takes as many blocks as one of its length there can lie in at most; so 512
   * bytes are one block, as 4096 are. Others take as many as a request of the length can lie in
   * wherever it begins.
   */
  private static final class ShownBlocks {

    private ShownBlocks() {}

    /** Number of blocks; {@code length} is at least 1. */
    static long of(long offset, long length, int blockBytes) {
      long unit = Long.lowestOneBit(length | blockBytes);
      long lastStart = offset % unit == 0 ? blockBytes - unit : blockBytes - 1L;
      return (lastStart + length - 1) / blockBytes + 1;
    }
  }
}
