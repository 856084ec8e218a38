package io.github.roram.storage.file;

import com.sun.nio.file.ExtendedOpenOption;
import io.github.roram.ConfigurationException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
  private @Nullable FileChannel[] channels;
  private boolean closed;

  SegmentChannels(Path directory, int segments, Opener opener) {
    this.directory = directory;
    this.opener = opener;
    channels = new FileChannel[segments];
  }

  synchronized int segments() {
    return channels.length;
  }

  /** Adds segments, for a total of {@code segments}. */
  synchronized void extend(int segments) {
    channels = Arrays.copyOf(channels, segments);
  }

  Path file(int segment) {
    return StoreDirectory.segmentFile(directory, segment);
  }

  /**
   * Returns the channel of a segment.
   *
   * @throws ClosedChannelException once {@link #close} was called
   */
  synchronized FileChannel of(int segment) throws IOException {
    checkOpen();
    FileChannel channel = channels[segment];
    if (channel == null || !channel.isOpen()) {
      channel = opener.open(DurableFiles.requireFile(file(segment)));
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

  /**
   * How to access segment files.
   *
   * @param alignmentBytes divisor of the offsets, lengths and addresses of transfers, a power of
   *     two; 1 through the page cache
   * @param opener opens a segment's file for reading and writing
   */
  record SegmentAccess(int alignmentBytes, Opener opener) {

    /** Chooses the access for a store. */
    @FunctionalInterface
    interface Factory {
      SegmentAccess create(Path directory, SegmentStoreDescriptor descriptor, boolean directIo)
          throws IOException;
    }

    static SegmentAccess of(Path directory, SegmentStoreDescriptor descriptor, boolean directIo)
        throws IOException {
      return directIo
          ? new SegmentAccess(blockBytes(directory, descriptor), opening(ExtendedOpenOption.DIRECT))
          : new SegmentAccess(1, opening());
    }

    private static Opener opening(OpenOption... more) {
      Set<OpenOption> options = new HashSet<>(List.of(more));
      options.add(StandardOpenOption.READ);
      options.add(StandardOpenOption.WRITE);
      options.add(LinkOption.NOFOLLOW_LINKS);
      return file -> FileChannel.open(file, options);
    }

    /** Returns the block size of direct I/O, if that is possible. */
    private static int blockBytes(Path directory, SegmentStoreDescriptor descriptor)
        throws IOException {
      probe(directory);
      long blockBytes = Files.getFileStore(directory).getBlockSize();
      int last = StoreDirectory.segments(descriptor) - 1;
      boolean usable = blockBytes <= 1 << 20 && Long.bitCount(blockBytes) == 1;
      boolean fits =
          usable
              && descriptor.segmentBytes() % blockBytes == 0
              && StoreDirectory.segmentFileBytes(descriptor, last) % blockBytes == 0;
      if (!fits) {
        throw new ConfigurationException(
            "direct I/O in "
                + directory
                + " takes whole blocks of "
                + blockBytes
                + " bytes, which segments of "
                + descriptor.segmentBytes()
                + " and a capacity of "
                + descriptor.capacityBytes()
                + " bytes do not divide into: make both multiples of it, or turn direct I/O off");
      }
      return (int) blockBytes;
    }

    /**
     * Tries direct I/O on a file of its own, since some file systems say no only when it is opened.
     */
    private static void probe(Path directory) throws IOException {
      Path file = Files.createTempFile(directory, "direct-io-probe", null);
      try (FileChannel opened =
          FileChannel.open(file, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT)) {
        opened.size();
      } catch (IOException | UnsupportedOperationException e) {
        throw new ConfigurationException(
            "the file system of " + directory + " does not support direct I/O: turn it off", e);
      } finally {
        Files.delete(file);
      }
    }
  }
}
