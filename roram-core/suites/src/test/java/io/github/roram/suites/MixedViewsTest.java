package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.VerifyReport;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.session.AsyncView;
import io.github.roram.session.OpenOram;
import io.github.roram.session.StoreOpening;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.DiskVault;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Accesses one after another and accesses that overlap, by turns, of one ORAM: whatever is under
 * way it takes either, on a disk that fails and crashes.
 */
final class MixedViewsTest {

  private static final int BLOCK_BYTES = 512;
  private static final int BLOCKS = 60;
  private static final int RANGE = 4;

  /** Changes of the disk from one injected failure or crash to the next, at most. */
  private static final int QUIET = 400;

  /** What fails longer will not succeed: a sync that failed is final. */
  private static final int MOST_TRIES = 30;

  /** Scheme, paths of a chunk, durability, loss, and whether requests fail. */
  private static final String CASES =
      """
      tao, 1, SYNC, ALL, true
      tao, 2, FLUSH, NONE, true
      tao, 3, OS, NONE, true
      tao, 2, SYNC, ANY, false
      tao, 3, OS, NONE, false
      tao, 2, NONE, NONE, false
      roram, 2, SYNC, ANY, true
      roram, 4, FLUSH, NONE, true
      roram, 3, OS, NONE, true
      path-batched, 2, SYNC, ALL, true
      roram, 2, NONE, NONE, false
      path, 1, NONE, NONE, false
      """;

  @ParameterizedTest
  @CsvSource(textBlock = CASES)
  void whateverIsMadeWhateverIsUnderWay(
      String scheme, int chunkPaths, Durability durability, Loss loss, boolean fails)
      throws IOException {
    run(scheme, chunkPaths, durability, loss, fails, 0);
  }

  @Tag("gate")
  @ParameterizedTest
  @CsvSource(textBlock = CASES)
  void onceMore(String scheme, int chunkPaths, Durability durability, Loss loss, boolean fails)
      throws IOException {
    run(scheme, chunkPaths, durability, loss, fails, 1);
  }

