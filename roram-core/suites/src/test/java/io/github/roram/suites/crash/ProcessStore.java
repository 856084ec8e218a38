package io.github.roram.suites.crash;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.testkit.SimulatedDisk;
import java.io.IOException;

/** Ends at a crash of its disk, so that a store below sees nothing that no process would do. */
final class ProcessStore extends FilterBlockStore {

  private final SimulatedDisk disk;

  ProcessStore(BlockStore delegate, SimulatedDisk disk) {
    super(delegate);
    this.disk = disk;
  }

  private void checkRunning() throws IOException {
    if (disk.crashed()) {
      throw new SimulatedDisk.Crash();
    }
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    checkRunning();
    super.read(batch, sink);
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    checkRunning();
    super.write(batch, source);
  }

  @Override
  public void sync() throws IOException {
    checkRunning();
    super.sync();
  }
}
