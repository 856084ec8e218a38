package io.github.roram.storage.file;

import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreFullException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * One address space of bytes over the segment files: complete transfers at any offset, across
 * segments where need be.
 *
 * <p>The JDK closes a channel when a thread that uses it is interrupted, for all its users. Here an
 * interrupt breaks nothing: the flag is put aside during a transfer, a channel that was closed all
 * the same is opened again and the rest of the transfer repeated.
 *
 * <p>Thread safety: safe.
 */
final class SegmentFiles implements Closeable {

  private enum Direction {
    READ,
    WRITE
  }

  private final SegmentChannels channels;
  private final long segmentBytes;
  private final BitSet unsynced = new BitSet();
  private @Nullable IOException syncFailure;

  SegmentFiles(SegmentChannels channels, long segmentBytes) {
    this.channels = channels;
    this.segmentBytes = segmentBytes;
  }

  /** Makes the next sync cover all segments, for writes of an earlier process. */
  void inherit() {
    synchronized (unsynced) {
      unsynced.set(0, channels.segments());
    }
  }

  /** Fills {@code target} from its position to its limit with the bytes at {@code offset}. */
  void read(ByteBuffer target, long offset) throws IOException {
    transferAll(Direction.READ, target, offset);
  }

  /** Writes {@code source} from its position to its limit to {@code offset}. */
  void write(ByteBuffer source, long offset) throws IOException {
    transferAll(Direction.WRITE, source, offset);
  }

  /**
   * Forces every segment written since the last call, or that was inherited. Once that failed it
   * fails for good, since the operating system may have dropped what it could not write and then
   * report success.
   */
  synchronized void sync() throws IOException {
    channels.checkOpen();
    if (syncFailure != null) {
      throw new IOException(
          "an earlier sync failed, what was written before it may be lost: close the store and open"
              + " it again, which recovers all that was acknowledged",
          syncFailure);
    }
    int segment = nextUnsynced();
    while (segment >= 0) {
      try {
        force(segment);
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException e) {
        syncFailure = e;
        throw failedSync(channels.file(segment), e);
      }
      segment = nextUnsynced();
    }
  }

  private static IOException failedSync(Path file, IOException cause) {
    String remedy =
        "what was written since the sync before may be lost: close the store and open it again,"
            + " which recovers all that was acknowledged";
    return DurableFiles.isFull(cause)
        ? new StoreFullException(
            "no room left on the volume of " + file + ": free some there; " + remedy, cause)
        : new IOException(
            "syncing " + file + " failed: " + cause.getMessage() + "; " + remedy, cause);
  }

  @Override
  public void close() throws IOException {
    channels.close();
  }

  void checkOpen() throws ClosedChannelException {
    channels.checkOpen();
  }

  /** Takes a segment off the list before it is forced, so that a write meanwhile puts it back. */
  private int nextUnsynced() {
    synchronized (unsynced) {
      int segment = unsynced.nextSetBit(0);
      if (segment >= 0) {
        unsynced.clear(segment);
      }
      return segment;
    }
  }

  private void markUnsynced(int segment) {
    synchronized (unsynced) {
      unsynced.set(segment);
    }
  }

  private void transferAll(Direction direction, ByteBuffer buffer, long from) throws IOException {
    int limit = buffer.limit();
    long offset = from;
    while (buffer.position() < limit) {
      int segment = (int) (offset / segmentBytes);
      long inSegment = offset % segmentBytes;
      int bytes = (int) Math.min(limit - buffer.position(), segmentBytes - inSegment);
      buffer.limit(buffer.position() + bytes);
      try {
        transfer(direction, segment, buffer, inSegment);
      } finally {
        buffer.limit(limit);
        if (direction == Direction.WRITE) {
          markUnsynced(segment);
        }
      }
      offset += bytes;
    }
  }

  private void transfer(Direction direction, int segment, ByteBuffer buffer, long position)
      throws IOException {
    int start = buffer.position();
    boolean interrupted = Thread.interrupted();
    try {
      while (buffer.hasRemaining()) {
        FileChannel channel = channels.of(segment);
        long at = position + (buffer.position() - start);
        try {
          transferSome(direction, segment, channel, buffer, at);
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void transferSome(
      Direction direction, int segment, FileChannel channel, ByteBuffer buffer, long at)
      throws IOException {
    if (direction == Direction.WRITE) {
      try {
        channel.write(buffer, at);
      } catch (IOException e) {
        throw DurableFiles.isFull(e) ? DurableFiles.full(channels.file(segment), e) : e;
      }
    } else if (channel.read(buffer, at) < 0) {
      throw new StoreDamagedException(
          channels.file(segment)
              + " was truncated while it was open: it ends before byte "
              + at
              + " of "
              + segmentBytes
              + "; restore it from a copy");
    }
  }

  private void force(int segment) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        FileChannel channel = channels.of(segment);
        try {
          channel.force(false);
          return;
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
