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
 * The slots of a ring that were read since their buckets were written: one is shown once, by a path
 * or by an eviction; a path is shown again by just the same request, and an eviction reads just its
 * slots again. Lives of a client on the same store are watched together.
 *
 * <p>Thread safety: safe.
 */
public final class ShownSlots {

  private final Set<Long> shown = new HashSet<>();
  private final Set<Long> evicted = new HashSet<>();
  private final Set<Set<Long>> requests = new HashSet<>();
  private long slots;
  private long twice;
  private long repeatedReads;
  private long evictedAgain;

  /** Watches what goes to a store. */
  public BlockStore over(BlockStore below) {
    return new FilterBlockStore(below) {
      @Override
      public void read(ExtentBatch batch, UnitSink sink) throws IOException {
        if (batch.phase() == IoPhase.READ) {
          show(slotsOf(batch));
        } else if (batch.phase() == IoPhase.EVICT_READ) {
          showEvicted(slotsOf(batch));
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
      read.forEach(slot -> twice += shown.add(slot) && !evicted.contains(slot) ? 0 : 1);
    } else {
      repeatedReads++;
    }
  }

  private synchronized void showEvicted(Set<Long> read) {
    for (long slot : read) {
      twice += shown.contains(slot) ? 1 : 0;
      evictedAgain += evicted.add(slot) ? 0 : 1;
    }
  }

  private synchronized void forget(Set<Long> written) {
    shown.removeAll(written);
    evicted.removeAll(written);
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

  /** How many were read by evictions, and again. */
  public synchronized long evictedAgain() {
    return evictedAgain;
  }

  /** How many reads were shown before, slot for slot. */
  public synchronized long repeatedReads() {
    return repeatedReads;
  }
}
