package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.open.Orams;
import io.github.roram.storage.HeldVault;
import io.github.roram.testkit.FaultyStore;
import io.github.roram.testkit.ModelledOram;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Operation;
import java.io.IOException;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every call of a script of requests fails once, each in a run of its own; its user repeats the
 * request. No acknowledged write is lost, answers stay right, the store closes and opens again, and
 * no nonce is used twice.
 */
final class FaultSweepTest {

  private static final int REQUESTS = 14;

  static Stream<OramConfig> configurations() {
    return Stream.of(
        small(70, "path").build(),
        small(1100, "path").recursivePositionMap(true).treetopBytes(9000).build(),
        small(70, "path-batched").chunkPaths(4).windowBlocks(9).build(),
        small(70, "roram").preset(Preset.PAPER).build(),
        small(70, "roram").sizeClasses(0, 2).chunkPaths(3).windowBlocks(5).build(),
        small(70, "roram").trees(0, 1).chunkPaths(3).windowBlocks(5).build(),
        small(70, "roram")
            .trees(0, 1)
            .chunkPaths(3)
            .windowBlocks(5)
            .positionMap("recursive")
            .set("blocksPerMapBlock", 4)
            .set("clientLabels", 5)
            .build(),
        small(70, "path-batched")
            .chunkPaths(4)
            .windowBlocks(9)
            .positionMap("recursive")
            .set("blocksPerMapBlock", 4)
            .set("clientLabels", 5)
            .build(),
        small(70, "roram").preset(Preset.PROVEN).treetopBytes(30_000).chunkPaths(2).build());
  }

  private static OramConfig.Builder small(int blocks, String scheme) {
    return OramConfig.builder(blocks)
        .scheme(scheme)
        .blockBytes(512)
        .maxRangeBlocks(4)
        .treetopBytes(0);
  }

  /** A sort of fault, armed for the n-th call. */
  private interface Fault {
    void arm(FaultyStore store, int n);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void aFailedRead(OramConfig config) throws IOException {
    sweep(config, Operation.READ, FaultyStore::failNthRead, n -> false);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void aFailedWrite(OramConfig config) throws IOException {
    sweep(config, Operation.WRITE, FaultyStore::failNthWrite, n -> n % 2 == 0);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void aTornWrite(OramConfig config) throws IOException {
    sweep(
        config,
        Operation.WRITE,
        (store, n) -> store.tearNthWrite(n, n % 2 == 0 ? Long.MAX_VALUE : 700L * n),
        n -> true);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void aFailedSync(OramConfig config) throws IOException {
    sweep(config, Operation.SYNC, FaultyStore::failNthSync, n -> false);
  }

  /** Fails calls in turn; of some stores before they are loaded. */
  private static void sweep(
      OramConfig config, Operation operation, Fault fault, IntPredicate loaded) throws IOException {
    long calls = Long.MAX_VALUE;
    for (int n = 1; n <= calls; n += 1 + n / 2) {
      try (Run run = new Run(config, n)) {
        fault.arm(run.store, n);
        if (loaded.test(n)) {
          run.load();
        }
        run.requests(REQUESTS);
        run.reopen();
        calls = run.calls(operation);
        if (n % 2 == 0) {
          run.finish(run.oram::checkRanges);
        } else {
          run.finish(run.oram::checkScan);
        }
      }
    }
  }

  /** Faults of all sorts again and again, the vault's too. */
  @ParameterizedTest
  @MethodSource("configurations")
  void aStormOfFaults(OramConfig config) throws IOException {
    for (int seed = 0; seed < 2; seed++) {
      try (Run run = new Run(config, seed)) {
        Random storm = new Random(seed);
        for (int i = 0; i < 60; i++) {
          switch (storm.nextInt(5)) {
            case 0 -> run.store.failNthRead(1 + storm.nextInt(6));
            case 1 -> run.store.failNthWrite(1 + storm.nextInt(6));
            case 2 -> run.store.tearNthWrite(1 + storm.nextInt(6), storm.nextInt(9000));
            case 3 -> run.vault.failSaves(storm.nextInt(3));
            default -> run.store.failNthSync(1 + storm.nextInt(2));
          }
          run.requests(1);
          if (storm.nextInt(10) == 0) {
            run.reopen();
          }
        }
        run.finish(run.oram::checkAll);
        assertThat(run.failures).isPositive();
      }
    }
  }

  /** An ORAM whose user repeats what failed. */
  private static final class Run implements AutoCloseable {
    final FaultyStore store;
    final HeldVault vault = new HeldVault();
    int failures;
    private final Random random;
    private final ModelledOram oram;
    private final RecordingStore recording;
    private final NonceWatch watch;

    Run(OramConfig config, int seed) throws IOException {
      random = new Random(seed);
      Medium memory = Medium.memory(Orams.storeBytes(config));
      store = new FaultyStore(memory.store());
      recording = new RecordingStore(store);
      watch = new NonceWatch(recording);
      oram =
          new ModelledOram(
              Medium.memory(1, ignored -> watch, vault), config, ModelledOram.seededLabels(seed));
    }

    private interface Step {
      void run() throws IOException;
    }

    private void untilItSucceeds(Step step) throws IOException {
      for (int attempts = 1; ; attempts++) {
        try {
          step.run();
          return;
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("injected");
          failures++;
          if (attempts == 12) {
            throw e;
          }
        }
      }
    }

    void load() throws IOException {
      untilItSucceeds(() -> oram.bulkLoad(30_000, 1 << 20, random));
    }

    void requests(int requests) throws IOException {
      for (int i = 0; i < requests; i++) {
        int count = 1 + random.nextInt(4);
        int block = random.nextInt((int) oram.config().blocks() - count + 1);
        int kind = random.nextInt(4);
        untilItSucceeds(
            () -> {
              switch (kind) {
                case 0 -> oram.write(block, count, random);
                case 1 -> oram.update(block, count, random);
                default -> oram.read(block, count);
              }
            });
      }
    }

    long calls(Operation operation) {
      return recording.requests().stream().filter(r -> r.operation() == operation).count();
    }

    void reopen() throws IOException {
      untilItSucceeds(oram::reopen);
    }

    /** Opens it again, and looks at everything. */
    void finish(Step check) throws IOException {
      reopen();
      untilItSucceeds(oram::settle);
      untilItSucceeds(check);
      assertThat(watch.buckets()).isPositive();
    }

    @Override
    public void close() throws IOException {
      untilItSucceeds(oram::close);
    }
  }
}
