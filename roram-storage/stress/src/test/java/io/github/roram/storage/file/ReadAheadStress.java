package io.github.roram.storage.file;

import io.github.roram.store.ExtentBatch;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads read batches from a medium so slow that helpers read ahead for one of them: each gets
 * its own units, in order, and a sink that fails in the middle leaves nothing behind for the next.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Both got what is stored.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Units are wrong, missing or out of order.")
@State
public class ReadAheadStress {

  private static final int UNIT_BYTES = 512;
  private static final int UNITS = 64;
  private static final SegmentFileStore STORE = openStore();

  private static SegmentFileStore openStore() {
    try {
      Path directory = Files.createTempDirectory("read-ahead-stress").resolve("store");
      FileOptions options = FileOptions.defaults().withReadDepth(4);
      try (SegmentFileStore made = SegmentFileStore.create(directory, 1 << 20, options)) {
        made.write(
            Batches.of(UNIT_BYTES, 0, 2 * UNITS),
            (first, units) -> {
              while (units.hasRemaining()) {
                units.put((byte) (first + units.position() / UNIT_BYTES));
              }
            });
      }
      SegmentFileStore opened = SlowChannels.open(directory, options);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
      return opened;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path directory) {
    try (var files = Files.walk(directory.getParent())) {
      files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every second unit from {@code first} on, one extent each, so that all are read singly. */
  private static ExtentBatch batch(int first) {
    ExtentBatch batch = Batches.of(UNIT_BYTES);
    for (int unit = first; unit < 2 * UNITS; unit += 8) {
      batch.add((long) unit * UNIT_BYTES, 1);
    }
    return batch;
  }

  private static int read(int first) {
    int[] next = {0};
    boolean[] right = {true};
    try {
      STORE.read(
          batch(first),
          (unit, units) -> {
            byte expected = (byte) (first + 8 * unit);
            right[0] &= unit == next[0]++;
            while (units.hasRemaining()) {
              right[0] &= units.get() == expected;
            }
          });
    } catch (IOException e) {
      return 2;
    }
    return right[0] && next[0] == UNITS / 4 ? 1 : 3;
  }

  /** Breaks off a batch, then reads one. */
  @Actor
  public void one(II_Result seen) {
    try {
      STORE.read(
          batch(1),
          (unit, units) -> {
            if (unit == 3) {
              throw new IOException("mine");
            }
          });
    } catch (IOException e) {
      seen.r1 = "mine".equals(e.getMessage()) ? read(0) : 4;
    }
  }

  /** Reads another. */
  @Actor
  public void other(II_Result seen) {
    seen.r2 = read(5);
  }
}
