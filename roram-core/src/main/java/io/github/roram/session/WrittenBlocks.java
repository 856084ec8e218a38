package io.github.roram.session;

import io.github.roram.BlockSink;
import io.github.roram.engine.TrimmedBlocks;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A sink that gets no blocks which were trimmed: they read as zeros. */
final class WrittenBlocks implements BlockSink {

  private final BlockSink sink;
  private final TrimmedBlocks trimmed;

  WrittenBlocks(BlockSink sink, TrimmedBlocks trimmed) {
    this.sink = sink;
    this.trimmed = trimmed;
  }

  @Override
  public void accept(long block, ByteBuffer data) throws IOException {
    if (!trimmed.contains(block)) {
      sink.accept(block, data);
    }
  }

  @Override
  public void advancedTo(long doneBytes, long totalBytes) throws IOException {
    sink.advancedTo(doneBytes, totalBytes);
  }
}
