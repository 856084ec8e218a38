package io.github.roram.storage.striped;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
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
public final class StripedSlice {

  private static final int BYTES_A_STRIPE = 4 << 20;
  private static final int MOST_BYTES = 32 << 20;
  private static final int LEAST_BYTES = 1 << 16;
  static final int MOST_HALVINGS = 9;

  private final List<Lane> lanes = new ArrayList<>();
  private ByteBuffer bytes;
  private int used;

  /** Units that are handed over at once: the first one's number, and where they begin. */
  private int[] firstUnits = new int[16];

  private int[] starts = new int[17];
  private int runs;

  /** Creates a slice of the usual size, halved {@code halvings} times. */
  StripedSlice(List<BlockStore> stripes, int halvings) {
    stripes.forEach(stripe -> lanes.add(new Lane(stripe)));
    bytes = ByteBuffer.allocateDirect(usualBytes(stripes.size()) >> halvings);
  }

  /**
   * Returns the most bytes of a slice, unless a single unit is larger. The lowest level of a long
   * chunk of evictions takes 4 MiB; with less than that for each stripe, a slice would be on few of
   * them.
   */
  public static int usualBytes(int stripes) {
    return Math.min(stripes, MOST_BYTES / BYTES_A_STRIPE) * BYTES_A_STRIPE;
  }

  /**
   * Returns how often the usual size is halved for the slices of a request. There are few sizes,
   * and none is more than twice what the request needs, unless that is very little.
   *
   * @return 0 to {@value #MOST_HALVINGS}
   */
  static int halvings(int stripes, long requestBytes) {
    long needed = Math.max(LEAST_BYTES, requestBytes);
    int halvings = 0;
    while (usualBytes(stripes) >> (halvings + 1) >= needed) {
      halvings++;
    }
    return halvings;
  }

  void clear() {
    used = 0;
    runs = 0;
    lanes.forEach(Lane::clear);
  }

  /**
   * Returns how many units of {@code unitBytes} a slice has room for; at least one if it is empty.
   */
  int room(int unitBytes) {
    if (used == 0 && unitBytes > bytes.capacity()) {
      bytes = ByteBuffer.allocateDirect(unitBytes);
    }
    return (bytes.capacity() - used) / unitBytes;
  }

  /** Adds units of one extent, for which there is room. */
  void add(int firstUnit, long offset, int units, int unitBytes, StripePlacement placement) {
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

  /** Returns the lanes that have data. */
  List<Lane> lanes() {
    return lanes.stream().filter(lane -> !lane.isEmpty()).toList();
  }

  /** Returns the units, for a lane. */
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

  /**
   * The parts of a slice on one stripe, and their places in the slice's memory. For use by one
   * thread.
   */
  static final class Lane {

    private final BlockStore stripe;
    private final ExtentBatch batch = new ExtentBatch();
    private long[] offsets = new long[16];

    /** Where each piece stands in the slice. */
    private int[] places = new int[16];

    /** Where each piece begins among the lane's own bytes; the last one is where they end. */
    private int[] starts = new int[17];

    private int pieces;
    private boolean wholeUnits;

    Lane(BlockStore stripe) {
      this.stripe = stripe;
      clear();
    }

    void clear() {
      pieces = 0;
      wholeUnits = true;
    }

    boolean isEmpty() {
      return pieces == 0;
    }

    /** Adds a piece; {@code unitBytes} as in the slice. */
    void add(long offset, int place, int bytes, int unitBytes) {
      if (pieces == offsets.length) {
        offsets = Arrays.copyOf(offsets, 2 * pieces);
        places = Arrays.copyOf(places, 2 * pieces);
        starts = Arrays.copyOf(starts, 2 * pieces + 1);
      }
      offsets[pieces] = offset;
      places[pieces] = place;
      starts[pieces + 1] = starts[pieces] + bytes;
      pieces++;
      wholeUnits &= bytes % unitBytes == 0;
    }

    /** Returns the stripe's request. If a part ends within a unit, the units are bytes. */
    private ExtentBatch request(ExtentBatch of) {
      int unitBytes = wholeUnits ? of.unitBytes() : 1;
      batch.reset(of.phase(), of.tree(), unitBytes);
      for (int i = 0; i < pieces; i++) {
        batch.add(StripeDescriptor.BYTES + offsets[i], (starts[i + 1] - starts[i]) / unitBytes);
      }
      return batch;
    }

    /** Reads the lane's pieces into the slice. */
    void read(ExtentBatch of, ByteBuffer slice) throws IOException {
      ExtentBatch request = request(of);
      stripe.read(
          request,
          (firstUnit, units) ->
              copy(
                  firstUnit * request.unitBytes(),
                  units.remaining(),
                  (place, at, bytes) -> slice.put(place, units, units.position() + at, bytes)));
    }

    /** Writes them. */
    void write(ExtentBatch of, ByteBuffer slice) throws IOException {
      ExtentBatch request = request(of);
      stripe.write(
          request,
          (firstUnit, units) -> {
            copy(
                firstUnit * request.unitBytes(),
                units.remaining(),
                (place, at, bytes) -> units.put(units.position() + at, slice, place, bytes));
            units.position(units.limit());
          });
    }

    /** Copies this many bytes between a place of the slice and a place after the first of them. */
    private interface Copy {
      void copy(int place, int at, int bytes);
    }

    private void copy(int first, int bytes, Copy copy) {
      int found = Arrays.binarySearch(starts, 0, pieces, first);
      int piece = found >= 0 ? found : -found - 2;
      for (int done = 0; done < bytes; piece++) {
        int within = first + done - starts[piece];
        int count = Math.min(bytes - done, starts[piece + 1] - first - done);
        copy.copy(places[piece] + within, done, count);
        done += count;
      }
    }
  }
}
