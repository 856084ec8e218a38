package io.github.roram.suites.crash;

import io.github.roram.storage.striped.StripedDisks;
import io.github.roram.store.BlockStore;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.SimulatedDisk;
import java.io.IOException;

/** What of a disk an ORAM's store is on. */
enum Media {
  /** One file. */
  ONE,
  /** Three stripes, each of which loses what it has not synced itself. */
  STRIPES;

  /** The store, of a process that ends with the disk. */
  BlockStore open(SimulatedDisk disk, long capacityBytes) throws IOException {
    BlockStore store =
        this == ONE ? new DiskStore(disk, capacityBytes) : StripedDisks.open(disk, capacityBytes);
    return new ProcessStore(store, disk);
  }
}
