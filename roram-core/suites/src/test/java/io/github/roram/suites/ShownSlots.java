package io.github.roram.suites;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * The slots of a ring that reads of paths showed, since their buckets were written: one is shown
 * once, or again by just the same request. Lives of a client on the same store are watched
 * together.
 *
 * <p>Thread safety: safe.
 */
public final class ShownSlots {

  private final Set<Long> shown = new HashSet<>();
  private final Set<Set<Long>> requests = new HashSet<>();
  private long slots;
  private long twice;
  private long repeatedReads;

  /** Watches what goes to a store. */
  public BlockStore over(BlockStore below) {
    return new FilterBlockStore(below) {
      @Override
      public void read(ExtentBatch batch, UnitSink sink) throws IOException {
        if (batch.phase() == IoPhase.READ) {
          show(slotsOf(batch));
        }
        super.read(batch, sink);
      }

      @Override
      public void write(ExtentBatch batch, UnitSource source) throws IOException {
        forget(slotsOf(batch));
        super.write(batch, source);
      }
    };
  }

  private static Set<Long> slotsOf(ExtentBatch batch) {
    Set<Long> offsets = new HashSet<>();
    for (int extent = 0; extent < batch.extents(); extent++) {
      for (int unit = 0; unit < batch.units(extent); unit++) {
        offsets.add(batch.offset(extent) + (long) unit * batch.unitBytes());
      }
    }
    return offsets;
  }

  private synchronized void show(Set<Long> read) {
    slots += read.size();
    if (read.isEmpty()) {
      return;
    }
    if (requests.add(read)) {
      read.forEach(slot -> twice += shown.add(slot) ? 0 : 1);
    } else {
      repeatedReads++;
    }
  }

  private synchronized void forget(Set<Long> written) {
    shown.removeAll(written);
    requests.removeIf(read -> read.stream().anyMatch(written::contains));
  }

  /** How many slots were shown. */
  public synchronized long slots() {
    return slots;
  }

  /** How many were shown by another request before, since they were written. */
  public synchronized long twice() {
    return twice;
  }

  /** How many reads were shown before, slot for slot. */
  public synchronized long repeatedReads() {
    return repeatedReads;
  }
}
