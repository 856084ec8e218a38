package io.github.roram.auditor.workload;

import java.util.Random;

/** What clients of a block device do beyond what {@link Scripts} have. */
final class DeviceScripts {

  private static final int PARTS = 4;

  private DeviceScripts() {}

  /** Parts of a block are written, at multiples of their length; or whole blocks are read. */
  static Workload.Script sectors(boolean parts) {
    return (session, accesses) -> {
      int blockBytes = session.config().blockBytes();
      int partBytes = blockBytes / PARTS;
      for (int i = 0; i < accesses; i++) {
        long block = session.random().nextLong(session.config().blocks());
        if (parts) {
          long at = block * blockBytes + session.random().nextInt(PARTS) * (long) partBytes;
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
  static Workload.Script places(boolean atStart) {
    return (session, accesses) -> {
      Lengths lengths = new Lengths(session.config());
      for (int i = 0; i < accesses; i++) {
        int bytes = lengths.nextBytes(lengths.nextBlocks(), 0);
        int unit = Math.min(session.config().blockBytes(), Integer.lowestOneBit(bytes));
        if (unit == 1) {
          // Every place is aligned for an odd length.
          bytes++;
          unit = Math.min(session.config().blockBytes(), Integer.lowestOneBit(bytes));
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

  /** Ranges anywhere, reads and writes in turn; before each, maybe a trim of blocks anywhere. */
  static Workload.Script trims(boolean trims) {
    return (session, accesses) -> {
      Lengths lengths = new Lengths(session.config());
      Lengths trimmed = new Lengths(session.config());
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

  private static long anywhere(Session session, int count) {
    return session.random().nextLong(session.config().blocks() - count + 1);
  }
}
