package io.github.roram.jmh;

import io.github.roram.Oram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Accesses of ranges of one size at random places, a read and a write in turn. */
final class RandomAccesses {

  private final SplittableRandom random = new SplittableRandom(1);
  private final Oram oram;
  private final int rangeBlocks;
  private final ByteBuffer buffer;
  private boolean write;

  RandomAccesses(Oram oram, int rangeBlocks) {
    this.oram = oram;
    this.rangeBlocks = rangeBlocks;
    buffer = ByteBuffer.allocate(rangeBlocks * oram.config().blockBytes());
  }

  /** The next; returns what was read or written. */
  ByteBuffer next() throws IOException {
    long block = random.nextLong(oram.config().blocks() - rangeBlocks + 1);
    buffer.clear();
    if (write) {
      oram.write(block, buffer);
    } else {
      oram.read(block, rangeBlocks, buffer);
    }
    write = !write;
    return buffer;
  }
}
