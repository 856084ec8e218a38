package io.github.roram.cli;

import io.github.roram.OramConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * Copies bytes between a store and the outside, in pieces that end where a longest range ends: so
 * all accesses but the first and the last are of whole ranges.
 */
final class StoreCopy {

  /** The most that is held in memory; many times the largest block. */
  private static final int PIECE_BYTES = 8 << 20;

  private final OpenData session;
  private final SeekableByteChannel blocks;
  private final ByteBuffer piece;

  StoreCopy(OpenData session) {
    this.session = session;
    OramConfig config = session.config();
    blocks = session.channel();
    int mostBlocks = PIECE_BYTES / config.blockBytes();
    int pieceBlocks = Math.min(config.maxRangeBlocks(), mostBlocks);
    if (session.overlaps()) {
      // Many longest ranges, which are moved at the same time.
      pieceBlocks *= mostBlocks / pieceBlocks;
    }
    piece = ByteBuffer.allocate(pieceBlocks * config.blockBytes());
  }

  /** Copies {@code bytes} bytes of the store, from {@code offset} on. */
  void read(long offset, long bytes, WritableByteChannel target, Progress progress)
      throws IOException {
    try {
      blocks.position(offset);
      for (long left = bytes; left > 0; left -= piece.limit()) {
        session.checkNotStopping();
        piece.clear().limit((int) Math.min(left, untilBoundary()));
        while (piece.hasRemaining()) {
          blocks.read(piece);
        }
        piece.flip();
        while (piece.hasRemaining()) {
          target.write(piece);
        }
        progress.step(piece.limit());
      }
    } catch (ClosedChannelException e) {
      session.checkNotStopping();
      throw e;
    }
  }

  /**
   * Copies all of a source to the store, from {@code offset} on.
   *
   * @return the number of bytes written
   * @throws IOException if the source has more bytes than the store has room for; what fits is
   *     written then
   */
  long write(long offset, ReadableByteChannel source, Progress progress) throws IOException {
    long end = blocks.size();
    long position = offset;
    try {
      while (true) {
        session.checkNotStopping();
        blocks.position(position);
        fill(source, (int) Math.min(untilBoundary(), Math.max(1, end - position)));
        int bytes = piece.remaining();
        if (bytes == 0) {
          return position - offset;
        }
        if (position == end) {
          throw new IOException(
              "the input is longer than the store: "
                  + (position - offset)
                  + " bytes were written, up to the store's end at "
                  + end);
        }
        while (piece.hasRemaining()) {
          blocks.write(piece);
        }
        position += bytes;
        progress.step(bytes);
      }
    } catch (ClosedChannelException e) {
      session.checkNotStopping();
      throw e;
    }
  }

  private void fill(ReadableByteChannel source, int bytes) throws IOException {
    piece.clear().limit(bytes);
    while (piece.hasRemaining() && source.read(piece) >= 0) {
      // until the piece is full or the source has ended
    }
    piece.flip();
  }

  private long untilBoundary() throws IOException {
    return piece.capacity() - blocks.position() % piece.capacity();
  }
}
