package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.DiskVault;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import io.github.roram.testkit.TestOrams;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Calls that wait for a sync are made in one turn after it, while the vault's disk fails from some
 * change on: the journal fails in one of them, and so does the checkpoint that the next one needs.
 * What was acknowledged is there once the power has failed.
 */
final class FailedRestartTest {

  private static final int BLOCKS = 81;
  private static final int BLOCK_BYTES = 512;
  private static final int RANGE = 8;

  /** So many that accesses are known to be short, and are made one after another by one thread. */
  private static final int WARM_UP = 45;

  private static final int CALLS = 4;
  private static final int MOST_BEFORE = 4;
  private static final int MOST_CHANGES = 30;

  private final MasterKey key = MasterKey.generate();

  /** Threads that do what they are given once that is asked for; accesses take no time. */
  private static final class ByHand extends OwnedThreads {
    private final Deque<Runnable> tasks = new ArrayDeque<>();

    /** Checkpoints come first: whoever waits for one may hold what others wait for. */
    @Override
    public Executor serial(String name) {
      return name.equals("roram-checkpoint") ? tasks::addFirst : tasks::addLast;
    }

    @Override
    public void await(Future<?> task) {
      while (!task.isDone()) {
        tasks.remove().run();
      }
    }

    @Override
    public long nanoTime() {
      return 0;
    }

    void run() {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
    }

    @Override
    public void end() {
      run();
    }
  }

  @AfterEach
  void wipe() {
    key.close();
  }

  private static OramConfig config() {
    return OramConfig.builder(BLOCKS)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(8)
        .treetopBytes(0)
        .chunkPaths(2)
        .windowBlocks(0)
        .build();
  }

  private static ByteBuffer content(int value) {
    byte[] bytes = new byte[RANGE * BLOCK_BYTES];
    Arrays.fill(bytes, (byte) value);
    return ByteBuffer.wrap(bytes);
  }

  @Test
  void whatWasAcknowledgedIsThere() throws IOException {
    int failed = 0;
    for (int before = 1; before <= MOST_BEFORE; before++) {
      for (int change = 1; change <= MOST_CHANGES; change++) {
        failed += failsFrom(before, change) ? 1 : 0;
      }
    }
    assertThat(failed).isBetween(MOST_BEFORE, MOST_BEFORE * MOST_CHANGES);
  }

  /** Whether a call failed. */
  private boolean failsFrom(int before, int change) throws IOException {
    SimulatedDisk storeDisk = new SimulatedDisk();
    SimulatedDisk disk = new SimulatedDisk();
    ByHand threads = new ByHand();
    OpenOptions options =
        OpenOptions.defaults()
            .withDurability(Durability.SYNC)
            .withThreads(1)
            .withInFlight(4)
            .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES);
    Oram oram =
        TestOrams.create(
            new DiskStore(storeDisk, Orams.storeBytes(config())),
            new DiskVault(disk),
            config(),
            key,
            options,
            () -> threads);
    AsyncOram calls = Orams.async(oram, CALLS + 1);
    for (int call = 0; call < WARM_UP; call++) {
      CompletableFuture<Void> made = calls.read(0, 1, ByteBuffer.allocate(BLOCK_BYTES));
      threads.run();
      made.join();
    }
    for (int call = 0; call < before; call++) {
      CompletableFuture<Void> made =
          calls.write((long) call * RANGE % (BLOCKS - RANGE), content(1));
      threads.run();
      made.join();
    }
    List<CompletableFuture<Void>> made = new ArrayList<>();
    for (int call = 0; call < CALLS; call++) {
      made.add(calls.write((long) call * RANGE, content(2)));
    }
    disk.fail(disk.changes() + change, Long.MAX_VALUE, change);
    threads.run();
    disk.crashNow(Loss.ALL, change);
    storeDisk.crashNow(Loss.ALL, change);
    SimulatedDisk restarted = disk.restarted();
    try (Oram next =
        Orams.open(
            new DiskStore(storeDisk.restarted(), Orams.storeBytes(config())),
            new DiskVault(restarted),
            key,
            options)) {
      for (int call = 0; call < CALLS; call++) {
        CompletableFuture<Void> one = made.get(call);
        boolean acknowledged = one.isDone() && !one.isCompletedExceptionally();
        int found = next.read((long) call * RANGE, 1).get(0);
        if (acknowledged) {
          assertThat(found).as("call %d, failing from change %d", call, change).isEqualTo(2);
        }
      }
    }
    return made.stream().anyMatch(CompletableFuture::isCompletedExceptionally);
  }
}
