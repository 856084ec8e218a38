package io.github.roram.storage.remote;

import io.github.roram.storage.remote.protocol.VolumeUseDescriptor;
import io.github.roram.store.StoreParts;
import io.github.roram.store.StoreParts.Part;
import java.util.List;

/**
 * How this client uses its volume, as far as it is known: how many reads at a time, and where the
 * levels of the trees are. It is the same for whatever is accessed. Immutable.
 */
record VolumeUse(int reads, List<Part> parts) {

  /** Nothing is known: the server need not be told. */
  static final VolumeUse UNKNOWN = new VolumeUse(1, List.of());

  VolumeUse withReads(int newReads) {
    return new VolumeUse(Math.min(Math.max(reads, newReads), VolumeUseDescriptor.MAX_READS), parts);
  }

  /** What is read most first. */
  VolumeUse withParts(StoreParts of, long capacityBytes) {
    return new VolumeUse(reads, of.inOrder(capacityBytes));
  }

  VolumeUseDescriptor descriptor() {
    return new VolumeUseDescriptor(reads, parts);
  }
}
