package io.github.roram.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.SplittableRandom;

/** Batches for tests, transferred with checks that the store keeps to the order of units. */
public final class Batches {

  private Batches() {}

  /** A batch of the extents given as pairs of offset and number of units. */
  public static ExtentBatch of(int unitBytes, long... offsetsAndUnits) {
    return of(IoPhase.READ, 0, unitBytes, offsetsAndUnits);
  }

  /** As above, of a phase and tree. */
  public static ExtentBatch of(IoPhase phase, int tree, int unitBytes, long... offsetsAndUnits) {
    ExtentBatch batch = new ExtentBatch().reset(phase, tree, unitBytes);
    for (int i = 0; i < offsetsAndUnits.length; i += 2) {
      batch.add(offsetsAndUnits[i], (int) offsetsAndUnits[i + 1]);
    }
    return batch;
  }

  /** {@code bytes} random bytes. */
  public static byte[] noise(int bytes, long seed) {
    byte[] content = new byte[bytes];
    new SplittableRandom(seed).nextBytes(content);
    return content;
  }

  /** Writes the batch's units, {@code content} one after another. */
  public static void write(BlockStore store, ExtentBatch batch, byte[] content) throws IOException {
    UnitOrder order = new UnitOrder(batch);
    store.write(
        batch,
        (first, units) -> {
          order.check(first, units.remaining());
          units.put(content, first * batch.unitBytes(), units.remaining());
        });
    order.checkComplete();
  }

  /** Reads the batch's units, one after another. */
  public static byte[] read(BlockStore store, ExtentBatch batch) throws IOException {
    byte[] content = new byte[Math.toIntExact(batch.bytes())];
    UnitOrder order = new UnitOrder(batch);
    store.read(
        batch,
        (first, units) -> {
          order.check(first, units.remaining());
          units.get(content, first * batch.unitBytes(), units.remaining());
        });
    order.checkComplete();
    return content;
  }

  /** Every unit exactly once, in order; pieces are of whole units of one extent. */
  private static final class UnitOrder {
    private final ExtentBatch batch;
    private int nextUnit;
    private int extent;

    UnitOrder(ExtentBatch batch) {
      this.batch = batch;
    }

    void check(int firstUnit, int bytes) {
      assertThat(firstUnit).isEqualTo(nextUnit);
      assertThat(bytes).isPositive();
      assertThat(bytes % batch.unitBytes()).isZero();
      while (firstUnit >= batch.firstUnit(extent) + batch.units(extent)) {
        extent++;
      }
      nextUnit += bytes / batch.unitBytes();
      assertThat(nextUnit).isLessThanOrEqualTo(batch.firstUnit(extent) + batch.units(extent));
    }

    void checkComplete() {
      assertThat(nextUnit).isEqualTo(batch.units());
    }
  }
}
