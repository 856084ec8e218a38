package io.github.roram.bench.load;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/**
 * Checks what clients of one ORAM are answered, block by block: whatever a read finds must be a
 * value that the block can have had between its start and its end, given all reads and writes of
 * all clients. What a block held before is what it is found with first.
 *
 * <p>That a range is read as a whole, none of its blocks before and another after a write, is not
 * checked.
 *
 * <p>Thread safety: safe. Starts are to be told before a call is made, ends after it has completed.
 */
public final class LoadCheck {

  private final LoadContent content;
  private final int blockBytes;
  private final AtomicLong clock = new AtomicLong();
  private final AtomicLong versions = new AtomicLong();
  private final AtomicLong mismatches = new AtomicLong();
  private final Map<Long, Block> blocks = new ConcurrentHashMap<>();

  /** A block, and a sum of what it held before. */
  private static final class Block {
    private final BlockHistory history = new BlockHistory();
    private long initialSum = -1;
  }

  /** A read or write under way: its first block, its length in blocks, its start, its version. */
  public record Operation(long block, int count, long start, long version) {}

  /**
   * A check.
   *
   * @param run a number that no other load of the same ORAM has
   */
  public LoadCheck(long run, int blockBytes) {
    content = new LoadContent(run, blockBytes);
    this.blockBytes = blockBytes;
  }

  private Block block(long block) {
    return blocks.computeIfAbsent(block, number -> new Block());
  }

  /** A read is about to be asked for. */
  public Operation startRead(long block, int count) {
    Operation read = new Operation(block, count, clock.incrementAndGet(), -1);
    for (int i = 0; i < count; i++) {
      Block each = block(block + i);
      synchronized (each) {
        each.history.startRead(read.start);
      }
    }
    return read;
  }

  /**
   * A write is about to be asked for.
   *
   * @param target gets what is to be written, {@code count} blocks
   */
  public Operation startWrite(long block, int count, byte[] target) {
    long version = versions.incrementAndGet();
    Operation write = new Operation(block, count, clock.incrementAndGet(), version);
    for (int i = 0; i < count; i++) {
      content.put(ByteBuffer.wrap(target, i * blockBytes, blockBytes), block + i, version);
      Block each = block(block + i);
      synchronized (each) {
        each.history.startWrite(version, write.start);
      }
    }
    return write;
  }

  /** A write was acknowledged. */
  public void endWrite(Operation write) {
    long end = clock.incrementAndGet();
    for (int i = 0; i < write.count; i++) {
      Block each = block(write.block + i);
      synchronized (each) {
        count(each.history.endWrite(write.version, write.start, end));
      }
    }
  }

  /** A read was answered. */
  public void endRead(Operation read, byte[] found) {
    long end = clock.incrementAndGet();
    for (int i = 0; i < read.count; i++) {
      OptionalLong version = content.version(found, i * blockBytes, read.block + i);
      Block each = block(read.block + i);
      synchronized (each) {
        if (version.isPresent()) {
          count(each.history.endRead(version.getAsLong(), read.start, end));
        } else {
          boolean same = isInitial(each, found, i * blockBytes);
          count(each.history.endRead(BlockHistory.INITIAL, read.start, end) && same);
        }
      }
    }
  }

  private boolean isInitial(Block block, byte[] found, int position) {
    CRC32C sum = new CRC32C();
    sum.update(found, position, blockBytes);
    if (block.initialSum < 0) {
      block.initialSum = sum.getValue();
    }
    return block.initialSum == sum.getValue();
  }

  /** A read or write failed. Of a write nobody knows whether it was made. */
  public void failed(Operation operation) {
    for (int i = 0; i < operation.count; i++) {
      Block each = block(operation.block + i);
      synchronized (each) {
        each.history.failed(operation.start);
      }
    }
  }

  private void count(boolean right) {
    if (!right) {
      mismatches.incrementAndGet();
    }
  }

  /** Blocks that were found with what they cannot have had. */
  public long mismatches() {
    return mismatches.get();
  }

  /**
   * What a load writes: each block says by which run, where and as which version it was written,
   * and the rest of it follows from that.
   *
   * <pre>
   *  u64 run | u64 block | u64 version | noise to the end
   * </pre>
   *
   * <p>Immutable.
   */
  static final class LoadContent {

    private static final int HEAD_BYTES = 24;

    private final long run;
    private final int blockBytes;

    /**
     * Contents of a run.
     *
     * @param run a number that no other run has
     */
    LoadContent(long run, int blockBytes) {
      this.run = run;
      this.blockBytes = blockBytes;
    }

    /** Puts a version of a block where a buffer stands. */
    void put(ByteBuffer target, long block, long version) {
      target.putLong(run).putLong(block).putLong(version);
      long state = mix(run ^ mix(block ^ mix(version)));
      for (int i = HEAD_BYTES; i < blockBytes; i += Long.BYTES) {
        state += 0x9E3779B97F4A7C15L;
        target.putLong(mix(state));
      }
    }

    /**
     * The version that a block holds; nothing if it is of no load of this run.
     *
     * @return −1 if it was written by this run, and is not as it was written
     */
    OptionalLong version(byte[] data, int position, long block) {
      ByteBuffer found = ByteBuffer.wrap(data, position, blockBytes);
      if (found.getLong() != run) {
        return OptionalLong.empty();
      }
      long foundBlock = found.getLong();
      long version = found.getLong();
      byte[] expected = new byte[blockBytes];
      put(ByteBuffer.wrap(expected), block, version);
      boolean right =
          foundBlock == block
              && Arrays.equals(data, position, position + blockBytes, expected, 0, blockBytes);
      return OptionalLong.of(right ? version : -1);
    }

    /** The finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
    private static long mix(long z) {
      long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
      long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
      return b ^ (b >>> 31);
    }
  }
}
