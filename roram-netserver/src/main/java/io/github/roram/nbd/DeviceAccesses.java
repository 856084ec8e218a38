package io.github.roram.nbd;

import io.github.roram.AsyncOram;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.engine.SharedFlush;
import io.github.roram.threads.Futures;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Makes accesses of requests. A request is cut into accesses of at most the longest range, as many
 * and as long as {@link ShownBlocks} says; with a size class, into accesses of that class alone.
 * Reads and writes make the same accesses, and one that has no bytes of the request is made all the
 * same.
 *
 * <h2>Security</h2>
 *
 * What is asked of the ORAM follows from the lengths of requests, and from whether they are
 * aligned; with a size class from their number alone, as long as they are no longer than that.
 * Nothing is cached and nothing is merged: either would make the accesses depend on addresses.
 *
 * <p>Thread safety: safe.
 */
final class DeviceAccesses {

  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final AsyncOram calls;
  private final SharedFlush flushes;
  private final OramConfig config;
  private final int longest;
  private final int least;
  private final boolean trims;
  private ByteBuffer zeros = ByteBuffer.allocate(0);

  /**
   * Accesses of an ORAM.
   *
   * @param calls do not wait for room
   * @param classBlocks length in blocks of every access; 0 for as long as requests need
   */
  DeviceAccesses(AsyncOram calls, int classBlocks) {
    this.calls = calls;
    config = calls.config();
    flushes = new SharedFlush(calls::flush);
    longest = classBlocks > 0 ? classBlocks : mostBlocks(config);
    least = Math.max(1, classBlocks);
    trims = config.has(Scheme.Trait.TRIMS);
  }

  /** Of at most 2^30 bytes, so that they fit a buffer. */
  private static int mostBlocks(OramConfig config) {
    return Math.min(config.maxRangeBlocks(), (1 << 30) / config.blockBytes());
  }

  /** Whether the scheme has trims. */
  boolean trims() {
    return trims;
  }

  /** Bytes that one access can move. */
  long accessBytes() {
    return (long) longest * config.blockBytes();
  }

  /** One access. */
  @FunctionalInterface
  private interface Access {
    CompletableFuture<Void> make(long offset, int leastBlocks, ByteBuffer buffer);
  }

  CompletableFuture<Void> read(long offset, ByteBuffer target) {
    return access(offset, target, calls::readBytes);
  }

  CompletableFuture<Void> write(long offset, ByteBuffer source) {
    return access(offset, source, calls::updateBytes);
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

  /** Trims the whole blocks of these bytes, if there is room for a further trim; no access. */
  CompletableFuture<Void> trim(long offset, long length) {
    long first = firstWhole(offset);
    long count = (offset + length) / config.blockBytes() - first;
    return trims && count > 0 ? calls.trim(first, count).thenAccept(room -> {}) : DONE;
  }

  /**
   * Writes zeros: whole blocks by trimming them, or by writes where the scheme has no trims.
   * Requests that are not of whole blocks make two accesses of a block besides, one for each end,
   * wherever they begin.
   */
  CompletableFuture<Void> zero(long offset, long length) {
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
    return all(made);
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
  CompletableFuture<Void> flush() {
    return flushes.ask();
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
