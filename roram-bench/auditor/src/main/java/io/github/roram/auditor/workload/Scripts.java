package io.github.roram.auditor.workload;

import io.github.roram.OramConfig;
import io.github.roram.auditor.workload.Frontend.PagingFrontend;
import io.github.roram.auditor.workload.Pair.Pairs;
import io.github.roram.auditor.workload.Pair.Workload;
import io.github.roram.auditor.workload.ScriptedClient.Death;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/** What workloads do: the scripts that {@link Pairs} puts together. */
final class Scripts {

  /** Blocks that a hot workload mostly accesses. */
  private static final int HOT_BLOCKS = 8;

  private static final double HOT_SHARE = 0.9;

  /** Number of calls to store and vault in an access, in one of which the client dies. */
  private static final int CALLS = 12;

  private static final int MEMORY_PARTS = 8;

  /** Sectors of a block. */
  private static final int SECTORS = 4;

  private static final int DOUBLINGS = 3;

  /** Number of backups of a store; there may be one more. */
  private static final int BACKUPS = 4;

  private Scripts() {}

  /** A script in which the client dies. */
  private record Dying(Workload script) implements Workload {
    @Override
    public void run(ScriptedClient session, int accesses) throws IOException {
      script.run(session, accesses);
    }

    @Override
    public boolean dies() {
      return true;
    }
  }

  /** Some access of given blocks, the {@code access}th of its run, from 0. */
  @FunctionalInterface
  interface Operation {
    /** Every access reads. */
    Operation READ = (session, access, block, count) -> session.read(block, count);

    /** Every access writes. */
    Operation WRITE = (session, access, block, count) -> session.write(block, count);

    /** Every other access reads, the others write. */
    Operation ALTERNATE =
        (session, access, block, count) ->
            (access % 2 == 0 ? READ : WRITE).make(session, access, block, count);

    void make(ScriptedClient session, int access, long block, int count) throws IOException;
  }

  private static long anywhere(ScriptedClient session, int count) {
    return anywhere(session, false, count);
  }

  /** Returns where a range starts of the first few blocks and what follows them, or of all. */
  private static long anywhere(ScriptedClient session, boolean ofFewBlocks, int count) {
    long all = session.config().blocks();
    long to = ofFewBlocks ? Math.min(all, HOT_BLOCKS + count - 1L) : all;
    return within(session.random(), 0, to, count);
  }

  /** Returns where a range of {@code count} blocks starts that lies within a part of the store. */
  private static long within(Random random, long from, long to, int count) {
    return from + random.nextLong(Math.max(1, to - from - count + 1));
  }

  /** Ranges anywhere. */
  static Workload anywhere(Operation operation) {
    return (session, accesses) -> {
      ScriptedLengths lengths = new ScriptedLengths(session.config());
      for (int i = 0; i < accesses; i++) {
        int count = lengths.nextBlocks();
        operation.make(session, i, anywhere(session, count), count);
      }
    };
  }

  /**
   * Accesses one block after another, in an order in which none is repeated before all were
   * accessed.
   */
  static Workload distinct(Operation operation) {
    return (session, accesses) -> {
      long blocks = session.config().blocks();
      long start = session.random().nextLong(blocks);
      for (int i = 0; i < accesses; i++) {
        operation.make(session, i, (start + i) % blocks, 1);
      }
    };
  }

  /** Returns the same block every time. */
  static Workload same(Operation operation) {
    return (session, accesses) -> {
      long block = anywhere(session, 1);
      for (int i = 0; i < accesses; i++) {
        operation.make(session, i, block, 1);
      }
    };
  }

  /** Each range starts where the previous one ended. */
  static Workload sequential(Operation operation) {
    return (session, accesses) -> {
      ScriptedLengths lengths = new ScriptedLengths(session.config());
      long next = anywhere(session, 1);
      for (int i = 0; i < accesses; i++) {
        int count = lengths.nextBlocks();
        long block = next + count <= session.config().blocks() ? next : 0;
        operation.make(session, i, block, count);
        next = block + count;
      }
    };
  }

