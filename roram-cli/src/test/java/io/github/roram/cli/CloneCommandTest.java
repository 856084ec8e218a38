package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code roram clone}: the same data, in another store. */
final class CloneCommandTest {

  private static final int STORE_BYTES = 300 * TestStore.BLOCK_BYTES;

  @TempDir Path directory;

  private final byte[] model = new byte[STORE_BYTES];

  /** Some of it loaded, some written, the rest zeros. */
  private TestStore create(int dataBytes, String... options) throws IOException {
    TestStore store = TestStore.create(directory, options);
    byte[] noise = new byte[dataBytes];
    new Random(3).nextBytes(noise);
    System.arraycopy(noise, 0, model, 0, dataBytes);
    Path in = Files.write(directory.resolve("in"), Arrays.copyOf(model, dataBytes / 2));
    assertThat(store.run("import", "--in", in.toString()).exitCode()).isZero();
    byte[] rest = Arrays.copyOfRange(model, dataBytes / 2, dataBytes);
    assertThat(store.write(rest, dataBytes / 2).exitCode()).isZero();
    return store;
  }

  private TestStore copy(TestStore store) {
    return new TestStore(directory.resolve("copy"), store.keyFile());
  }

  private CommandRun clone(TestStore store, String... options) {
    String[] all = Arrays.copyOf(new String[] {"--to", copy(store).uri()}, 2 + options.length);
    System.arraycopy(options, 0, all, 2, options.length);
    return store.run("clone", all);
  }

  private static long blocks(TestStore store) throws IOException {
    try (OpenedStore opened = store.open()) {
      return Orams.inspect(opened.store()).config().blocks();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "roram,300",
    "roram,100",
    "roram,1000",
    "ring,500",
    "path-batched,64",
    "path,640",
    "tao,301",
    "detwo,77"
  })
  void aCopyOfAnySizeHasTheData(String scheme, int blocks) throws IOException {
    TestStore store = create(60_000, "--scheme", scheme);
    CommandRun run = clone(store, "--blocks", String.valueOf(blocks));
    assertThat(run.exitCode()).as(run.messages()).isZero();
    TestStore copy = copy(store);
    assertThat(blocks(copy)).isEqualTo(blocks);
    byte[] expected = Arrays.copyOf(model, blocks * TestStore.BLOCK_BYTES);
    assertThat(copy.read(0, expected.length)).isEqualTo(expected);
    assertThat(store.read(0, STORE_BYTES)).isEqualTo(model);
    if (!scheme.equals("path")) {
      assertThat(copy.run("verify").exitCode()).isZero();
    }
    try (OpenedStore one = store.open();
        OpenedStore other = copy.open()) {
      assertThat(Orams.inspect(one.store()).storeId())
          .isNotEqualTo(Orams.inspect(other.store()).storeId());
    }
    // A copy is a store like any other.
    assertThat(copy.write(new byte[] {7}, 5).exitCode()).isZero();
    assertThat(copy.read(5, 1)).containsExactly(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"recursive", "file"})
  void mapsOfEveryFormAreMadeAnew(String form) throws IOException {
    Path maps = Files.createDirectory(directory.resolve("maps"));
    TestStore store =
        TestStore.create(directory, "--position-map", form, "--map-directory", maps.toString());
    new Random(3).nextBytes(model);
    assertThat(store.write(model, 0, "--map-directory", maps.toString()).exitCode()).isZero();
    CommandRun run = clone(store, "--blocks", "600", "--map-directory", maps.toString());
    assertThat(run.exitCode()).as(run.messages()).isZero();
    assertThat(copy(store).read(0, STORE_BYTES, "--map-directory", maps.toString()))
        .isEqualTo(model);
  }

  @Test
  void dataBeyondTheEndIsNotCutOff() throws IOException {
    TestStore store = create(60_000);
    CommandRun run = clone(store, "--blocks", "58");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.messages()).contains("block 58 holds data", "58 blocks");
    assertThat(copy(store).directory()).doesNotExist();
    assertThat(clone(store, "--blocks", "59").exitCode()).isZero();
  }

  @Test
  void aStoreIsNotReplaced() throws IOException {
    TestStore store = create(1000);
    assertThat(clone(store).exitCode()).isZero();
    CommandRun again = clone(store);
    assertThat(again.exitCode()).isEqualTo(ExitCodes.FAILURE);
    assertThat(again.messages()).contains("holds a store already");
    assertThat(copy(store).read(0, 1000)).isEqualTo(Arrays.copyOf(model, 1000));
  }

  @Test
  void whatIsPutAsideIsNotWhereTheStoresObserversSeeIt() throws IOException {
    TestStore store = create(1000);
    CommandRun run = clone(store, "--scratch", store.directory().toString());
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.messages()).contains("observers");
    assertThat(copy(store).directory()).doesNotExist();
  }

  @Test
  void aStoreThatWasNotClosedIsCopiedAsItIsAfterRecovery() throws IOException {
    TestStore store = create(60_000, "--treetop", "0");
    byte[] block = new byte[TestStore.BLOCK_BYTES];
    Arrays.fill(block, (byte) 9);
    store.crashAfterWriting(299, block);
    assertThat(clone(store).exitCode()).isZero();
    assertThat(copy(store).read(299 * TestStore.BLOCK_BYTES, block.length)).isEqualTo(block);
    assertThat(copy(store).read(0, 60_000)).isEqualTo(Arrays.copyOf(model, 60_000));
  }
}
