package io.github.roram.bench.plan;

import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * Measures a store: makes one, writes it all over, and times requests of one and of many extents,
 * short and long, read and written, at random places. A sample is the median of several requests of
 * a kind.
 */
public final class DeviceMeasurement {

  private static final int UNIT_BYTES = 16 << 10;
  private static final int[] EXTENTS = {1, 4, 16, 64};
  private static final int[] UNITS = {1, 8, 64};
  private static final int REPEATED = 9;
  private static final double NANOS = 1e9;

  private final CountingStore store;
  private final int units;
  private final LongSupplier nanoClock;
  private final Random random = new Random(1);

  private DeviceMeasurement(CountingStore store, long bytes, LongSupplier nanoClock) {
    this.store = store;
    units = Math.toIntExact(bytes / UNIT_BYTES);
    this.nanoClock = nanoClock;
  }

  /**
   * Measures a store that is made for it and deleted.
   *
   * @param bytes of the store: more than caches hold, or they are what is measured
   */
  public static DeviceFit measure(String uri, StoreOptions options, long bytes, String id)
      throws IOException {
    try {
      try (OpenedStore opened = Stores.create(uri, bytes, options)) {
        CountingStore store = new CountingStore(opened.store());
        return DeviceFit.of(id, new DeviceMeasurement(store, bytes, System::nanoTime).samples());
      }
    } finally {
      if (Stores.exists(uri, options)) {
        Stores.delete(uri, options);
      }
    }
  }

  private List<DeviceFit.Sample> samples() throws IOException {
    ExtentBatch all = new ExtentBatch();
    all.reset(IoPhase.META, ExtentBatch.NO_TREE, UNIT_BYTES).add(0, units);
    write(all);
    store.sync();
    List<DeviceFit.Sample> samples = new ArrayList<>();
    for (int extents : EXTENTS) {
      for (int length : UNITS) {
        if ((long) extents * length * 2 <= units) {
          samples.add(sample(extents, length, false));
          samples.add(sample(extents, length, true));
        }
      }
    }
    return samples;
  }

  private DeviceFit.Sample sample(int extents, int length, boolean writes) throws IOException {
    ExtentBatch batch = new ExtentBatch();
    double[] seconds = new double[REPEATED];
    for (int i = 0; i < REPEATED; i++) {
      // Places in order, as levels lie; each in a part of its own, so that none touch.
      batch.reset(IoPhase.META, ExtentBatch.NO_TREE, UNIT_BYTES);
      int part = units / extents;
      for (int extent = 0; extent < extents; extent++) {
        int first = extent * part + random.nextInt(part - length);
        batch.add((long) first * UNIT_BYTES, length);
      }
      store.reset();
      long start = nanoClock.getAsLong();
      if (writes) {
        write(batch);
      } else {
        store.read(batch, (unit, bytes) -> bytes.position(bytes.limit()));
      }
      seconds[i] = (nanoClock.getAsLong() - start) / NANOS;
    }
    Arrays.sort(seconds);
    return new DeviceFit.Sample(store.total(), seconds[REPEATED / 2]);
  }

  private void write(ExtentBatch batch) throws IOException {
    byte[] noise = new byte[UNIT_BYTES];
    random.nextBytes(noise);
    store.write(
        batch,
        (unit, bytes) -> {
          while (bytes.hasRemaining()) {
            bytes.put(noise);
          }
        });
  }
}
