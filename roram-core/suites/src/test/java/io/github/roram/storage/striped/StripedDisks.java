package io.github.roram.storage.striped;

import io.github.roram.store.BlockStore;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Stripes on a medium that loses power, each synced by itself. */
public final class StripedDisks {

  private static final int STRIPES = 3;

  private StripedDisks() {}

  /** One store on three files of a disk. */
  public static BlockStore open(SimulatedDisk disk, long capacityBytes) throws IOException {
    List<BlockStore> stripes = new ArrayList<>();
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      long bytes = StripeDescriptor.BYTES + capacityBytes;
      stripes.add(new DiskStore(disk, "stripe " + stripe, bytes));
    }
    return new StripedStore(stripes, capacityBytes, 0);
  }
}