  /** Nine of ten accesses go to a few blocks, and to the ranges that begin there. */
  static Workload hot(Operation operation) {
    return (session, accesses) -> {
      ScriptedLengths lengths = new ScriptedLengths(session.config());
      for (int i = 0; i < accesses; i++) {
        int count = lengths.nextBlocks();
        boolean hot = session.random().nextDouble() < HOT_SHARE;
        operation.make(session, i, anywhere(session, hot, count), count);
      }
    };
  }

  /**
   * Accesses to the first half of the store, then as many to the same half again, or to the other
   * one.
   */
  static Workload secondHalf(Operation operation, boolean sameBlocks) {
    return (session, accesses) -> {
      ScriptedLengths lengths = new ScriptedLengths(session.config());
      long half = Math.max(session.config().blocks() / 2, 1);
      long end = Math.max(session.config().blocks() - half, half);
      for (int i = 0; i < accesses; i++) {
        boolean first = sameBlocks || i < accesses / 2;
        int count = (int) Math.min(lengths.nextBlocks(), half);
        long block =
            first
                ? within(session.random(), 0, half, count)
                : within(session.random(), end, session.config().blocks(), count);
        operation.make(session, i, block, count);
      }
    };
  }

  /** First accesses every block, then reads ranges anywhere. */
  static Workload afterAll(Operation first) {
    return (session, accesses) -> {
      long blocks = session.config().blocks();
      int range = session.config().maxRangeBlocks();
      for (long block = 0; block < blocks; block += range) {
        first.make(session, 0, block, (int) Math.min(range, blocks - block));
      }
      anywhere(Operation.READ).run(session, accesses);
    };
  }

  /** First fills the store by a bulk load, then accesses ranges anywhere. */
  static Workload afterBulkLoad(boolean zeros) {
    return (session, accesses) -> {
      session.bulkLoad(zeros, session.config().bytes());
      anywhere(Operation.ALTERNATE).run(session, accesses);
    };
  }

  /** Fills the store by a bulk load of a client who can hold only part of it in memory. */
  static Workload bulkLoadInParts(boolean zeros) {
    return (session, accesses) -> {
      session.bulkLoad(zeros, session.config().bytes() / MEMORY_PARTS);
      anywhere(Operation.READ).run(session, Math.min(accesses, 2));
    };
  }

  /** Bytes anywhere, from somewhere in a block to somewhere in a block. */
  static Workload bytes(boolean writes) {
    return (session, accesses) -> {
      ScriptedLengths lengths = new ScriptedLengths(session.config());
      for (int i = 0; i < accesses; i++) {
        transfer(session, lengths.nextBlocks(), lengths, writes);
      }
    };
  }

  /** Accesses whole blocks, or bytes that touch as many, through the channel. */
  static Workload channel(boolean wholeBlocks) {
    return (session, accesses) -> {
      ScriptedLengths lengths = new ScriptedLengths(session.config());
      int blockBytes = session.config().blockBytes();
      for (int i = 0; i < accesses; i++) {
        int blocks = lengths.nextBlocks();
        boolean writes = i % 2 == 1;
        if (!wholeBlocks) {
          transfer(session, blocks, lengths, writes);
          continue;
        }
        // Draw as many numbers as for bytes, so that the following lengths are the same.
        lengths.nextBytes(blocks, lengths.nextSkip());
        long position = anywhere(session, blocks) * blockBytes;
        transfer(session, position, blocks * blockBytes, writes);
      }
    };
  }

  private static void transfer(
      ScriptedClient session, int blocks, ScriptedLengths lengths, boolean writes)
      throws IOException {
    OramConfig config = session.config();
    int skip = lengths.nextSkip();
    int bytes = lengths.nextBytes(blocks, skip);
    transfer(session, anywhere(session, blocks) * config.blockBytes() + skip, bytes, writes);
  }

