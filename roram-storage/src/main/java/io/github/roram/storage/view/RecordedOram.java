package io.github.roram.storage.view;

import io.github.roram.AsyncOram;
import io.github.roram.BlockProgram;
import io.github.roram.BlockSink;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.RecoveryReport;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.open.Orams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An ORAM that declares every access to a {@link ViewRecorder} before it makes it, so that sights
 * have a logical time. A transfer through {@link #channel} is cut where a longest range is full, in
 * both directions alike, and declares one access for each piece.
 *
 * <p>Thread safety: as safe as the ORAM.
 */
public final class RecordedOram implements Oram {

  /** Most calls in flight of the asynchronous view. */
  private static final int MOST_CALLS = 64;

  private final Oram oram;
  private final ViewRecorder recorder;
  private final IntConsumer declaration;
  private @Nullable AsyncOram queued;

  /** Declares the accesses to {@code oram}, which from now on is closed through this ORAM. */
  public RecordedOram(Oram oram, ViewRecorder recorder) {
    this(oram, recorder, blocks -> recorder.access(oram.config().parameters().shownBlocks(blocks)));
  }

  /**
   * Leaves the declarations to the caller, for example if an access serves a request that
   * determines what may show.
   *
   * @param declaration called before each access, on its thread, with the number of its blocks
   */
  public RecordedOram(Oram oram, ViewRecorder recorder, IntConsumer declaration) {
    this.oram = oram;
    this.recorder = recorder;
    this.declaration = declaration;
  }

  /** Returns a view that makes one access after another, and declares each when it is made. */
  @Override
  public synchronized AsyncOram async() {
    if (queued == null) {
      queued = Orams.queued(this, MOST_CALLS);
    }
    return queued;
  }

  /** Declares an access; one that is to look like more blocks than there are is of all. */
  void declare(int count) {
    declaration.accept((int) Math.min(count, config().blocks()));
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

  @Override
  public void access(long[] blocks, int leastBlocks, BlockProgram program) throws IOException {
    declare(Math.max(leastBlocks, blocks.length));
    oram.access(blocks, leastBlocks, program);
  }

  private void declareBytes(long offset, int bytes, int leastBlocks) {
    int blockBytes = config().blockBytes();
    int skip = (int) Math.floorMod(offset, (long) blockBytes);
    declare(Math.max(leastBlocks, (skip + bytes + blockBytes - 1) / blockBytes));
  }

  /** Trims without a declaration, since a trim is no access. */
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
  public void grow(long blocks) throws IOException {
    recorder.grow(blocks);
    oram.grow(blocks);
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

  /**
   * The bytes of a {@link RecordedOram}: transfers are cut into pieces of one access, and each
   * access is declared. Thread safety: safe.
   */
  private static final class RecordedChannel implements SeekableByteChannel {

    /** Most bytes that a view of an ORAM moves in one access, whatever ranges it allows. */
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
}
