package io.github.roram.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.store.AppendLog;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.threads.Uninterrupted;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of a kind of store about reopening: a closed handle, of the store or of its vault,
 * changes nothing any more, whatever was in flight through it.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
public abstract class OldHandleContract {

  private static final int UNIT_BYTES = 512;
  private static final byte OLD = 1;
  private static final byte NEW = 2;

  private final CountDownLatch standsStill = new CountDownLatch(1);
  private final CountDownLatch goesOn = new CountDownLatch(1);
  private final ExecutorService executor = Executors.newSingleThreadExecutor();
  private OramMedium medium;
  private BlockStore oldStore;
  private ClientVault oldVault;

  /** Creates the contract, for subclasses. */
  @org.jspecify.annotations.NullUnmarked // set before each test
  protected OldHandleContract() {}

  /**
   * Returns a new store of at least 64 KiB with its vault. Its {@code reopen} closes and reopens
   * both; a store in memory may be replaced by another, its vault may not.
   */
  protected abstract OramMedium open() throws IOException;

  @BeforeEach
  final void openFirst() throws IOException {
    medium = open();
    oldStore = medium.store();
    oldVault = medium.vault();
  }

  @AfterEach
  final void closeAll() throws IOException {
    goesOn.countDown();
    executor.shutdownNow();
    medium.close();
  }

  /** Makes the old handle wait until the new one has done its work. */
  private void standStill() {
    standsStill.countDown();
    Uninterrupted.await(goesOn::await);
  }

  private void assertClosed(Future<?> call) {
    goesOn.countDown();
    assertThatThrownBy(call::get).hasRootCauseInstanceOf(ClosedChannelException.class);
  }

  private static void assertClosed(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(ClosedChannelException.class);
  }

  private static byte[] load(ClientVault vault) throws IOException {
    try (InputStream in = vault.load("a").orElseThrow()) {
      return in.readAllBytes();
    }
  }

  /** Saves a record whose writer waits after some bytes. */
  private void saveLate(int before, int after) throws Exception {
    oldVault.save("a", out -> out.write(OLD));
    Future<Void> save =
        executor.submit(
            () -> {
              oldVault.save("a", out -> write(out, before, after));
              return null;
            });
    standsStill.await();
    medium.reopen();
    medium.vault().save("a", out -> out.write(NEW));
    medium.vault().save("b", out -> out.write(NEW));
    assertClosed(save);
    assertThat(load(medium.vault())).containsExactly(NEW);
    medium.reopen();
    assertThat(load(medium.vault())).containsExactly(NEW);
    assertThat(medium.vault().load("b")).isPresent();
  }

  private void write(OutputStream out, int before, int after) throws IOException {
    out.write(new byte[before]);
    standStill();
    if (after > 0) {
      out.write(new byte[after]);
    }
  }

  @Test
  void aSaveThatStoodStillAtItsStartFails() throws Exception {
    saveLate(0, 100_000);
  }

  @Test
  void aSaveThatStoodStillInItsMiddleFails() throws Exception {
    saveLate(100_000, 100_000);
  }

  @Test
  void aSaveThatStoodStillAtItsEndFails() throws Exception {
    saveLate(100_000, 0);
  }

  @Test
  void aSaveIsNotCutOffWhileTheVaultIsOpen() throws Exception {
    Future<Void> save =
        executor.submit(
            () -> {
              oldVault.save("a", out -> write(out, 0, 100_000));
              return null;
            });
    standsStill.await();
    goesOn.countDown();
    save.get();
    medium.reopen();
    assertThat(load(medium.vault())).hasSize(100_000);
  }

  @Test
  void everyLaterCallOfTheVaultIsRefused() throws IOException {
    AppendLog closed = oldVault.openLog("closed");
    closed.append(bytes(OLD));
    closed.close();
    oldVault.openLog("empty").close();
    medium.reopen();
    medium.vault().openLog("new").close();
    assertClosed(() -> oldVault.save("a", out -> out.write(OLD)));
    assertClosed(() -> oldVault.load("a"));
    assertClosed(() -> oldVault.openLog("old"));
    assertClosed(() -> oldVault.deleteLog("closed"));
    assertClosed(oldVault::logs);
    assertThat(medium.vault().logs()).containsExactlyInAnyOrder("closed", "empty", "new");
    assertThat(medium.vault().load("a")).isEmpty();
  }

  /** Closing the log must not cut it to its old length, either. */
  @Test
  void aLogThatWasOpenChangesNoMore() throws IOException {
    AppendLog old = oldVault.openLog("a");
    old.append(bytes(OLD));
    medium.reopen();
    try (AppendLog now = medium.vault().openLog("a")) {
      assertThat(now.bytes()).isEqualTo(1);
      now.append(bytes(NEW));
      assertClosed(() -> old.append(bytes(OLD)));
      assertClosed(old::sync);
      assertClosed(() -> old.truncate(0));
      assertClosed(old::read);
      assertClosed(old::bytes);
      old.close();
      old.close();
      now.append(bytes(NEW));
    }
    medium.reopen();
    try (AppendLog now = medium.vault().openLog("a");
        InputStream in = now.read()) {
      assertThat(in.readAllBytes()).containsExactly(OLD, NEW, NEW);
    }
  }

  private static ByteBuffer bytes(byte value) {
    return ByteBuffer.wrap(new byte[] {value});
  }

  private static ExtentBatch batch() {
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.EVICT_WRITE, 0, UNIT_BYTES);
    batch.add(0, 8);
    batch.add(32L * UNIT_BYTES, 8);
    return batch;
  }

  private static void fill(BlockStore store, byte value) throws IOException {
    store.write(batch(), (unit, target) -> fill(target, value));
  }

  private static void fill(ByteBuffer target, byte value) {
    byte[] bytes = new byte[target.remaining()];
    Arrays.fill(bytes, value);
    target.put(bytes);
  }

  @Test
  void aWriteThatStoodStillChangesNothing() throws Exception {
    fill(oldStore, OLD);
    Future<Void> write =
        executor.submit(
            () -> {
              oldStore.write(
                  batch(),
                  (unit, target) -> {
                    if (unit == 0) {
                      standStill();
                    }
                    fill(target, OLD);
                  });
              return null;
            });
    standsStill.await();
    medium.reopen();
    fill(medium.store(), NEW);
    medium.store().sync();
    assertClosed(write);
    medium
        .store()
        .read(
            batch(),
            (unit, source) -> {
              while (source.hasRemaining()) {
                assertThat(source.get()).isEqualTo(NEW);
              }
            });
  }

  @Test
  void everyLaterCallOfTheStoreIsRefused() throws IOException {
    medium.reopen();
    assertClosed(() -> fill(oldStore, OLD));
    assertClosed(() -> oldStore.read(batch(), (unit, source) -> {}));
    assertClosed(oldStore::sync);
    oldStore.close();
    fill(medium.store(), NEW);
  }
}
