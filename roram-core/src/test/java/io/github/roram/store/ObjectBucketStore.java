package io.github.roram.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Buckets as objects that are written once and never overwritten, each under its name, as an object
 * store would keep them. What was discarded is deleted at once, so who reads too late finds out.
 */
public final class ObjectBucketStore implements BucketStore {

  /** The name of an object. */
  private record Name(int tree, int level, long eviction, int epoch) {}

  private final int mostAhead;
  private final int unit;
  private int divided;
  private final Map<Name, byte[]> objects = new HashMap<>();
  private final Map<Integer, Long> discarded = new HashMap<>();
  private boolean synced = true;

  /**
   * No objects yet.
   *
   * @param mostAhead how many evictions may be written beyond the last that was discarded at
   */
  public ObjectBucketStore(int mostAhead) {
    this(mostAhead, 1);
  }

  /** As above, with evictions that are written together. */
  public ObjectBucketStore(int mostAhead, int unit) {
    this.mostAhead = mostAhead;
    this.unit = unit;
  }

  private static Name name(BucketRuns runs, int unit) {
    return new Name(runs.tree(), runs.level(unit), runs.eviction(unit), runs.epoch(unit));
  }

  @Override
  public synchronized void read(BucketRuns runs, UnitSink sink) throws IOException {
    int bytes = runs.bucketBytes();
    for (int run = 0; run < runs.runs(); run++) {
      ByteBuffer units = ByteBuffer.allocate(runs.units(run) * bytes);
      for (int i = 0; i < runs.units(run); i++) {
        byte[] object = objects.get(name(runs, runs.firstUnit(run) + i));
        if (object == null) {
          throw new IOException("there is no object " + name(runs, runs.firstUnit(run) + i));
        }
        units.put(object);
      }
      sink.accept(runs.firstUnit(run), units.flip());
    }
  }

  @Override
  public synchronized void write(BucketRuns runs, UnitSource source) throws IOException {
    int bytes = runs.bucketBytes();
    checkWhole(runs);
    synced = false;
    for (int run = 0; run < runs.runs(); run++) {
      byte[] array = new byte[runs.units(run) * bytes];
      source.fill(runs.firstUnit(run), ByteBuffer.wrap(array));
      for (int i = 0; i < runs.units(run); i++) {
        Name name = name(runs, runs.firstUnit(run) + i);
        byte[] object = Arrays.copyOfRange(array, i * bytes, (i + 1) * bytes);
        byte[] before = objects.putIfAbsent(name, object);
        if (before != null && !Arrays.equals(before, object)) {
          throw new AssertionError("object " + name + " is written twice");
        }
        if (name.eviction() < discarded.getOrDefault(name.tree(), 0L) - (1L << name.level())) {
          throw new AssertionError("object " + name + " is written after it was discarded");
        }
      }
    }
  }

  private void checkWhole(BucketRuns runs) {
    for (int run = 0; run < runs.runs(); run++) {
      int first = runs.firstUnit(run);
      long least = Math.min(unit, 1L << runs.level(first));
      long end = runs.eviction(first) + runs.units(run);
      if (end % unit != 0 || runs.units(run) % least != 0) {
        divided++;
        throw new AssertionError(
            runs.units(run) + " buckets that end at eviction " + end + ", in units of " + unit);
      }
    }
  }

  /** Writes that did not have whole units. */
  public synchronized int divided() {
    return divided;
  }

  @Override
  public int unit(int tree) {
    return unit;
  }

  @Override
  public synchronized void discardOlder(int tree, long eviction) {
    if (eviction < discarded.getOrDefault(tree, 0L)) {
      throw new AssertionError("what was needed before " + eviction + " is gone");
    }
    discarded.put(tree, eviction);
    objects
        .keySet()
        .removeIf(name -> name.tree() == tree && name.eviction() < eviction - (1L << name.level()));
  }

  @Override
  public int mostAhead(int tree) {
    return mostAhead;
  }

  /** Number of objects of a level. */
  public synchronized int objects(int tree, int level) {
    return (int)
        objects.keySet().stream()
            .filter(name -> name.tree() == tree && name.level() == level)
            .count();
  }

  /** The t of the last discard of a tree; 0 if there was none. */
  public synchronized long discardedAt(int tree) {
    return discarded.getOrDefault(tree, 0L);
  }

  @Override
  public synchronized void sync() {
    synced = true;
  }

  /** Whether nothing was written since the last sync. */
  public synchronized boolean isSynced() {
    return synced;
  }
}
