package io.github.roram.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.AsyncOram;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.range.HeldStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.IoPhase;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An ORAM and its asynchronous view, used and closed by several at a time. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AsyncViewTest {

  private static final int BLOCK_BYTES = 512;

  private static final OramConfig CONFIG =
      OramConfig.builder(100).blockBytes(BLOCK_BYTES).maxRangeBlocks(1).treetopBytes(0).build();

  private final MasterKey key = MasterKey.generate();
  private final HeldStore store = new HeldStore(Orams.storeBytes(CONFIG));

  @AfterEach
  void closeKey() {
    key.close();
  }

  private Oram create(OpenOptions options) throws IOException {
    return Orams.create(store, ClientVault.inMemory(), CONFIG, key, options);
  }

  private static ByteBuffer content() {
    return ByteBuffer.allocate(BLOCK_BYTES);
  }

  @Test
  void aSecondViewIsRefusedAndLeavesTheFirstAlone() throws IOException {
    try (Oram oram = create(OpenOptions.defaults())) {
      AsyncOram view = oram.async();
      assertThatThrownBy(() -> Orams.async(oram, 4))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("use that");
      view.write(3, content()).join();
      assertThat(oram.async()).isSameAs(view);
    }
  }

  @Test
  void twoMayCloseItWhileAccessesAreUnderWay() throws IOException {
    OpenOram oram =
        new StoreOpening(store, ClientVault.inMemory(), key, LabelSource.secure())
            .create(CONFIG, OpenOptions.defaults().withInFlight(4));
    AsyncOram view = new AsyncView(oram);
    store.hold(IoPhase.READ);
    CompletableFuture<Void> one = view.write(3, content());
    CompletableFuture<Void> other = view.write(4, content());
    CompletableFuture<Void> closed = CompletableFuture.allOf(closing(oram), closing(oram));
    while (store.held(IoPhase.READ) < 2) {
      Thread.onSpinWait();
    }
    store.letAllThrough();
    closed.join();
    assertThat(one).isCompleted();
    assertThat(other).isCompleted();
  }

  /** A thread that closes it, and has begun to wait for that. */
  private static CompletableFuture<Void> closing(Oram oram) {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                oram.close();
                closed.complete(null);
              } catch (IOException e) {
                closed.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    while (thread.getState() == Thread.State.NEW || thread.getState() == Thread.State.RUNNABLE) {
      Thread.onSpinWait();
    }
    return closed;
  }

  /** Has no thread for checkpoints. */
  private static final class FewThreads extends OwnedThreads {
    @Override
    public Executor serial(String name) {
      Executor serial = super.serial(name);
      return task -> {
        if (name.equals("roram-checkpoint")) {
          throw new RejectedExecutionException("injected: no thread");
        }
        serial.execute(task);
      };
    }
  }

  @Test
  void accessesGoOnWithoutAThreadForCheckpoints() throws IOException {
    OpenOptions options =
        OpenOptions.defaults().withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES);
    ClientVault vault = ClientVault.inMemory();
    try (Oram oram =
        new StoreOpening(store, vault, key, LabelSource.secure(), FewThreads::new)
            .create(CONFIG, options)) {
      for (int i = 0; i < 300; i++) {
        oram.write(i % 100, content());
      }
      assertThat(vault.logs()).doesNotContain("journal-0");
    }
  }
}
