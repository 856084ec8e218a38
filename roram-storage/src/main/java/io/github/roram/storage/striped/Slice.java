package io.github.roram.storage.striped;

import io.github.roram.store.BlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A portion of a request in memory: its units in the request's order, and what of them each stripe
 * has. For one thread, but for its lanes, each of which another thread may read or write.
 */
public final class Slice {

  private static final int BYTES_A_STRIPE = 4 << 20;
  private static final int MOST_BYTES = 32 << 20;

  private final List<Lane> lanes = new ArrayList<>();
  private ByteBuffer bytes;
  private int used;

  /** Units that are handed over at once: the first one's number, and where they begin. */
  private int[] firstUnits = new int[16];

  private int[] starts = new int[17];
  private int runs;

  Slice(List<BlockStore> stripes) {
    stripes.forEach(stripe -> lanes.add(new Lane(stripe)));
    bytes = ByteBuffer.allocateDirect(usualBytes(stripes.size()));
  }

  /**
   * Most bytes of a slice, unless a single unit is larger. The lowest level of a long chunk of
   * evictions takes 4 MiB: with less than that for each stripe a slice would be on few of them.
   */
  public static int usualBytes(int stripes) {
    return Math.min(stripes, MOST_BYTES / BYTES_A_STRIPE) * BYTES_A_STRIPE;
  }

  void clear() {
    used = 0;
    runs = 0;
    lanes.forEach(Lane::clear);
  }

  /** How many units there is room for, at least one if it is empty. */
  int room(int unitBytes) {
    if (used == 0 && unitBytes > bytes.capacity()) {
      bytes = ByteBuffer.allocateDirect(unitBytes);
    }
    return (bytes.capacity() - used) / unitBytes;
  }

  /** Adds units of one extent, for which there is room. */
  void add(int firstUnit, long offset, int units, int unitBytes, Placement placement) {
    if (runs == firstUnits.length) {
      firstUnits = Arrays.copyOf(firstUnits, 2 * runs);
      starts = Arrays.copyOf(starts, 2 * runs + 1);
    }
    firstUnits[runs++] = firstUnit;
    long end = offset + (long) units * unitBytes;
    for (long at = offset; at < end; ) {
      int count = (int) (Math.min(end, placement.end(at)) - at);
      lanes.get(placement.stripe(at)).add(at, used, count, unitBytes);
      used += count;
      at += count;
    }
    starts[runs] = used;
  }

  /** The lanes that have something. */
  List<Lane> lanes() {
    return lanes.stream().filter(lane -> !lane.isEmpty()).toList();
  }

  /** The units, for a lane. */
  ByteBuffer bytes() {
    return bytes;
  }

  /** Hands over what was read. */
  void give(UnitSink sink) throws IOException {
    for (int run = 0; run < runs; run++) {
      sink.accept(firstUnits[run], units(run));
    }
  }

  /** Asks for what is to be written. */
  void take(UnitSource source) throws IOException {
    for (int run = 0; run < runs; run++) {
      source.fill(firstUnits[run], units(run));
    }
  }

  private ByteBuffer units(int run) {
    return bytes.slice(starts[run], starts[run + 1] - starts[run]);
  }
}