  private static void run(
      String scheme, int chunkPaths, Durability durability, Loss loss, boolean fails, int seed)
      throws IOException {
    OramConfig.Builder builder =
        OramConfig.builder(BLOCKS)
            .scheme(scheme)
            .blockBytes(BLOCK_BYTES)
            .maxRangeBlocks(RANGE)
            .treetopBytes(0);
    OramConfig config = (scheme.equals("path") ? builder : builder.chunkPaths(chunkPaths)).build();
    OpenOptions options =
        OpenOptions.defaults()
            .withDurability(durability)
            .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES)
            .withInFlight(6);
    try (MasterKey key = MasterKey.generate()) {
      new Run(config, options, key, new Random(seed), loss, fails).run();
    }
  }

  /** A call, and what it was to do. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Made(
      CompletableFuture<?> answer, int first, int count, byte value, byte @Nullable [] read) {}

  /** One use of a store. */
  private static final class Run {
    private final OramConfig config;
    private final OpenOptions options;
    private final MasterKey key;
    private final Random random;
    private final Loss loss;
    private final boolean fails;
    private final CellModel model = new CellModel(BLOCKS);
    private SimulatedDisk disk = new SimulatedDisk();
    private DiskStore store;
    private OpenOram alone;
    private AsyncOram overlapped;

    Run(
        OramConfig config,
        OpenOptions options,
        MasterKey key,
        Random random,
        Loss loss,
        boolean fails)
        throws IOException {
      this.config = config;
      this.options = options;
      this.key = key;
      this.random = random;
      this.loss = loss;
      this.fails = fails;
      store = newStore();
      alone = opening().create(config, options);
      overlapped = view();
    }

    /** One that makes single accesses as the ORAM does, or one that never does. */
    private AsyncOram view() {
      return random.nextBoolean() ? alone.async(6) : new AsyncView(alone);
    }

    private DiskStore newStore() throws IOException {
      return new DiskStore(disk, Orams.storeBytes(config));
    }

    private StoreOpening opening() throws IOException {
      return new StoreOpening(store, new DiskVault(disk), key, LabelSource.secure());
    }

    void run() throws IOException {
      for (int crashes = 0; crashes < 4 && options.durability() != Durability.NONE; crashes++) {
        disk.crashAt(disk.changes() + 1 + random.nextInt(QUIET), loss, random.nextLong());
        makeAll(200);
        restart();
      }
      makeAll(200);
      if (disk.crashed() || store.syncFailed()) {
        restart();
      }
      // No more failures.
      disk.fail(0, 0, 0);
      overlapped.close();
    }

    private void makeAll(int phases) throws IOException {
      for (int phase = 0; phase < phases && !disk.crashed(); phase++) {
        if (fails && random.nextInt(10) == 0) {
          long from = disk.changes() + 1 + random.nextInt(10);
          disk.fail(from, from + random.nextInt(20), random.nextLong());
        }
        overlap(1 + random.nextInt(8));
        makeSome(random.nextInt(6));
      }
    }

    private void makeSome(int count) throws IOException {
      for (int i = 0; i < count; i++) {
        access();
      }
      if (random.nextInt(20) == 0) {
        look();
      }
    }

    /** Accesses that overlap, until all are answered, and none is under way that failed. */
    private void overlap(int count) {
      List<Made> calls = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int blocks = 1 + random.nextInt(RANGE);
        int first = random.nextInt(BLOCKS - blocks);
        ByteBuffer buffer = ByteBuffer.allocate(blocks * BLOCK_BYTES);
        byte value = (byte) random.nextInt();
        boolean reads = random.nextBoolean();
        if (!reads) {
          Arrays.fill(buffer.array(), value);
        }
        CompletableFuture<Void> answer =
            reads ? overlapped.read(first, blocks, buffer) : overlapped.write(first, buffer);
        calls.add(new Made(answer, first, blocks, value, reads ? buffer.array() : null));
      }
      boolean all = true;
      for (Made call : calls) {
        all &= note(call);
      }
      for (int tries = 1; !all && !disk.crashed(); tries++) {
        // What failed is made good before anything else: an access that overlaps asks for that.
        CompletableFuture<Void> answer = overlapped.read(0, 1, ByteBuffer.allocate(BLOCK_BYTES));
        all = succeeds(answer);
        endAfter(tries);
      }
    }

    private void endAfter(int tries) {
      if (tries >= MOST_TRIES) {
        disk.crashNow(loss, random.nextLong());
      }
    }

    /** Whether it succeeded. */
    private boolean note(Made call) {
      boolean succeeded = succeeds(call.answer());
      if (call.read() == null) {
        model.wrote(call.first(), call.count(), call.value(), succeeded);
      }
      for (int block = 0; call.read() != null && succeeded && block < call.count(); block++) {
        model.read(call.first() + block, call.read()[block * BLOCK_BYTES]);
      }
      return succeeded;
    }

    private static boolean succeeds(CompletableFuture<?> answer) {
      try {
        answer.join();
        return true;
      } catch (CompletionException e) {
        assertThat(e).hasRootCauseInstanceOf(IOException.class);
        return false;
      }
    }

    /** One after another, until each succeeds. */
    private void access() {
      int block = random.nextInt(BLOCKS);
      byte value = (byte) random.nextInt();
      byte[] data = new byte[BLOCK_BYTES];
      boolean reads = random.nextBoolean();
      int tries = 0;
      for (boolean done = false; !done && !disk.crashed(); ) {
        endAfter(++tries);
        try {
          if (reads) {
            alone.read(block, 1, ByteBuffer.wrap(data));
            model.read(block, data[0]);
          } else {
            Arrays.fill(data, value);
            alone.write(block, ByteBuffer.wrap(data));
            model.wrote(block, 1, value, true);
          }
          done = true;
        } catch (IOException e) {
          model.wrote(block, reads ? 0 : 1, value, false);
        }
      }
    }

    /** A pass over the whole store, unless that crashes by a checkpoint that goes on meanwhile. */
    private void look() throws IOException {
      if (disk.crashed()) {
        return; // what only the client holds would be seen
      }
      try {
        List<VerifyReport.Finding> findings = alone.verify((done, total) -> {}).findings();
        assertThat(disk.crashed() ? List.of() : findings).isEmpty();
        if (!disk.crashed()) {
          alone.scan((block, data) -> model.read((int) block, data.get(data.position())));
        }
      } catch (IOException e) {
        if (!disk.crashed()) {
          throw e;
        }
      }
    }

    private void restart() throws IOException {
      if (!disk.crashed()) {
        disk.crashNow(loss, random.nextLong());
      }
      disk = disk.restarted();
      store = newStore();
      alone = opening().open(null, options);
      overlapped = view();
      for (int block = 0; block < BLOCKS; block++) {
        access();
      }
      look();
    }
  }
}
