package io.github.roram.storage.view;

import io.github.roram.BlockSink;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.RecoveryReport;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * An ORAM that declares every access to a {@link ViewRecorder} before it makes it, so that what
 * observers see has a logical time. A transfer through {@link #channel} is cut where a longest
 * range is full, in both directions alike: it declares one access for each piece, as many as reads
 * of them take.
 *
 * <p>Thread safety: as safe as the ORAM.
 */
public final class RecordedOram implements Oram {

  private final Oram oram;
  private final ViewRecorder recorder;
  private final IntConsumer declaration;

  /** Declares the accesses to {@code oram}, which from now on is closed through this one. */
  public RecordedOram(Oram oram, ViewRecorder recorder) {
    this(oram, recorder, blocks -> recorder.access(oram.config().parameters().shownBlocks(blocks)));
  }

  /**
   * Leaves it to another what is declared of an access, as where an access is made for a request
   * that tells what may show.
   *
   * @param declaration is called before each access, on its thread, with the number of its blocks
   */
  public RecordedOram(Oram oram, ViewRecorder recorder, IntConsumer declaration) {
    this.oram = oram;
    this.recorder = recorder;
    this.declaration = declaration;
  }

  void declare(int count) {
    declaration.accept(count);
  }

  @Override
  public OramConfig config() {
    return oram.config();
  }

  @Override
  public void read(long block, int count, ByteBuffer destination) throws IOException {
    declare(count);
    oram.read(block, count, destination);
  }

  @Override
  public void write(long block, ByteBuffer source) throws IOException {
    int blockBytes = config().blockBytes();
    declare((source.remaining() + blockBytes - 1) / blockBytes);
    oram.write(block, source);
  }

  @Override
  public void update(long offset, ByteBuffer source) throws IOException {
    declareBytes(offset, source.remaining(), 1);
    oram.update(offset, source);
  }

  @Override
  public void readBytes(long offset, int leastBlocks, ByteBuffer target) throws IOException {
    declareBytes(offset, target.remaining(), leastBlocks);
    oram.readBytes(offset, leastBlocks, target);
  }

  @Override
  public void updateBytes(long offset, int leastBlocks, ByteBuffer source) throws IOException {
    declareBytes(offset, source.remaining(), leastBlocks);
    oram.updateBytes(offset, leastBlocks, source);
  }

  private void declareBytes(long offset, int bytes, int leastBlocks) {
    int blockBytes = config().blockBytes();
    int skip = (int) Math.floorMod(offset, (long) blockBytes);
    declare(Math.max(leastBlocks, (skip + bytes + blockBytes - 1) / blockBytes));
  }

  /** Declares nothing: a trim is no access. */
  @Override
  public boolean trim(long block, long count) throws IOException {
    return oram.trim(block, count);
  }

  @Override
  public void flush() throws IOException {
    oram.flush();
  }

  @Override
  public SeekableByteChannel channel() {
    return new RecordedChannel(this, oram.channel());
  }

  @Override
  public void bulkLoad(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
      throws IOException {
    recorder.bulkLoad(source.size());
    oram.bulkLoad(source, memoryBytes, progressBytes);
  }

  @Override
  public RecoveryReport recovery() {
    return oram.recovery();
  }

  @Override
  public void completeRecovery() throws IOException {
    oram.completeRecovery();
  }

  @Override
  public VerifyReport verify(VerifyProgress progress) throws IOException {
    return oram.verify(progress);
  }

  @Override
  public void scan(BlockSink sink) throws IOException {
    recorder.scan();
    oram.scan(sink);
  }

  @Override
  public boolean scanPays(long bytes) {
    return oram.scanPays(bytes);
  }

  @Override
  public OramStats stats() {
    return oram.stats();
  }

  @Override
  public void close() throws IOException {
    oram.close();
  }
}
