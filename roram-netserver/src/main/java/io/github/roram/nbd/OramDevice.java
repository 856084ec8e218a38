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
 * A device over an ORAM. Requests go to the ORAM as they arrive, and wait if it has no room. Each
 * is split into accesses of at most the longest range; {@link ShownBlocks} gives their number and
 * lengths. With a size class, all accesses are of that class. Reads and writes make the same
 * accesses, including those that contain no bytes of the request.
 *
 * <h2>Security</h2>
 *
 * What the device asks of the ORAM depends only on the lengths of requests and on whether they are
 * aligned; with a size class, only on the number of requests, as long as none is longer than the
 * class. The device neither caches nor merges: either would make the accesses depend on addresses.
 * Trims and zeroed blocks make no accesses.
 *
 * <p>Thread safety: safe.
 */
public final class OramDevice implements BlockDevice {

  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final AsyncOram oram;
  private final OramConfig config;

  /** The ORAM; its calls do not wait for room. */
  private final AsyncOram calls;

  private final SharedFlush flushes;
  private final boolean padded;

  /** Most and fewest blocks of an access. */
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
    // Stages of its futures are passed on to the event loop of a connection.
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

  /** Returns the longest access in blocks: at most 2^30 bytes, so that it fits a buffer. */
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
    // The store may have grown since this device was created.
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

  /**
   * Trims the whole blocks within these bytes if there is room for another trim. Makes no access.
   */
  @Override
  public CompletableFuture<Void> trim(long offset, long length, boolean durable) {
    long first = firstWhole(offset);
    long count = (offset + length) / config.blockBytes() - first;
    return withFlush(
        trims && count > 0 ? calls.trim(first, count).thenAccept(room -> {}) : DONE, durable);
  }

  /**
   * Writes zeros: whole blocks by trims, or by writes if the scheme has no trims. A request that is
   * not of whole blocks makes two further accesses of one block each, one for each end, wherever it
   * begins.
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
   * Trims. If there is no room, because too many trims in a row wait for one record, flushes to
   * have the record written, and tries again. Other callers may take the room first, but then their
   * trims are done.
   */
  private CompletableFuture<Void> trimSurely(long first, long count) {
    return calls
        .trim(first, count)
        .thenCompose(
            room -> room ? DONE : flush().thenCompose(nothing -> trimSurely(first, count)));
  }

  /**
   * Writes zeros to whole blocks, by as many accesses as a write of that length makes. They are
   * made one after another: a request may be 4 GiB long, and nothing limits how many of its
   * accesses would wait.
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
    // A loop, because accesses that complete at once would otherwise deepen the stack.
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

  /** Writes zeros by one access. */
  private CompletableFuture<Void> writeZeros(long block, int count) {
    int blockBytes = config.blockBytes();
    return Futures.begun(
        () ->
            calls.updateBytes(
                block * blockBytes, Math.max(count, least), zeros(count * blockBytes)));
  }

  /** Returns a buffer of zeros, which all requests share. */
  private synchronized ByteBuffer zeros(int bytes) {
    if (zeros.capacity() < bytes) {
      zeros = ByteBuffer.allocate(bytes).asReadOnlyBuffer();
    }
    return zeros.slice(0, bytes);
  }

  /** Makes one access that writes zeros, even if the range is empty. */
  private CompletableFuture<Void> zeroPart(long from, long to) {
    return from < to
        ? calls.updateBytes(from, least, ByteBuffer.allocate((int) (to - from)))
        : calls.readBytes(0, least, ByteBuffer.allocate(1));
  }

  private long firstWhole(long offset) {
    return (offset + config.blockBytes() - 1) / config.blockBytes();
  }

  /** Covers all requests completed before; concurrent flushes share one. */
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
   * The number of blocks that a request's accesses cover: a function of its length and of whether
   * it is aligned as requests of that length are. Where exactly it begins does not show.
   *
   * <p>Let u be the largest power of two that divides both the length and the block size. A request
   * that begins at a multiple of u covers the most blocks that any request of its length at a
   * multiple of u can touch; so 512 bytes cover one block, as 4,096 do. Any other request covers
   * the most blocks that a request of its length can touch wherever it begins.
   */
  private static final class ShownBlocks {

    private ShownBlocks() {}

    /** Returns the number of blocks; {@code length} is at least 1. */
    static long of(long offset, long length, int blockBytes) {
      long unit = Long.lowestOneBit(length | blockBytes);
      long lastStart = offset % unit == 0 ? blockBytes - unit : blockBytes - 1L;
      return (lastStart + length - 1) / blockBytes + 1;
    }
  }
}
