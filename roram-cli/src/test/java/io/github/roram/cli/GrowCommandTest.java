package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.storage.view.View;
import io.github.roram.storage.view.ViewReader;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterBlockStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code roram grow}: more blocks, in place. */
final class GrowCommandTest {

  private static final int STORE_BYTES = 300 * TestStore.BLOCK_BYTES;

  @TempDir Path directory;

  private static CommandRun grow(TestStore store, int blocks) {
    return store.run("grow", "--blocks", String.valueOf(blocks));
  }

  @Test
  void aStoreOfFilesGrowsAgainAndAgain() throws IOException {
    TestStore store = TestStore.create(directory);
    byte[] model = new byte[STORE_BYTES];
    new Random(5).nextBytes(model);
    assertThat(store.write(model, 0).exitCode()).isZero();
    for (int blocks : new int[] {301, 620}) {
      CommandRun run = grow(store, blocks);
      assertThat(run.exitCode()).as(run.messages()).isZero();
      model = Arrays.copyOf(model, blocks * TestStore.BLOCK_BYTES);
      assertThat(store.read(0, model.length)).isEqualTo(model);
      int end = model.length - TestStore.BLOCK_BYTES;
      byte[] last = {1, 2, 3};
      assertThat(store.write(last, end).exitCode()).isZero();
      System.arraycopy(last, 0, model, end, 3);
    }
    assertThat(store.run("verify").exitCode()).isZero();
    assertThat(store.run("rekey").exitCode()).isZero();
    assertThat(store.read(0, model.length)).isEqualTo(model);
  }

  /** Its levels are not where a new store has them. */
  @Test
  void aRecordingSaysWhereTheLevelsAreThatAStoreGot() throws IOException {
    TestStore store = TestStore.create(directory);
    assertThat(grow(store, 3000).exitCode()).isZero();
    Path file = directory.resolve("view");
    String[] read = {"--offset", "0", "--length", "9", "--out", "-", "--record", file.toString()};
    assertThat(store.run("read", read).exitCode()).isZero();
    View view = ViewReader.read(file);
    assertThat(view.config().blocks()).isEqualTo(3000);
    // The table of levels is of version 2, which has those that were added.
    assertThat(view.layout().get()).isEqualTo((byte) 2);
  }

  /** Clients that connect then have the new blocks; what was written stays. */
  @Test
  void aProxyGrowsWhatItShares() throws Exception {
    TestStore store = TestStore.create(directory);
    Path blocks = directory.resolve("blocks");
    byte[] data = {4, 5, 6};
    List<String> line = new ArrayList<>(List.of("proxy", store.uri(), "--key-file"));
    line.addAll(List.of(store.keyFile().toString(), "--listen", "127.0.0.1:0"));
    line.addAll(List.of("--anyone-on-this-machine", "--blocks-file", blocks.toString()));
    try (ServerProcess proxy = ServerProcess.startCommand(directory.resolve("errors"), line)) {
      assertThat(write(proxy, data, 7)).isZero();
      Files.writeString(blocks, "700\n");
      int code = ExitCodes.USAGE;
      for (int waited = 0; code != 0 && waited < 600; waited++) {
        Thread.sleep(100);
        code = write(proxy, data, 700L * TestStore.BLOCK_BYTES - 3);
      }
      assertThat(code).isZero();
      assertThat(proxy.terminate()).isZero();
    }
    assertThat(store.read(7, 3)).isEqualTo(data);
    assertThat(store.read(700L * TestStore.BLOCK_BYTES - 3, 3)).isEqualTo(data);
  }

  private static int write(ServerProcess proxy, byte[] data, long offset) {
    return CommandRun.withInput(
            data, "write", proxy.uri(), "--offset", String.valueOf(offset), "--in", "-")
        .exitCode();
  }

  @Test
  void othersAreRefusedWithTheRemedy() throws IOException {
    TestStore path = TestStore.create(directory, "--scheme", "path");
    CommandRun run = grow(path, 600);
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.messages()).contains("cannot grow in place").contains("roram clone --blocks");
    assertThat(path.read(0, STORE_BYTES)).isEqualTo(new byte[STORE_BYTES]);
    assertThat(grow(path, 3).exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void afterAGrowthWithoutMemoryTheFileIsLookedAtAgain() throws Exception {
    CountDownLatch tries = new CountDownLatch(2);
    CountDownLatch first = new CountDownLatch(1);
    OramConfig config = OramConfig.builder(16).blockBytes(512).maxRangeBlocks(1).build();
    BlockStore store =
        new FilterBlockStore(new MemoryStore(Orams.storeBytes(config))) {
          @Override
          public boolean extend(long newBytes) {
            tries.countDown();
            first.countDown();
            throw new OutOfMemoryError("injected");
          }
        };
    Path file = Files.writeString(directory.resolve("blocks"), "600");
    try (MasterKey key = MasterKey.generate();
        store;
        Oram oram = Orams.create(store, ClientVault.inMemory(), config, key);
        GrowthWatch watch = new GrowthWatch(oram, file)) {
      assertThat(first.await(60, TimeUnit.SECONDS)).as("%s", watch).isTrue();
      Files.writeString(file, "700");
      assertThat(tries.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }
}