  private static void transfer(ScriptedClient session, long position, int bytes, boolean writes)
      throws IOException {
    if (writes) {
      session.writeBytes(position, bytes);
    } else {
      session.readBytes(position, bytes);
    }
  }

  /**
   * Accesses anywhere in a full store, in some of which the client dies. Started again, he makes
   * the two accesses before that once more: what he no longer knows of them shows now.
   */
  static Workload dying(Operation operation, Death death) {
    return new Dying(
        (session, accesses) -> {
          session.bulkLoad(false, session.config().bytes());
          ScriptedLengths lengths = new ScriptedLengths(session.config());
          int[] counts = new int[accesses];
          long[] blocks = new long[accesses];
          for (int i = 0; i < accesses; i++) {
            int again = ScriptedLengths.isAgain(i) ? i - ScriptedLengths.AGAIN_AFTER : -1;
            counts[i] = again < 0 ? lengths.nextBlocks() : counts[again];
            blocks[i] = again < 0 ? anywhere(session, counts[i]) : blocks[again];
            int access = i;
            if (ScriptedLengths.isLast(i)) {
              session.dieIn(
                  () -> operation.make(session, access, blocks[access], counts[access]),
                  lengths.nextCall(CALLS),
                  death);
            } else {
              operation.make(session, i, blocks[i], counts[i]);
            }
          }
        });
  }

  /** Writes anywhere; before each of them, maybe a read that nobody is told of. */
  static Workload withReads(boolean reads) {
    return (session, accesses) -> {
      ScriptedLengths lengths = new ScriptedLengths(session.config());
      for (int i = 0; i < accesses; i++) {
        int count = lengths.nextBlocks();
        if (reads) {
          session.readUndeclared(anywhere(session, count), count);
        }
        session.write(anywhere(session, count), count);
      }
    };
  }

  /** Pages none of which is held when it is touched: those before are, and no others. */
  static Workload faults(boolean inOrder, Operation operation) {
    return (session, accesses) -> {
      List<Long> held = new ArrayList<>();
      for (int i = 0; i < accesses; i++) {
        long page;
        do {
          page = inOrder ? i % (2L * PagingFrontend.WORKING_SET_PAGES) : anywhere(session, 1);
        } while (held.contains(page));
        held.add(page);
        if (held.size() > PagingFrontend.WORKING_SET_PAGES) {
          held.remove(0);
        }
        operation.make(session, i, page, 1);
      }
    };
  }

  /**
   * Returns the program that the paper on paging leads its leaks before with (pseudocode 1), again
   * and again on other pages: a branch on a secret decides which of P[1] and P[2] is written first,
   * so that one of them is loaded first, and goes first when P[3] is written. A third of the pages
   * that are held stands for a page of its memory of three.
   */
  static Workload branches(boolean secretIsOne) {
    return (session, accesses) -> {
      int first = secretIsOne ? 1 : 2;
      int[] written = {0, first, 3 - first, 0, 3};
      int pages = PagingFrontend.WORKING_SET_PAGES / 3;
      long rounds = session.config().blocks() / (4L * pages);
      int faults = 0;
      for (long round = 0; faults < accesses; round++) {
        for (int step = 0; step < written.length; step++) {
          // The page written the second time is still held.
          boolean held = step == 3;
          for (int i = 0; i < pages && faults < accesses; i++) {
            session.write((round % rounds * 4 + written[step]) * pages + i, 1);
            faults += held ? 0 : 1;
          }
        }
      }
    };
  }

  /** Parts of a block are written, at multiples of their length; or whole blocks are read. */
  static Workload sectors(boolean parts) {
    return (session, accesses) -> {
      int blockBytes = session.config().blockBytes();
      int partBytes = blockBytes / SECTORS;
      for (int i = 0; i < accesses; i++) {
        long block = session.random().nextLong(session.config().blocks());
        if (parts) {
          long at = block * blockBytes + session.random().nextInt(SECTORS) * (long) partBytes;
          session.writeBytes(at, partBytes);
        } else {
          session.readBytes(block * blockBytes, blockBytes);
        }
      }
    };
  }

