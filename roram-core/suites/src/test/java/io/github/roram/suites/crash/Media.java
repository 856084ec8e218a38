package io.github.roram.suites.crash;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.object.ObjectStore;
import io.github.roram.object.ObjectVault;
import io.github.roram.storage.striped.StripedDisks;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.suites.AtOnce;
import io.github.roram.testkit.DiskObjects;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.DiskVault;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;

/** What of a disk an ORAM's store is on. */
enum Media {
  /** One file. */
  ONE,
  /** One file; the client's records are objects. */
  RECORDS_APART,
  /** Three stripes, each of which loses what it has not synced itself. */
  STRIPES,
  /** Objects, each of which is there as a whole or not at all. */
  OBJECTS,
  /** Objects, the client's records among them. */
  OBJECTS_ALONE;

  /** The store, of a process that ends with the disk. */
  BlockStore open(SimulatedDisk disk, long capacityBytes) throws IOException {
    BlockStore store =
        switch (this) {
          case ONE, RECORDS_APART -> new DiskStore(disk, capacityBytes);
          case STRIPES -> StripedDisks.open(disk, capacityBytes);
          case OBJECTS, OBJECTS_ALONE -> new ObjectStore(new DiskObjects(disk), new AtOnce());
        };
    return new ProcessStore(store, disk);
  }

  /** The vault of a process, which takes it from the one before. */
  ClientVault vault(SimulatedDisk disk) throws IOException {
    if (!hasRecordsInObjects()) {
      return new DiskVault(disk);
    }
    DiskObjects objects = new DiskObjects(disk);
    if (!ObjectVault.isIn(objects)) {
      ObjectVault.create(objects);
    }
    return ObjectVault.open(objects, "test", new ObjectVault.Tenancy(true, 0), new AtOnce());
  }

  private boolean hasRecordsInObjects() {
    return this == OBJECTS_ALONE || this == RECORDS_APART;
  }

  /** How stores are opened: where the process dies, what was appended to a log is there or not. */
  OpenOptions options(Loss loss) {
    return OpenOptions.defaults()
        .withDurability(
            loss == Loss.NONE && !hasRecordsInObjects() ? Durability.OS : Durability.SYNC)
        .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES);
  }
}
