package io.github.roram.store;

import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.testkit.Batches;
import java.util.concurrent.CompletionException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two users of one asynchronous store, whose sinks fill plain memory: who asks after a write
 * completed sees it, and who waits for a future sees what its sink did.
 */
@JCStressTest
@Outcome(id = "8, 9", expect = Expect.ACCEPTABLE, desc = "Each sees its own.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Something was not seen, or failed.")
@State
public class AsyncOrderStress {

  /** One for all states: threads are not made for each of them. */
  private static final AsyncBlockStore STORE = new MemoryStore(1 << 20).async(2);

  private int writeAndRead(long offset, byte value) {
    byte[] got = new byte[1];
    ExtentBatch batch = Batches.of(1, offset, 1);
    try {
      STORE
          .write(batch, (first, units) -> units.put(value))
          .thenCompose(written -> STORE.read(batch, (first, units) -> got[0] = units.get()))
          .join();
    } catch (CompletionException e) {
      return -1;
    }
    return got[0];
  }

  /** One user. */
  @Actor
  public void one(II_Result seen) {
    seen.r1 = writeAndRead(17, (byte) 8);
  }

  /** Another one. */
  @Actor
  public void other(II_Result seen) {
    seen.r2 = writeAndRead(18, (byte) 9);
  }
}
