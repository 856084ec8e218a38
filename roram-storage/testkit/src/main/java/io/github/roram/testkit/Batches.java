package io.github.roram.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.XorGroups;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.SplittableRandom;

/** Batches for tests, and transfers that check the order of units. */
public final class Batches {

  private Batches() {}

  /** Returns a batch of extents that are given as pairs of offset and number of units. */
  public static ExtentBatch of(int unitBytes, long... offsetsAndUnits) {
    return of(IoPhase.READ, 0, unitBytes, offsetsAndUnits);
  }

  /** Returns such a batch with a phase and a tree. */
  public static ExtentBatch of(IoPhase phase, int tree, int unitBytes, long... offsetsAndUnits) {
    ExtentBatch batch = new ExtentBatch().reset(phase, tree, unitBytes);
    for (int i = 0; i < offsetsAndUnits.length; i += 2) {
      batch.add(offsetsAndUnits[i], (int) offsetsAndUnits[i + 1]);
    }
    return batch;
  }

  /** Returns {@code bytes} random bytes. */
  public static byte[] noise(int bytes, long seed) {
    byte[] content = new byte[bytes];
    new SplittableRandom(seed).nextBytes(content);
    return content;
  }

  /** Writes the batch's units from {@code content}, where they follow one another. */
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

  /** Reads the batch's units, and returns them one after another. */
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

  /** Returns groups of the units of a batch, of random lengths up to {@code most}. */
  public static XorGroups groups(ExtentBatch batch, int most, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int head = random.nextInt(batch.unitBytes() / 2);
    XorGroups groups = new XorGroups(batch.unitBytes(), head, random.nextInt(head + 1));
    while (groups.units() < batch.units()) {
      groups.add(1 + random.nextInt(Math.min(most, batch.units() - groups.units())));
    }
    return groups;
  }

  /** Returns the results of groups whose units follow one another in {@code content}. */
  public static byte[] xor(XorGroups groups, byte[] content) {
    ByteArrayOutputStream results = new ByteArrayOutputStream();
    int bodyBytes = groups.unitBytes() - groups.headBytes() - groups.tailBytes();
    for (int group = 0; group < groups.groups(); group++) {
      byte[] body = new byte[bodyBytes];
      for (int unit = 0; unit < groups.units(group); unit++) {
        int from = (groups.firstUnit(group) + unit) * groups.unitBytes();
        int behind = from + groups.headBytes() + bodyBytes;
        results.write(content, from, groups.headBytes());
        results.write(content, behind, groups.tailBytes());
        for (int i = 0; i < bodyBytes; i++) {
          body[i] ^= content[from + groups.headBytes() + i];
        }
      }
      results.write(body, 0, bodyBytes);
    }
    return results.toByteArray();
  }

  /** Returns a sink that checks that each result is a separate piece, in order. */
  public static UnitSink results(XorGroups groups, ByteArrayOutputStream to) {
    int[] next = {0};
    return (group, result) -> {
      assertThat(group).isEqualTo(next[0]++);
      assertThat(result.remaining()).isEqualTo(groups.bytes(group));
      byte[] bytes = new byte[result.remaining()];
      result.get(bytes);
      to.writeBytes(bytes);
    };
  }

  /** Checks that each unit comes once, in order, in pieces of whole units of one extent. */
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
