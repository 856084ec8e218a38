package io.github.roram.nbd;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import java.io.IOException;
import java.nio.ByteBuffer;

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
 * <p>Thread safety: safe, as the ORAM is.
 */
final class DeviceAccesses {

  private final Oram oram;
  private final OramConfig config;
  private final int longest;
  private final int least;
  private final boolean trims;

  /**
   * Accesses of an ORAM.
   *
   * @param classBlocks length in blocks of every access; 0 for as long as requests need
   */
  DeviceAccesses(Oram oram, int classBlocks) {
    this.oram = oram;
    config = oram.config();
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
    void move(long offset, int leastBlocks, ByteBuffer buffer) throws IOException;
  }

  void read(long offset, ByteBuffer target) throws IOException {
    access(offset, target, oram::readBytes);
  }

  void write(long offset, ByteBuffer source) throws IOException {
    access(offset, source, oram::updateBytes);
  }

  private void access(long offset, ByteBuffer buffer, Access access) throws IOException {
    int blockBytes = config.blockBytes();
    long end = offset + buffer.remaining();
    long shown = Math.min(config.blocks(), ShownBlocks.of(offset, buffer.remaining(), blockBytes));
    long first = Math.min(offset / blockBytes, config.blocks() - shown);
    int start = buffer.position();
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
        access.move(from, Math.max(blocks, least), piece);
      } else {
        oram.readBytes(pieceStart, Math.max(blocks, least), ByteBuffer.allocate(1));
      }
    }
    buffer.position(buffer.limit());
  }

  /** Trims the whole blocks of these bytes, if there is room for a further trim; no access. */
  void trim(long offset, long length) throws IOException {
    long first = firstWhole(offset);
    long count = (offset + length) / config.blockBytes() - first;
    if (trims && count > 0) {
      oram.trim(first, count);
    }
  }

  /**
   * Writes zeros: whole blocks by trimming them, or by writes where the scheme has no trims.
   * Requests that are not of whole blocks make two accesses of a block besides, one for each end,
   * wherever they begin.
   */
  void zero(long offset, long length) throws IOException {
    int blockBytes = config.blockBytes();
    long end = offset + length;
    long first = firstWhole(offset);
    long last = end / blockBytes;
    if (offset % blockBytes != 0 || length % blockBytes != 0) {
      long headEnd = Math.min(end, first * blockBytes);
      zeroPart(offset, headEnd);
      zeroPart(Math.max(headEnd, last * blockBytes), end);
    }
    if (!trims) {
      writeZeros(first, last);
    } else if (last > first && !oram.trim(first, last - first)) {
      // So many in a row that none fits the next record: it is written now.
      oram.flush();
      if (!oram.trim(first, last - first)) {
        throw new IOException("trims could not be recorded");
      }
    }
  }

  /** Whole blocks, by as many accesses as a write of as many bytes makes. */
  private void writeZeros(long first, long end) throws IOException {
    for (long block = first; block < end; block += longest) {
      int count = (int) Math.min(longest, end - block);
      int bytes = count * config.blockBytes();
      oram.updateBytes(
          block * config.blockBytes(), Math.max(count, least), ByteBuffer.allocate(bytes));
    }
  }

  /** One access, whether there are such bytes or not. */
  private void zeroPart(long from, long to) throws IOException {
    if (from < to) {
      oram.updateBytes(from, least, ByteBuffer.allocate((int) (to - from)));
    } else {
      oram.readBytes(0, least, ByteBuffer.allocate(1));
    }
  }

  private long firstWhole(long offset) {
    return (offset + config.blockBytes() - 1) / config.blockBytes();
  }

  void flush() throws IOException {
    oram.flush();
  }
}
