package io.github.roram.storage.striped;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** What of a slice is on one stripe, and where in the slice's memory it stands. For one thread. */
final class Lane {

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

  /** The stripe's request. Where a part ends within a unit, bytes are the units. */
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

  /** Copies so many bytes between a place of the slice and a place after the first of them. */
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
