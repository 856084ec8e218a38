package io.github.roram.auditor.workload;

import io.github.roram.AsyncOram;
import io.github.roram.Oram;
import io.github.roram.map.EntryShape;
import io.github.roram.map.ObliviousMap;
import io.github.roram.map.ObliviousSortedMap;
import io.github.roram.map.OramMap;
import io.github.roram.storage.view.RecordedOram;
import io.github.roram.storage.view.ViewRecorder;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Through a map: a block's number is a key, which is got, put and removed, and a range is as many
 * leaves, which are scanned from there on. Each operation is promised to make the accesses that
 * docs/keys.md says, whatever it does.
 */
final class MapFrontend extends Frontend {

  /** So short that leaves of the smallest blocks have room for enough. */
  private static final EntryShape SHAPE = new EntryShape(Integer.BYTES, Short.BYTES);

  /** Operations of a sorted map between two accesses to two leaves. */
  private static final int SCHEDULE = 2;

  private final boolean isSorted;

  MapFrontend(boolean isSorted) {
    this.isSorted = isSorted;
  }

  @Override
  public boolean isMap() {
    return true;
  }

  @Override
  public boolean isSortedMap() {
    return isSorted;
  }

  @Override
  public Requests to(Oram oram, ViewRecorder recorder) throws IOException {
    PromisedAccesses promised = new PromisedAccesses(oram.config(), recorder);
    RecordedOram recorded = new RecordedOram(oram, recorder, promised::declareNext);
    promised.promiseBlocks(isSorted ? 2 : 1);
    OramMap map =
        isSorted
            ? ObliviousSortedMap.create(recorded, SHAPE)
            : ObliviousMap.create(recorded, SHAPE);
    return new Operations(map, recorded.async(), promised);
  }

  @Override
  public String toString() {
    return isSorted ? "sorted map" : "map";
  }

  /** Operations of one client, one at a time. */
  private static final class Operations implements Requests {
    private final OramMap map;
    private final AsyncOram queued;
    private final PromisedAccesses promised;
    private long operations;

    Operations(OramMap map, AsyncOram queued, PromisedAccesses promised) {
      this.map = map;
      this.queued = queued;
      this.promised = promised;
    }

    private static byte[] key(long block) {
      return ByteBuffer.allocate(Integer.BYTES).putInt((int) block).array();
    }

    /**
     * Promises the accesses of an operation on one key, or on {@code leaves} leaves; a sorted map
     * also keeps its leaves from filling up.
     */
    private void promise(int leaves) {
      operations++;
      if (map instanceof ObliviousSortedMap) {
        for (int leaf = 0; leaf < leaves; leaf++) {
          promised.promiseBlocks(1);
        }
        if (operations % SCHEDULE == 0) {
          promised.promiseBlocks(2);
        }
      } else {
        promised.promiseBlocks(2);
      }
    }

    @Override
    public void read(long block, int count) throws IOException {
      promise(count);
      if (count > 1 && map instanceof ObliviousSortedMap sorted) {
        sorted.scan(key(block), count);
      } else {
        map.get(key(block));
      }
    }

    @Override
    public void write(long block, ByteBuffer source) throws IOException {
      promise(1);
      byte[] value = new byte[SHAPE.valueBytes()];
      source.get(value);
      map.put(key(block), value);
    }

    @Override
    public void trim(long block, int count) throws IOException {
      promise(1);
      map.remove(key(block));
    }

    @Override
    public void close() throws IOException {
      queued.close();
      promised.declareRest();
    }
  }
}
