package io.github.roram.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * What the blocks of an ORAM may hold, by what was acknowledged and what failed: a plain array, and
 * the writes that it does not have yet. Calls are numbered in their order, in which they are done.
 *
 * <p>A write that failed is there as a whole or not at all. Of what a crash cut a prefix is there,
 * but for calls that may have failed before it, and for those that were asked for again: the first
 * of them may have been made once more behind the last. A trim may be there without writes that
 * were called before it and not answered. What a read finds settles both.
 */
final class Oracle {

  private enum State {
    /** Not answered. */
    OPEN,
    /** Done. */
    CERTAIN,
    /** Done or not. */
    DOUBTFUL,
    /** Not done. */
    LOST
  }

  /** A change of blocks as a whole. */
  static final class Write {
    private final long number;
    private final int[] blocks;
    private final byte[][] contents;
    private final boolean trims;
    private State state = State.OPEN;
    private boolean durable;
    private boolean isAskedAgain;

    /** The crash that cut it; 0 for none. */
    private int crash;

    private Write(long number, int[] blocks, byte[][] contents, boolean trims) {
      this.number = number;
      this.blocks = blocks;
      this.contents = contents;
      this.trims = trims;
    }

    private byte[] content(int block) {
      for (int i = 0; i < blocks.length; i++) {
        if (blocks[i] == block) {
          return contents[i];
        }
      }
      return NONE;
    }

    private boolean touches(int block) {
      return content(block).length > 0;
    }

    /** Whether it makes blocks zeros, which is durable after a flush only. */
    boolean trims() {
      return trims;
    }

    private boolean isDoubtful() {
      return state == State.DOUBTFUL;
    }
  }

  private static final byte[] NONE = {};

  private final int first;
  private final byte[][] settled;
  private final boolean syncs;
  private final ArrayDeque<Write> writes = new ArrayDeque<>();
  private long numbers;
  private int crashes;

  /**
   * Blocks of zeros, from a first one on.
   *
   * @param syncs whether what is acknowledged is durable without a flush
   */
  Oracle(int first, int blocks, int blockBytes, boolean syncs) {
    this.first = first;
    settled = new byte[blocks][blockBytes];
    this.syncs = syncs;
  }

  /** The first block that it knows. */
  int first() {
    return first;
  }

  /** How many it knows. */
  int blocks() {
    return settled.length;
  }

  /** Whether it knows a block. */
  boolean has(int block) {
    return first <= block && block < first + blocks();
  }

  /** The number of the next call. */
  long next() {
    return numbers++;
  }

  /**
   * A call that gives blocks contents; each is of the right length.
   *
   * @param counts whether it may be done: that of a client which was replaced must not
   */
  Write write(int[] blocks, byte[][] contents, boolean trims, boolean counts) {
    Write write = new Write(next(), blocks, contents, trims);
    if (counts) {
      writes.add(write);
    }
    return write;
  }

  /** It was acknowledged. */
  void acknowledged(Write write) {
    write.state = State.CERTAIN;
    if (syncs && !write.trims) {
      flushed(write.number + 1);
    }
    fold();
  }

  /** It failed, or was not made. */
  void failed(Write write, boolean made) {
    if (made) {
      write.state = State.DOUBTFUL;
    } else {
      writes.remove(write);
    }
  }

  /** Whether it is there at the latest now, and durable: a client that was replaced was told so. */
  void acknowledgedLate(Write write) {
    if (write.state == State.LOST) {
      throw new Finding("a client that was replaced acknowledged what its successor has not");
    }
    if (write.isDoubtful()) {
      done(write, true);
    }
    write.durable = true;
    fold();
  }

  /** What is known now, for a client that was replaced and answers later. */
  Past past() {
    return new Past(first, settled.clone(), List.copyOf(writes));
  }

