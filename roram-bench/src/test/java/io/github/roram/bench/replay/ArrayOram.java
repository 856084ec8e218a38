package io.github.roram.bench.replay;

import io.github.roram.AsyncOram;
import io.github.roram.BlockSink;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.RecoveryReport;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Hides nothing: block b lies at byte b · blockBytes of a store. What replays are tested against,
 * since one can tell in the head what it asks of the store.
 */
class ArrayOram implements Oram {

  private final OramConfig config;
  private final BlockStore store;

  ArrayOram(OramConfig config, BlockStore store) {
    this.config = config;
    this.store = store;
  }

  @Override
  public OramConfig config() {
    return config;
  }

  @Override
  public void read(long block, int count, ByteBuffer destination) throws IOException {
    check(block, count);
    store.read(batch(IoPhase.READ, block, count), (first, units) -> destination.put(units));
  }

  @Override
  public void write(long block, ByteBuffer source) throws IOException {
    int count = source.remaining() / config.blockBytes();
    check(block, count);
    store.write(
        batch(IoPhase.EVICT_WRITE, block, count),
        (first, units) -> {
          int end = source.limit();
          units.put(source.limit(source.position() + units.remaining()));
          source.limit(end);
        });
  }

  @Override
  public void update(long offset, ByteBuffer source) {
    throw new UnsupportedOperationException("replays do not use it");
  }

  @Override
  public void readBytes(long offset, int leastBlocks, ByteBuffer target) {
    throw new UnsupportedOperationException("replays do not use it");
  }

  @Override
  public void updateBytes(long offset, int leastBlocks, ByteBuffer source) {
    throw new UnsupportedOperationException("replays do not use it");
  }

  @Override
  public boolean trim(long block, long count) {
    throw new UnsupportedOperationException("replays do not use it");
  }

  @Override
  public void flush() {}

  @Override
  public void bulkLoad(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
      throws IOException {
    ByteBuffer block = ByteBuffer.allocate(config.blockBytes());
    for (long i = 0; i < config.blocks(); i++) {
      source.read(block.clear());
      write(i, block.flip());
    }
  }

  @Override
  public SeekableByteChannel channel() {
    throw new UnsupportedOperationException("replays do not use it");
  }

  @Override
  public RecoveryReport recovery() {
    return RecoveryReport.CLEAN;
  }

  @Override
  public void completeRecovery() {}

  @Override
  public VerifyReport verify(VerifyProgress progress) {
    throw new UnsupportedOperationException("replays do not use it");
  }

  @Override
  public void scan(BlockSink sink) {
    throw new UnsupportedOperationException("replays do not use it");
  }

  @Override
  public AsyncOram async() {
    throw new UnsupportedOperationException("replays do not use it");
  }

  @Override
  public boolean scanPays(long bytes) {
    return false;
  }

  @Override
  public OramStats stats() {
    return new OramStats(
        0, 0, 0, List.of(new OramStats.TreeStats(1, 3, 0, 0, 5, 4, 11, 0, false, 0)));
  }

  @Override
  public void close() {}

  private ExtentBatch batch(IoPhase phase, long block, int count) {
    ExtentBatch batch = new ExtentBatch().reset(phase, 0, config.blockBytes());
    batch.add(block * config.blockBytes(), count);
    return batch;
  }

  private void check(long block, int count) {
    if (count < 1 || count > config.maxRangeBlocks() || block + count > config.blocks()) {
      throw new IllegalArgumentException(count + " blocks from " + block + " on");
    }
  }
}
