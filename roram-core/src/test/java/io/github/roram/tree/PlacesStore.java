package io.github.roram.tree;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.util.ArrayList;
import java.util.List;

/** Keeps nothing but where the units of the last request stand. */
final class PlacesStore implements BlockStore {

  private final long capacityBytes;
  private final List<Long> offsets = new ArrayList<>();
  private int extents;

  PlacesStore(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) {
    look(batch);
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) {
    look(batch);
  }

  private void look(ExtentBatch batch) {
    batch.checkWithin(capacityBytes);
    offsets.clear();
    extents = batch.extents();
    for (int extent = 0; extent < extents; extent++) {
      for (int unit = 0; unit < batch.units(extent); unit++) {
        offsets.add(batch.offset(extent) + (long) unit * batch.unitBytes());
      }
    }
  }

  /** Byte offset of a unit. */
  long offset(int unit) {
    return offsets.get(unit);
  }

  /** Number of extents. */
  int extents() {
    return extents;
  }

  @Override
  public void sync() {}

  @Override
  public void close() {}
}