  /**
   * Requests of any lengths, reads and writes in turn, one of two aligned to the largest power of
   * two that divides its length, the others aligned to nothing.
   */
  static Workload places(boolean atStart) {
    return (session, accesses) -> {
      ScriptedLengths lengths = new ScriptedLengths(session.config());
      for (int i = 0; i < accesses; i++) {
        int bytes = lengths.nextBytes(lengths.nextBlocks(), 0);
        int unit = Integer.lowestOneBit(session.config().blockBytes() | bytes);
        if (unit == 1) {
          // Every place is aligned for an odd length.
          bytes++;
          unit = Integer.lowestOneBit(session.config().blockBytes() | bytes);
        }
        boolean aligned = i % 4 < 2;
        long units = (session.config().bytes() - bytes) / unit - 1;
        long at = (atStart ? 0 : session.random().nextLong(units + 1)) * unit;
        long position = aligned ? at : at + oddSkip(session.random(), atStart, unit);
        if (i % 2 == 0) {
          session.readBytes(position, bytes);
        } else {
          session.writeBytes(position, bytes);
        }
      }
    };
  }

  private static int oddSkip(Random random, boolean least, int unit) {
    return least ? 1 : 1 + random.nextInt(unit - 1);
  }

  /** Accesses two blocks at once: either anywhere and changed, or adjacent and unchanged. */
  static Workload twoBlocks(boolean scattered) {
    return (session, accesses) -> {
      for (int i = 0; i < accesses; i++) {
        long first = anywhere(session, 2);
        long other = anywhere(session, 1);
        long second = scattered && other != first ? other : first + 1;
        session.access(new long[] {first, second}, scattered);
      }
    };
  }

  /** Ranges anywhere, or of a few blocks, of a store that is doubled three times meanwhile. */
  static Workload growing(Operation operation, boolean ofFewBlocks) {
    return (session, accesses) -> {
      ScriptedLengths lengths = new ScriptedLengths(session.config());
      int between = Math.max(1, accesses / (DOUBLINGS + 1));
      for (int i = 0; i < accesses; i++) {
        if (i > 0 && i % between == 0 && i / between <= DOUBLINGS) {
          session.grow(2 * session.config().blocks());
        }
        int count = lengths.nextBlocks();
        operation.make(session, i, anywhere(session, ofFewBlocks, count), count);
      }
    };
  }

  /** Accesses a few blocks, or any, with a backup at regular intervals. */
  static Workload backedUp(Operation operation, boolean ofFewBlocks) {
    return (session, accesses) -> {
      ScriptedLengths lengths = new ScriptedLengths(session.config());
      int between = Math.max(1, accesses / (BACKUPS + 1));
      for (int i = 0; i < accesses; i++) {
        if (i > 0 && i % between == 0) {
          session.backUp();
        }
        int count = lengths.nextBlocks();
        operation.make(session, i, anywhere(session, ofFewBlocks, count), count);
      }
    };
  }

  /** Keys anywhere. */
  static Workload keys(Operation operation) {
    return (session, accesses) -> {
      for (int i = 0; i < accesses; i++) {
        operation.make(session, i, anywhere(session, 1), 1);
      }
    };
  }

  /** Returns the first half puts keys; the other gets some of them, or others. */
  static Workload found(boolean hits) {
    return (session, accesses) -> {
      int put = accesses / 2;
      for (int i = 0; i < put; i++) {
        session.write(2L * i, 1);
      }
      for (int i = put; i < accesses; i++) {
        session.read(2L * session.random().nextInt(Math.max(1, put)) + (hits ? 0 : 1), 1);
      }
    };
  }

