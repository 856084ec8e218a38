package io.github.roram.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.checkpoint.RecordId;
import io.github.roram.crypto.MasterKey;
import io.github.roram.journal.Intent;
import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalChain;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterAppendLog;
import io.github.roram.store.FilterClientVault;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Syncs begin and end, and turns are taken, when the test says so. */
final class GroupSyncTest {

  private static final long SECONDS = 60;

  private final Semaphore begun = new Semaphore(0);
  private final Semaphore mayEnd = new Semaphore(0);
  private final BlockingQueue<Runnable> turns = new LinkedBlockingQueue<>();
  private final List<String> told = new ArrayList<>();
  private volatile boolean holding;
  private volatile boolean failing;
  private MasterKey key;
  private Journal journal;
  private final OwnedThreads threads = new OwnedThreads();
  private GroupSync sync;

  private final class HeldLog extends FilterAppendLog {
    HeldLog(AppendLog delegate) {
      super(delegate);
    }

    @Override
    public void sync() throws IOException {
      if (holding) {
        begun.release();
        mayEnd.acquireUninterruptibly();
      }
      if (failing) {
        throw new IOException("injected: sync failed");
      }
      super.sync();
    }
  }

  private final class HeldVault extends FilterClientVault {
    HeldVault() {
      super(ClientVault.inMemory());
    }

    @Override
    public AppendLog openLog(String name) throws IOException {
      return new HeldLog(super.openLog(name));
    }
  }

  private final class Told implements GroupSync.Listener {
    @Override
    public void durable(long[] covered) {
      told.add("durable " + covered[0]);
    }

    @Override
    public void failed(Throwable cause) {
      told.add("failed");
    }
  }

  @BeforeEach
  void open() throws IOException {
    Journal.Origin origin =
        new Journal.Origin(0, RecordId.random(), 1, UUID.randomUUID(), JournalChain.Link.NONE);
    key = MasterKey.generate();
    journal = new Journal(new HeldVault(), key, UUID.randomUUID(), Durability.SYNC, 512, origin);
    sync = newSync(threads.serial("roram-journal"));
    holding = true;
  }

  private GroupSync newSync(Executor thread) {
    return new GroupSync(() -> journal.mark(false), turns::add, thread, new Told());
  }

  @AfterEach
  void close() {
    holding = false;
    mayEnd.release(Integer.MAX_VALUE / 2);
    threads.end();
    journal.close();
    key.close();
  }

  private long record() throws IOException {
    journal.intent(new Intent(7, 0, new int[] {1}, new int[] {2}, new int[] {3}));
    return sync.recorded();
  }

  /** Records, and asks for a sync, which is told by the number of the record. */
  private void recordAndAsk() throws IOException {
    long number = record();
    sync.await(number);
    sync.begin(() -> new long[] {number});
  }

  private void awaitSync() throws InterruptedException {
    assertThat(begun.tryAcquire(SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  private void takeTurn() throws InterruptedException {
    Runnable turn = turns.poll(SECONDS, TimeUnit.SECONDS);
    assertThat(turn).isNotNull();
    turn.run();
  }

  @Test
  void theNextBeginsWithoutATurn() throws Exception {
    recordAndAsk();
    awaitSync();
    recordAndAsk();
    recordAndAsk();
    mayEnd.release();
    awaitSync();
    takeTurn();
    assertThat(told).containsExactly("durable 1");
    assertThat(sync.isRunning()).isTrue();
    assertThat(sync.isDurable(1)).isTrue();
    assertThat(sync.isDurable(2)).isFalse();
    mayEnd.release();
    takeTurn();
    assertThat(told).containsExactly("durable 1", "durable 3");
    assertThat(sync.isDurable(3)).isTrue();
    assertThat(sync.isRunning()).isFalse();
  }

  @Test
  void whatIsAskedForWhenTheLastHasEndedIsNotForgotten() throws Exception {
    recordAndAsk();
    awaitSync();
    mayEnd.release();
    Runnable turn = turns.poll(SECONDS, TimeUnit.SECONDS);
    recordAndAsk();
    assertThat(turn).isNotNull();
    turn.run();
    awaitSync();
    mayEnd.release();
    takeTurn();
    assertThat(told).containsExactly("durable 1", "durable 2");
    assertThat(sync.isRunning()).isFalse();
  }

  @Test
  void noneFollowsOneThatFailed() throws Exception {
    recordAndAsk();
    awaitSync();
    recordAndAsk();
    failing = true;
    mayEnd.release();
    takeTurn();
    assertThat(told).containsExactly("failed");
    assertThat(sync.isRunning()).isFalse();
    assertThat(sync.isDurable(1)).isFalse();
    assertThat(begun.availablePermits()).isZero();
    assertThat(turns).isEmpty();
  }

  @Test
  void nothingIsSyncedThatNobodyWaitsFor() throws Exception {
    record();
    sync.begin(() -> new long[] {0});
    assertThat(sync.isRunning()).isFalse();
    recordAndAsk();
    awaitSync();
    record();
    sync.begin(() -> new long[] {0});
    mayEnd.release();
    takeTurn();
    assertThat(told).containsExactly("durable 2");
    assertThat(sync.isRunning()).isFalse();
  }

  @Test
  void oneThatNoThreadMakesHasFailed() throws Exception {
    boolean[] threadless = {true};
    sync =
        newSync(
            task -> {
              if (threadless[0]) {
                throw new RejectedExecutionException("injected: no thread");
              }
              task.run();
            });
    holding = false;
    recordAndAsk();
    takeTurn();
    assertThat(told).containsExactly("failed");
    assertThat(sync.isRunning()).isFalse();
    threadless[0] = false;
    recordAndAsk();
    takeTurn();
    assertThat(told).containsExactly("failed", "durable 2");
  }
}
