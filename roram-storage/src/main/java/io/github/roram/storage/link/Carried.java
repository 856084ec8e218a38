package io.github.roram.storage.link;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The units of a batch while they are on the line. */
final class Carried {

  private final ExtentBatch batch;
  private final byte[][] extents;

  Carried(ExtentBatch batch) {
    this.batch = batch;
    extents = new byte[batch.extents()][];
  }

  /** Those that a source provides. */
  static Carried takenFrom(ExtentBatch batch, UnitSource source) throws IOException {
    Carried carried = new Carried(batch);
    for (int i = 0; i < batch.extents(); i++) {
      carried.extents[i] = new byte[Math.toIntExact(batch.bytes(i))];
      source.fill(batch.firstUnit(i), ByteBuffer.wrap(carried.extents[i]));
    }
    return carried;
  }

  ExtentBatch batch() {
    return batch;
  }

  /** Takes them from a store. */
  void readFrom(BlockStore store) throws IOException {
    batch.checkWithin(store.capacityBytes());
    for (int i = 0; i < extents.length; i++) {
      extents[i] = new byte[Math.toIntExact(batch.bytes(i))];
    }
    store.read(
        batch, (first, units) -> units.get(extents[extent(first)], at(first), units.remaining()));
  }

  /** Puts them into a store. */
  void writeTo(BlockStore store) throws IOException {
    store.write(
        batch, (first, units) -> units.put(extents[extent(first)], at(first), units.remaining()));
  }

  /** Hands them over, each extent in one piece. */
  void handTo(UnitSink sink) throws IOException {
    for (int i = 0; i < extents.length; i++) {
      sink.accept(batch.firstUnit(i), ByteBuffer.wrap(extents[i]));
    }
  }

  /** The extent that a unit is in. */
  private int extent(int unit) {
    int low = 0;
    int high = batch.extents() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (batch.firstUnit(middle) <= unit) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private int at(int unit) {
    return (unit - batch.firstUnit(extent(unit))) * batch.unitBytes();
  }
}
