package io.github.roram.jmh;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Notes the requests that pass, so that they can be made again of another store of the same size
 * with nobody at work on what is transferred: what the store alone costs.
 */
final class RawReplay extends FilterBlockStore {

  private record Request(boolean write, ExtentBatch extents) {}

  private final boolean active;
  private final List<Request> requests = new ArrayList<>();

  /** Notes the requests of a store, if {@code active}. */
  RawReplay(BlockStore delegate, boolean active) {
    super(delegate);
    this.active = active;
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    note(false, batch);
    super.read(batch, sink);
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    note(true, batch);
    super.write(batch, source);
  }

  private void note(boolean write, ExtentBatch batch) {
    if (active) {
      requests.add(new Request(write, copy(batch)));
    }
  }

  private static ExtentBatch copy(ExtentBatch batch) {
    ExtentBatch copy = new ExtentBatch();
    copy.reset(batch.phase(), batch.tree(), batch.unitBytes());
    for (int extent = 0; extent < batch.extents(); extent++) {
      copy.add(batch.offset(extent), batch.units(extent));
    }
    return copy;
  }

  /** Makes the requests noted since the last call of another store. */
  void replayOn(BlockStore other) throws IOException {
    for (Request request : requests) {
      if (request.write()) {
        other.write(request.extents(), (firstUnit, units) -> units.position(units.limit()));
      } else {
        other.read(request.extents(), (firstUnit, units) -> units.position(units.limit()));
      }
    }
    requests.clear();
  }
}