  /** What blocks held, or may have held. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Past(int first, byte[][] settled, List<Write> writes) {

    /** What a call that was made before a number, and answered later, has found. */
    void found(long number, int block, byte[] content) {
      if (!Arrays.equals(settled[block - first], content)
          && writes.stream()
              .noneMatch(
                  write -> write.number < number && Arrays.equals(write.content(block), content))) {
        throw new Finding("a client that was replaced read what block " + block + " never held");
      }
    }
  }

  /** A flush was acknowledged: all that was acknowledged before its call is durable. */
  void flushed(long number) {
    for (Write write : writes) {
      write.durable |= write.number < number && write.state == State.CERTAIN;
    }
    fold();
  }

  /** What is not answered is asked for again, in order. */
  void askedAgain() {
    for (Write write : writes) {
      write.isAskedAgain |= write.state == State.OPEN;
    }
  }

  /**
   * The process died, or the power failed.
   *
   * @param troubled whether calls may have failed before, also such as were not answered yet: those
   *     are there or not, each by itself
   */
  void crashed(boolean power, boolean troubled) {
    crashes++;
    long safe = -1;
    for (Write write : writes) {
      boolean isSafe = power ? write.durable : write.durable || !write.trims;
      safe = write.state == State.CERTAIN && isSafe ? write.number : safe;
    }
    for (Write write : writes) {
      if (write.state == State.CERTAIN && write.number <= safe) {
        write.durable |= power;
      } else if (!write.isDoubtful()) {
        boolean isByItself = write.isAskedAgain || (troubled && write.state == State.OPEN);
        write.crash = isByItself ? 0 : crashes;
        write.state = State.DOUBTFUL;
      }
    }
    fold();
  }

  /** A block that a call which was made before a number and answered just now found. */
  void found(long number, int block, byte[] content, boolean byAccess) {
    List<Write> possible = new ArrayList<>();
    boolean isCertain = false;
    Iterator<Write> newest = writes.descendingIterator();
    while (newest.hasNext() && !isCertain) {
      Write write = newest.next();
      if (write.number < number && write.touches(block)) {
        if (write.state == State.OPEN) {
          throw new Finding("a read is answered before the write that it follows");
        }
        possible.add(write);
        isCertain = write.state == State.CERTAIN;
      }
    }
    int matching = -1;
    int matches = 0;
    for (int i = 0; i < possible.size(); i++) {
      if (Arrays.equals(possible.get(i).content(block), content)) {
        matching = i;
        matches++;
      }
    }
    if (!isCertain && Arrays.equals(settled[block - first], content)) {
      matching = possible.size();
      matches++;
    }
    if (matches == 0) {
      throw new Finding("block " + block + " has what it must not: " + describe(possible, block));
    }
    if (matches == 1) {
      settle(possible, matching, byAccess);
    }
  }

  private String describe(List<Write> possible, int block) {
    StringBuilder text = new StringBuilder();
    for (Write write : possible) {
      text.append(write.number).append(write.trims ? " trim " : " write ").append(write.state);
      text.append(write.durable ? " durable" : "").append(" crash ").append(write.crash);
      text.append(", ");
    }
    return text + "settled block " + block;
  }

  private void settle(List<Write> possible, int matching, boolean byAccess) {
    if (matching < possible.size() && possible.get(matching).isDoubtful()) {
      done(possible.get(matching), byAccess);
    }
    for (int i = 0; i < matching; i++) {
      if (possible.get(i).isDoubtful()) {
        notDone(possible.get(i));
      }
    }
    fold();
  }

  private void done(Write found, boolean byAccess) {
    for (Write write : writes) {
      boolean isBefore = isCutWith(found, write) && (write.trims || !found.trims);
      boolean isMeant = write.number == found.number || (isBefore && write.number < found.number);
      if (isMeant && write.isDoubtful()) {
        write.state = State.CERTAIN;
        // An access that is acknowledged makes all before it durable, where it is itself.
        write.durable |= syncs && byAccess;
      }
    }
  }

  private static boolean isCutWith(Write one, Write other) {
    return one.crash != 0 && one.crash == other.crash;
  }

  private void notDone(Write found) {
    for (Write write : List.copyOf(writes)) {
      boolean isAfter = isCutWith(found, write) && (found.trims || !write.trims);
      boolean isMeant = write.number == found.number || (isAfter && write.number > found.number);
      if (isMeant && write.isDoubtful()) {
        write.state = State.LOST;
        writes.remove(write);
      }
    }
  }

  private void fold() {
    while (!writes.isEmpty()
        && writes.getFirst().state == State.CERTAIN
        && writes.getFirst().durable) {
      Write write = writes.removeFirst();
      for (int i = 0; i < write.blocks.length; i++) {
        settled[write.blocks[i] - first] = write.contents[i];
      }
    }
  }

  /** A block of which more than one content is possible; −1 if there is none. */
  int doubtful() {
    for (Write write : writes) {
      if (write.isDoubtful()) {
        return write.blocks[0];
      }
    }
    return -1;
  }
}
