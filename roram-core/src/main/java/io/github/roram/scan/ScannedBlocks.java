package io.github.roram.scan;

import io.github.roram.BlockSink;
import io.github.roram.stash.Stash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * The blocks of a scan, of which copies may be met again and again: a sink gets the first one of
 * each. Holds one bit a block.
 *
 * <p>Buckets are shown by what cannot throw an {@link IOException}, so one of the sink's is carried
 * through.
 */
public final class ScannedBlocks {

  private final BlockSink sink;
  private final int blockBytes;
  private final long totalBytes;
  private final BitSet met = new BitSet();
  private long doneBytes;

  /** Carries what the sink threw. */
  private static final class SinkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final IOException thrown;

    SinkException(IOException thrown) {
      super(thrown);
      this.thrown = thrown;
    }
  }

  /** Hands copies over. */
  @FunctionalInterface
  public interface Scan {
    /** Hands all of them over. */
    void run() throws IOException;
  }

  /**
   * No blocks yet.
   *
   * @param totalBytes bytes of the store that the scan is going to read
   */
  public ScannedBlocks(BlockSink sink, int blockBytes, long totalBytes) {
    this.sink = sink;
    this.blockBytes = blockBytes;
    this.totalBytes = totalBytes;
  }

  /** Runs a scan; what the sink throws ends it, and is thrown. */
  public void runAll(Scan scan) throws IOException {
    try {
      scan.run();
    } catch (SinkException e) {
      throw e.thrown;
    }
  }

  /** All blocks that a client holds, which are newer than their copies on the store. */
  public void meetAll(Stash stash) {
    for (int slot = 0; slot < stash.slots(); slot++) {
      if (stash.address(slot) >= 0) {
        meet(stash.address(slot), stash.array(slot), stash.offset(slot));
      }
    }
  }

  /** A copy of a block; nothing if one was met before. */
  public void meet(int address, byte[] array, int offset) {
    if (met.get(address)) {
      return;
    }
    met.set(address);
    try {
      sink.accept(address, ByteBuffer.wrap(array, offset, blockBytes).slice().asReadOnlyBuffer());
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }

  /** So many bytes more of the store were read. */
  public void advance(long bytes) throws IOException {
    doneBytes += bytes;
    sink.advancedTo(doneBytes, totalBytes);
  }
}
