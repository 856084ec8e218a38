package io.github.roram.netserver;

import io.github.roram.netserver.ReadQueue.ExtentCursor;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.XorGroups;
import io.netty.buffer.ByteBuf;
import java.io.IOException;

/** The answer to a read, produced frame by frame. For use by one thread at a time. */
interface ReadAnswer {

  /**
   * Preferred payload of a frame in bytes: large enough for the disk, small enough to share memory.
   */
  int FRAME_BYTES = 256 << 10;

  /** Returns whether the next frame takes no more reading than a frame of units. */
  boolean isShort();

  /**
   * Returns the bytes of the next frame: at most {@code most}, unless a single result is longer.
   */
  int nextBytes(int most);

  /** Reads the next frame. */
  void read(Volume volume, int bytes, ByteBuf frame) throws IOException;

  /** Returns whether everything was read. */
  boolean isComplete();

  /** Answers with the units of the read. */
  final class Units implements ReadAnswer {

    private final ExtentCursor cursor;
    private final int unitBytes;

    Units(ExtentBatch request) {
      cursor = new ExtentCursor(request);
      unitBytes = request.unitBytes();
    }

    @Override
    public boolean isShort() {
      return true;
    }

    /** Whole units where at least one fits, so that none is copied. */
    @Override
    public int nextBytes(int most) {
      int bytes = unitBytes > most ? most : most / unitBytes * unitBytes;
      return (int) Math.min(bytes, cursor.left());
    }

    @Override
    public void read(Volume volume, int bytes, ByteBuf frame) throws IOException {
      volume.read(cursor.next(bytes), bytes, (first, units) -> frame.writeBytes(units));
    }

    @Override
    public boolean isComplete() {
      return cursor.left() == 0;
    }
  }

  /** Answers with the XOR of each group of units; a frame has whole results. */
  final class Results implements ReadAnswer {

    private final ExtentBatch request;
    private final XorGroups groups;
    private final XorGroups next;
    private final ExtentBatch part = new ExtentBatch();
    private int done;

    Results(ExtentBatch request, XorGroups groups) {
      this.request = request;
      this.groups = groups;
      next = groups.emptyLike();
    }

    @Override
    public boolean isShort() {
      return isComplete() || unitBytes(groups.units(done)) <= FRAME_BYTES;
    }

    private long unitBytes(int units) {
      return (long) units * groups.unitBytes();
    }

    /** At most as many results as take no more reading than that, and at least one. */
    @Override
    public int nextBytes(int most) {
      next.clear();
      int group = done;
      do {
        next.add(groups.units(group++));
      } while (group < groups.groups()
          && next.bytes() + groups.bytes(group) <= most
          && unitBytes(next.units() + groups.units(group)) <= FRAME_BYTES);
      return (int) next.bytes();
    }

    @Override
    public void read(Volume volume, int bytes, ByteBuf frame) throws IOException {
      part.resetToPart(request, groups.firstUnit(done), next.units());
      UnitSink results = next.into((group, result) -> frame.writeBytes(result));
      volume.read(part, (int) part.bytes(), results);
      done += next.groups();
    }

    @Override
    public boolean isComplete() {
      return done == groups.groups();
    }
  }
}
