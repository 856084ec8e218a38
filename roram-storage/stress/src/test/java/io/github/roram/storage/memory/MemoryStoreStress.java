package io.github.roram.storage.memory;

import io.github.roram.store.ExtentBatch;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads use neighbouring units of one page, whose windows they share. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Each reads what it wrote.")
@Outcome(expect = Expect.FORBIDDEN, desc = "One used the other's window, or lost a page.")
@State
public class MemoryStoreStress {

  private static final int UNIT_BYTES = 24;

  private final MemoryStore store = new MemoryStore(1000);

  private int writeAndRead(int place, byte value) {
    ExtentBatch batch = Batches.of(UNIT_BYTES, place * (long) UNIT_BYTES, 1);
    boolean[] right = {true};
    try {
      store.write(
          batch,
          (first, units) -> {
            while (units.hasRemaining()) {
              units.put(value);
            }
          });
      store.read(
          batch,
          (first, units) -> {
            right[0] &= units.remaining() == UNIT_BYTES;
            while (units.hasRemaining()) {
              right[0] &= units.get() == value;
            }
          });
    } catch (IOException | RuntimeException e) {
      return 2;
    }
    return right[0] ? 1 : 3;
  }

  /** One user. */
  @Actor
  public void one(II_Result seen) {
    seen.r1 = writeAndRead(0, (byte) 5);
  }

  /** Another one. */
  @Actor
  public void other(II_Result seen) {
    seen.r2 = writeAndRead(1, (byte) 6);
  }
}
