package io.github.roram.cli;

import io.github.roram.BlockSink;
import io.github.roram.OramConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A new file into which a scan puts the first bytes of a store, each block where it belongs. What
 * is never put there stays a hole, and reads as zeros.
 */
final class ScannedFile implements BlockSink {

  private final StoreSession session;
  private final FileChannel file;
  private final long bytes;
  private final int blockBytes;
  private final ProgressStart start;
  private Progress progress = Progress.SILENT;
  private long done;

  /** Begins to show how far the scan is. */
  @FunctionalInterface
  interface ProgressStart {
    Progress start(long totalBytes);
  }

  /**
   * A file that is empty yet.
   *
   * @param bytes how many bytes of the store it gets
   */
  ScannedFile(StoreSession session, FileChannel file, long bytes, ProgressStart start) {
    this.session = session;
    this.file = file;
    this.bytes = bytes;
    this.start = start;
    OramConfig config = session.oram().config();
    blockBytes = config.blockBytes();
  }

  /** Fills the file. */
  void fill() throws IOException {
    try {
      session.oram().scan(this);
      if (file.size() < bytes) {
        put(ByteBuffer.allocate(1), bytes - 1);
      }
    } finally {
      progress.close();
    }
  }

  @Override
  public void accept(long block, ByteBuffer data) throws IOException {
    session.checkNotStopping();
    long offset = block * blockBytes;
    if (offset < bytes) {
      data.limit((int) Math.min(blockBytes, bytes - offset));
      put(data, offset);
    }
  }

  private void put(ByteBuffer data, long offset) throws IOException {
    long position = offset;
    while (data.hasRemaining()) {
      position += file.write(data, position);
    }
  }

  @Override
  public void advancedTo(long doneBytes, long totalBytes) {
    session.checkNotStopping();
    if (done == 0) {
      progress = start.start(totalBytes);
    }
    progress.step(doneBytes - done);
    done = doneBytes;
  }
}
