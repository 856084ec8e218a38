package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
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

  @Test
  void othersAreRefusedWithTheRemedy() throws IOException {
    TestStore path = TestStore.create(directory, "--scheme", "path");
    CommandRun run = grow(path, 600);
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.messages()).contains("cannot grow in place").contains("roram clone --blocks");
    assertThat(path.read(0, STORE_BYTES)).isEqualTo(new byte[STORE_BYTES]);
    assertThat(grow(path, 3).exitCode()).isEqualTo(ExitCodes.USAGE);
  }
}
