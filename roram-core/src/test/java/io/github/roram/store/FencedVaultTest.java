package io.github.roram.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What closing waits for: a save behind its writer, a sync. The rest is in the old handles'
 * contract.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class FencedVaultTest {

  private final List<String> done = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch standsStill = new CountDownLatch(1);
  private final CountDownLatch goesOn = new CountDownLatch(1);
  private final FencedVault vault = FencedVault.of(new SlowVault());

  private void standStill() {
    standsStill.countDown();
    try {
      goesOn.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** It is slow when a record is put in place, and when a log is synced. */
  private final class SlowVault extends FilterClientVault {
    SlowVault() {
      super(ClientVault.inMemory());
    }

    @Override
    public void save(String name, Writer writer) throws IOException {
      super.save(name, writer);
      standStill();
      done.add("saved");
    }

    @Override
    public AppendLog openLog(String name) throws IOException {
      return new FilterAppendLog(super.openLog(name)) {
        @Override
        public void sync() throws IOException {
          standStill();
          super.sync();
          done.add("synced");
        }

        @Override
        public void close() throws IOException {
          super.close();
          done.add("log closed");
        }
      };
    }
  }

  /** Something that throws. */
  private interface Work {
    void run() throws IOException;
  }

  private static CompletableFuture<Void> begin(Work work) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
                end.complete(null);
              } catch (IOException | RuntimeException e) {
                end.completeExceptionally(e);
              }
            });
    thread.start();
    return end;
  }

  /** Closes while something stands still, which goes on only once later calls are refused. */
  private void closeMeanwhile(CompletableFuture<Void> call) throws InterruptedException {
    standsStill.await();
    CompletableFuture<Void> closing =
        begin(
            () -> {
              vault.close();
              done.add("closed");
            });
    boolean refused = false;
    while (!refused) {
      try {
        vault.logs();
      } catch (ClosedChannelException e) {
        refused = true;
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
    assertThat(done).isEmpty();
    goesOn.countDown();
    call.join();
    closing.join();
  }

  @Test
  void aSaveThatIsBeingPutInPlaceIsWaitedFor() throws Exception {
    closeMeanwhile(begin(() -> vault.save("a", out -> out.write(1))));
    assertThat(done).containsExactly("saved", "closed");
  }

  @Test
  void aSyncIsWaitedForBeforeTheLogIsClosed() throws Exception {
    AppendLog log = vault.openLog("a");
    log.append(ByteBuffer.allocate(1));
    closeMeanwhile(begin(log::sync));
    log.close();
    assertThat(done).containsExactly("synced", "log closed", "closed");
    assertThatThrownBy(log::sync).isInstanceOf(ClosedChannelException.class);
  }
}
