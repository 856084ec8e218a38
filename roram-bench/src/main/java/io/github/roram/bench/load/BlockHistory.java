package io.github.roram.bench.load;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was asked of one block by clients at the same time, and whether the answers can be those of
 * a block that does one thing after another (linearizability).
 *
 * <p>Every write writes another value, so the test of Gibbons and Korach applies ("Testing Shared
 * Memories", SIAM J. Comput. 26(4), 1997, section 4). The operations on a value have a zone from
 * the first end f among them to the last start s. If f is before s, the block had that value all
 * the while (a forward zone); otherwise at some moment between s and f. A history is linearizable
 * if and only if no read ends before its write starts, no two forward zones overlap, and no other
 * zone lies within a forward one. A write that failed may count or not: it never ends.
 *
 * <p>Values that cannot be read any more, nor meet others, are forgotten, so memory does not grow
 * with time. Times are numbers that grow with each start and each end.
 *
 * <p>Not safe for use by several threads.
 */
final class BlockHistory {

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

  /** A read starts. */
  void startRead(long time) {
    underWay.add(time);
  }

  /** A write of a value that no other writes starts. */
  void startWrite(long value, long time) {
    underWay.add(time);
    values.add(new Value(value, time, NEVER));
  }

  /**
   * A write ends.
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

  /** As {@link #endWrite}, of a read that found a value. */
  boolean endRead(long value, long start, long time) {
    underWay.remove(start);
    Value found = find(value);
    return found != null && end(found, start, time);
  }

  /** A read or a write failed: of a write nobody knows whether it was made, or will be. */
  void failed(long start) {
    underWay.remove(start);
  }

  private boolean end(Value value, long start, long time) {
    value.firstEnd = Math.min(value.firstEnd, time);
    value.lastStart = Math.max(value.lastStart, start);
    boolean right = values.stream().noneMatch(other -> other != value && value.contradicts(other));
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

  /** How many values are remembered. */
  int remembered() {
    return values.size();
  }
}
