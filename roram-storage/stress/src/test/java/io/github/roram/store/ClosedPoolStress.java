package io.github.roram.store;

import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.testkit.Batches;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Requests are asked for while the asynchronous store is closed: each ends, and no sink is called
 * after close returned.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Done before it was closed.")
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "Refused, since it was closed.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A request failed otherwise, or was served too late.")
@State
public class ClosedPoolStress {

  private final MemoryStore below = new MemoryStore(1000);
  private final AsyncBlockStore store = below.async(1);
  private final ExtentBatch batch = Batches.of(10, 0, 3);
  private volatile boolean closed;
  private volatile boolean late;

  /** Who asks. */
  @Actor
  public void user(II_Result seen) {
    CompletableFuture<Void> future =
        store.read(
            batch,
            (first, units) -> {
              if (closed) {
                late = true;
              }
            });
    try {
      future.join();
      seen.r1 = 1;
    } catch (CompletionException e) {
      seen.r1 = e.getCause() instanceof ClosedChannelException ? 2 : 3;
    }
  }

  /** Who closes. */
  @Actor
  public void closer(II_Result seen) {
    store.close();
    closed = true;
    Thread.onSpinWait();
    seen.r2 = late ? 2 : 1;
  }
}
