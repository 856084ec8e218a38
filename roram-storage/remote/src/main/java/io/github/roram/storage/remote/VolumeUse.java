package io.github.roram.storage.remote;

import io.github.roram.storage.remote.protocol.VolumeUseDescriptor;
import io.github.roram.storage.remote.protocol.VolumeUseDescriptor.Part;
import io.github.roram.store.StoreParts;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

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

  /** Level by level, and within one tree by tree: the higher ones are read most. */
  VolumeUse withParts(StoreParts of, long capacityBytes) {
    TreeSet<Long> begins = new TreeSet<>(of.unused());
    of.trees().forEach(begins::addAll);
    int levels = of.trees().stream().mapToInt(List::size).max().orElse(0);
    List<Part> ordered = new ArrayList<>();
    for (int level = 0; level < levels; level++) {
      for (List<Long> tree : of.trees()) {
        long begin = level < tree.size() ? tree.get(level) : capacityBytes;
        if (begin < capacityBytes) {
          Long next = begins.higher(begin);
          ordered.add(new Part(begin, (next == null ? capacityBytes : next) - begin));
        }
      }
    }
    return new VolumeUse(reads, List.copyOf(ordered));
  }

  VolumeUseDescriptor descriptor() {
    return new VolumeUseDescriptor(reads, parts);
  }
}
