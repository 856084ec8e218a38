package io.github.roram.bench.experiment;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;

/** Asks for one unit at a time, as a client without vectored I/O does. Not thread safe. */
final class SplitRequests extends FilterBlockStore {

  private final ExtentBatch single = new ExtentBatch();

  SplitRequests(BlockStore delegate) {
    super(delegate);
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    for (int unit = 0; unit < batch.units(); unit++) {
      int number = unit;
      delegate.read(one(batch, unit), (first, units) -> sink.accept(number, units));
    }
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    for (int unit = 0; unit < batch.units(); unit++) {
      int number = unit;
      delegate.write(one(batch, unit), (first, units) -> source.fill(number, units));
    }
  }

  private ExtentBatch one(ExtentBatch batch, int unit) {
    int extent = 0;
    while (batch.firstUnit(extent) + batch.units(extent) <= unit) {
      extent++;
    }
    long within = (long) (unit - batch.firstUnit(extent)) * batch.unitBytes();
    single.reset(batch.phase(), batch.tree(), batch.unitBytes());
    single.add(batch.offset(extent) + within, 1);
    return single;
  }
}
