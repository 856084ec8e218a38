package io.github.roram.bench.load;

import io.github.roram.bench.replay.DeviceContents.DevicePattern;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

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
   * Creates a check.
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

  /** Begins a read, before it is requested. */
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
   * Begins a write, before it is requested.
   *
   * @param target receives the data to write, {@code count} blocks
   */
  public Operation startWrite(long block, int count, byte[] target) {
    long version = versions.incrementAndGet();
    Operation write = new Operation(block, count, clock.incrementAndGet(), version);
    for (int i = 0; i < count; i++) {
      content.put(target, i * blockBytes, block + i, version);
      Block each = block(block + i);
      synchronized (each) {
        each.history.startWrite(version, write.start);
      }
    }
    return write;
  }

  /** Ends a write that was acknowledged. */
  public void endWrite(Operation write) {
    long end = clock.incrementAndGet();
    for (int i = 0; i < write.count; i++) {
      Block each = block(write.block + i);
      synchronized (each) {
        count(each.history.endWrite(write.version, write.start, end));
      }
    }
  }

  /** Ends a read that was answered. */
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

  /** Ends a read or write that failed. Whether a failed write was made is unknown. */
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
   * The data that a load writes: each block contains the run, its number and its version, which
   * determine the rest.
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
    private final DevicePattern noise;

    /**
     * Contents of a run.
     *
     * @param run a number that no other run has
     */
    LoadContent(long run, int blockBytes) {
      this.run = run;
      noise = new DevicePattern(run, blockBytes);
    }

    /** Puts a version of a block at a position. */
    void put(byte[] target, int position, long block, long version) {
      noise.fill(block, (int) version, target, position);
      ByteBuffer.wrap(target, position, HEAD_BYTES).putLong(run).putLong(block).putLong(version);
    }

    /**
     * The version that a block holds; nothing if it is of no load of this run.
     *
     * @return −1 if it was written by this run, and is not as it was written
     */
    OptionalLong version(byte[] data, int position, long block) {
      ByteBuffer found = ByteBuffer.wrap(data, position, HEAD_BYTES);
      if (found.getLong() != run) {
        return OptionalLong.empty();
      }
      long foundBlock = found.getLong();
      long version = found.getLong();
      byte[] expected = new byte[noise.blockBytes()];
      put(expected, 0, block, version);
      boolean right =
          foundBlock == block
              && Arrays.equals(
                  data, position, position + expected.length, expected, 0, expected.length);
      return OptionalLong.of(right ? version : -1);
    }
  }

  /**
   * The concurrent operations of clients on one block, and whether their results can be those of a
   * block that does one thing after another (linearizability).
   *
   * <p>Every write writes a different value, so the test of Gibbons and Korach applies ("Testing
   * Shared Memories", SIAM J. Comput. 26(4), 1997, section 4). The operations on a value have a
   * zone from the first end f among them to the last start s. If f is before s, the block had that
   * value all the time in between (a forward zone); otherwise at some moment between s and f. A
   * history is linearizable if and only if no read ends before its write starts, no two forward
   * zones overlap, and no other zone lies within a forward one. A write that failed may count or
   * not: it never ends.
   *
   * <p>Values that can no longer be read, nor conflict with others, are dropped, so memory does not
   * grow with time. Times are numbers that increase with each start and each end.
   *
   * <p>Not safe for use by several threads.
   */
  static final class BlockHistory {

    /** The value that the block had before. */
    static final long INITIAL = 0;

    private static final long NEVER = Long.MAX_VALUE;

    private final List<Value> values = new ArrayList<>();

    /** Starts of what is under way. */
    private final List<Long> underWay = new ArrayList<>();

    /** The operations on a value. */
    private static final class Value {
      private final long id;
      private final long writeStart;
      private long firstEnd;
      private long lastStart;

      Value(long id, long writeStart, long firstEnd) {
        this.id = id;
        this.writeStart = writeStart;
        this.firstEnd = firstEnd;
        lastStart = writeStart;
      }

      private boolean isForward() {
        return firstEnd < lastStart;
      }

      private boolean contradicts(Value other) {
        if (isForward() && other.isForward()) {
          return Math.max(firstEnd, other.firstEnd) < Math.min(lastStart, other.lastStart);
        }
        return isForward() ? other.liesWithin(this) : other.isForward() && liesWithin(other);
      }

      private boolean liesWithin(Value forward) {
        return forward.firstEnd < lastStart && firstEnd < forward.lastStart;
      }
    }

    BlockHistory() {
      values.add(new Value(INITIAL, -1, -1));
    }

    /** Starts a read. */
    void startRead(long time) {
      underWay.add(time);
    }

    /** Starts a write of a value that no other write has. */
    void startWrite(long value, long time) {
      underWay.add(time);
      values.add(new Value(value, time, NEVER));
    }

    /**
     * Ends a write.
     *
     * @return whether everything so far is linearizable
     */
    boolean endWrite(long value, long start, long time) {
      underWay.remove(start);
      Value written = find(value);
      if (written == null) {
        throw new IllegalStateException("value " + value + " was forgotten before its write ended");
      }
      return end(written, start, time);
    }

    /** Ends a read that found a value; see {@link #endWrite}. */
    boolean endRead(long value, long start, long time) {
      underWay.remove(start);
      Value found = find(value);
      return found != null && end(found, start, time);
    }

    /**
     * Notes that a read or a write failed: whether a failed write was made, or will be, is unknown.
     */
    void failed(long start) {
      underWay.remove(start);
    }

    private boolean end(Value value, long start, long time) {
      value.firstEnd = Math.min(value.firstEnd, time);
      value.lastStart = Math.max(value.lastStart, start);
      boolean right =
          values.stream().noneMatch(other -> other != value && value.contradicts(other));
      forget(underWay.stream().mapToLong(Long::longValue).min().orElse(time));
      return right;
    }

    private @Nullable Value find(long id) {
      for (Value value : values) {
        if (value.id == id) {
          return value;
        }
      }
      return null;
    }

    /**
     * Forgets what no operation that starts at {@code oldest} or later can meet: another value was
     * written wholly after it, and it ends before whatever may still be read.
     */
    private void forget(long oldest) {
      long overwritten = -1;
      for (Value value : values) {
        if (value.firstEnd < oldest) {
          overwritten = Math.max(overwritten, value.writeStart);
        }
      }
      long firstEnd = NEVER;
      for (Value value : values) {
        if (value.firstEnd >= overwritten) {
          firstEnd = Math.min(firstEnd, value.firstEnd);
        }
      }
      long from = overwritten;
      long until = firstEnd;
      values.removeIf(value -> value.firstEnd < from && value.lastStart <= until);
    }

    /** Returns how many values are remembered. */
    int remembered() {
      return values.size();
    }
  }
}