  /** Most operations are on a few keys. */
  static Workload hotKeys() {
    return (session, accesses) -> {
      for (int i = 0; i < accesses; i++) {
        boolean hot = session.random().nextDouble() < HOT_SHARE;
        long key = hot ? session.random().nextInt(HOT_BLOCKS) : anywhere(session, 1);
        Operation.ALTERNATE.make(session, i, key, 1);
      }
    };
  }

  /** Inserts new keys in order, which fills and splits leaves; or the same key. */
  static Workload inserts(boolean splits) {
    return (session, accesses) -> {
      for (int i = 0; i < accesses; i++) {
        session.write(splits ? i : 1, 1);
      }
    };
  }

  /**
   * Returns the first half puts keys in order; the other scans two leaves, from the first or any
   * key.
   */
  static Workload scans(boolean fromTheFirst) {
    return (session, accesses) -> {
      int put = accesses / 2;
      for (int i = 0; i < put; i++) {
        session.write(i, 1);
      }
      for (int i = put; i < accesses; i++) {
        session.read(fromTheFirst ? 0 : session.random().nextInt(Math.max(1, put)), 2);
      }
    };
  }

  /** Ranges anywhere, reads and writes in turn; before each, maybe a trim of blocks anywhere. */
  static Workload trims(boolean trims) {
    return (session, accesses) -> {
      ScriptedLengths lengths = new ScriptedLengths(session.config());
      ScriptedLengths trimmed = new ScriptedLengths(session.config());
      for (int i = 0; i < accesses; i++) {
        if (trims) {
          int count = trimmed.nextBlocks();
          session.trim(anywhere(session, count), count);
        }
        int count = lengths.nextBlocks();
        if (i % 2 == 0) {
          session.read(anywhere(session, count), count);
        } else {
          session.write(anywhere(session, count), count);
        }
      }
    };
  }

  /**
   * How long the accesses of a workload are, and when its client dies: of all size classes, and the
   * same in every run.
   */
  static final class ScriptedLengths {

    private static final int CRASHES_EVERY = 4;

    /** How many accesses before one that {@link #isAgain} the access lies that it repeats. */
    static final int AGAIN_AFTER = 3;

    private final int maxRangeBlocks;
    private final int blockBytes;
    private final SplittableRandom fixed = new SplittableRandom(0);

    ScriptedLengths(OramConfig config) {
      maxRangeBlocks = config.maxRangeBlocks();
      blockBytes = config.blockBytes();
    }

    /** Blocks of the next access, 1 to the longest range; all orders of magnitude as often. */
    int nextBlocks() {
      int exponents = Integer.SIZE - Integer.numberOfLeadingZeros(maxRangeBlocks - 1);
      int exponent = fixed.nextInt(exponents + 1);
      int longest = Math.min(maxRangeBlocks, 1 << exponent);
      return exponent == 0 ? 1 : fixed.nextInt((1 << (exponent - 1)) + 1, longest + 1);
    }

    /**
     * Returns the bytes of the next transfer, which starts {@link #nextSkip} bytes behind that of a
     * block.
     */
    int nextBytes(int blocks, int skip) {
      // The last block must be among those touched, and the first one is from skip on.
      int least = blocks == 1 ? 1 : (blocks - 1) * blockBytes - skip + 1;
      return fixed.nextInt(least, blocks * blockBytes - skip + 1);
    }

    int nextSkip() {
      return fixed.nextInt(blockBytes);
    }

    /** Returns whether the client dies in an access. */
    static boolean isLast(int access) {
      return access % CRASHES_EVERY == CRASHES_EVERY - 1;
    }

    /**
     * Returns whether an access, one of the first two of a client that was started again, was made
     * before.
     */
    static boolean isAgain(int access) {
      return access >= CRASHES_EVERY && access % CRASHES_EVERY < CRASHES_EVERY / 2;
    }

    /** Returns the call of an access in which the client dies. */
    int nextCall(int calls) {
      return fixed.nextInt(calls);
    }
  }
}
