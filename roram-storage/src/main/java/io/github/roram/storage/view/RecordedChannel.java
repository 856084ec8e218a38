package io.github.roram.storage.view;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;

/**
 * The bytes of a {@link RecordedOram}: transfers are cut into the pieces that one access can serve,
 * and each is declared. Thread safety: safe.
 */
final class RecordedChannel implements SeekableByteChannel {

  /** As many bytes as the view of an ORAM moves in one access, whatever ranges it allows. */
  private static final int MAX_BYTES = 1 << 30;

  private final RecordedOram oram;
  private final SeekableByteChannel delegate;
  private final int blockBytes;
  private final int rangeBytes;

  RecordedChannel(RecordedOram oram, SeekableByteChannel delegate) {
    this.oram = oram;
    this.delegate = delegate;
    blockBytes = oram.config().blockBytes();
    rangeBytes = Math.min(oram.config().maxRangeBlocks(), MAX_BYTES / blockBytes) * blockBytes;
  }

  /** A transfer of one piece. */
  @FunctionalInterface
  private interface Piece {
    int move(ByteBuffer piece) throws IOException;
  }

  @Override
  public synchronized int read(ByteBuffer target) throws IOException {
    if (delegate.position() >= delegate.size() && target.hasRemaining()) {
      return -1;
    }
    return move(target, delegate::read);
  }

  @Override
  public synchronized int write(ByteBuffer source) throws IOException {
    if (source.remaining() > delegate.size() - delegate.position()) {
      return delegate.write(source); // which refuses it
    }
    return move(source, delegate::write);
  }

  private int move(ByteBuffer buffer, Piece transfer) throws IOException {
    int total = 0;
    int end = buffer.limit();
    try {
      while (buffer.position() < end && delegate.position() < delegate.size()) {
        int skip = (int) (delegate.position() % blockBytes);
        long left = Math.min(end - buffer.position(), delegate.size() - delegate.position());
        int count = (int) Math.min(left, rangeBytes - skip);
        oram.declare((skip + count + blockBytes - 1) / blockBytes);
        buffer.limit(buffer.position() + count);
        total += transfer.move(buffer);
      }
    } finally {
      buffer.limit(end);
    }
    return total;
  }

  @Override
  public long position() throws IOException {
    return delegate.position();
  }

  @Override
  public SeekableByteChannel position(long newPosition) throws IOException {
    delegate.position(newPosition);
    return this;
  }

  @Override
  public long size() throws IOException {
    return delegate.size();
  }

  @Override
  public SeekableByteChannel truncate(long size) throws IOException {
    delegate.truncate(size);
    return this;
  }

  @Override
  public boolean isOpen() {
    return delegate.isOpen();
  }

  @Override
  public void close() throws IOException {
    delegate.close();
  }
}
