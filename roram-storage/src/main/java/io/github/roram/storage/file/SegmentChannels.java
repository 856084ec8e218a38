package io.github.roram.storage.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The open channels of a store's segments: each is opened when first used, and again after an
 * interrupted thread closed it.
 *
 * <p>Thread safety: safe.
 */
final class SegmentChannels implements Closeable {

  /** Opens a segment's file. */
  @FunctionalInterface
  interface Opener {
    FileChannel open(Path file) throws IOException;
  }

  private final Path directory;
  private final Opener opener;
  private final @Nullable FileChannel[] channels;
  private boolean closed;

  SegmentChannels(Path directory, int segments, Opener opener) {
    this.directory = directory;
    this.opener = opener;
    channels = new FileChannel[segments];
  }

  int segments() {
    return channels.length;
  }

  Path file(int segment) {
    return StoreDirectory.segmentFile(directory, segment);
  }

  /**
   * The channel of a segment.
   *
   * @throws ClosedChannelException once {@link #close} was called
   */
  synchronized FileChannel of(int segment) throws IOException {
    checkOpen();
    FileChannel channel = channels[segment];
    if (channel == null || !channel.isOpen()) {
      channel = opener.open(file(segment));
      channels[segment] = channel;
    }
    return channel;
  }

  synchronized void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  /** Closes all channels, and no more are opened. Calls under way fail. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    IOException failure = null;
    for (FileChannel channel : channels) {
      try {
        if (channel != null) {
          channel.close();
        }
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
