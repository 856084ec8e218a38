package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.SalvageReport;
import io.github.roram.StoreInfo;
import io.github.roram.UncleanShutdownException;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.parameters.RangeOramParameters;
import io.github.roram.state.Superblock;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.storage.ClientCopy;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.StoreLockedException;
import io.github.roram.store.UnitSink;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the front door makes can be opened again, with the right key alone, and owns its store. */
final class RoramTest {

  private static final int BLOCK_BYTES = 512;

  @TempDir Path directory;

  private Roram at;

  @BeforeEach
  void choosePlace() {
    at = Roram.at("file:" + directory.resolve("store"));
  }

  private static void settings(OramConfig.Builder settings) {
    settings.blocks(100).blockBytes(BLOCK_BYTES).maxRangeBlocks(8);
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  private void createWith(Key key) throws IOException {
    try (Oram oram = at.key(key).create(RoramTest::settings)) {
      oram.writeBytes(700, bytes(5000));
    }
  }

  private void assertOpensWith(Key key) throws IOException {
    try (Oram oram = at.key(key).open()) {
      assertThat(oram.size()).isEqualTo(100 * BLOCK_BYTES);
      assertThat(oram.readBytes(700, 5000)).isEqualTo(bytes(5000));
    }
  }

  @Test
  void eachKindOfKeyUnlocks() throws IOException {
    Path file = directory.resolve("key");
    createWith(Key.newFile(file));
    assertOpensWith(Key.file(file));
    at.delete();
    assertThat(at.exists()).isFalse();
    createWith(Key.variable("K", Map.of("K", "5a".repeat(32))));
    assertOpensWith(Key.variable("K", Map.of("K", "5a".repeat(32))));
    at.delete();
    char[] passphrase = "correct horse".toCharArray();
    createWith(Key.passphrase(passphrase));
    assertOpensWith(Key.passphrase(passphrase));
    SecretFile.create(
        directory.resolve("passphrase"), "correct horse\n".getBytes(StandardCharsets.UTF_8));
    assertOpensWith(Key.passphraseFile(directory.resolve("passphrase")));
    at.delete();
    try (MasterKey key = MasterKey.generate()) {
      createWith(Key.of(key));
      assertOpensWith(Key.of(key));
    }
  }

  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Of what unlocks it, as the command makes it; broken off after so many steps. */
  private void rekey(StoreOptions options, MasterKey secret, int steps) throws IOException {
    try (OpenedStore opened = Stores.open("file:" + directory.resolve("store"), options)) {
      WrappedKey wrapped = WrappedKey.of(opened.vault(), "store");
      try (WrappedKey.Keys held = wrapped.unwrap(secret);
          MasterKey next = held.next() == null ? MasterKey.generate() : held.next().duplicate()) {
        wrapped.replaceKeys(new WrappedKey.Keys(held.current(), next), secret).save(opened.vault());
        int[] left = {steps};
        Orams.rekey(
            opened.store(),
            opened.vault(),
            held.current(),
            next,
            bytes -> {
              if (--left[0] == 0) {
                throw new Killed();
              }
            });
        wrapped.replaceKeys(new WrappedKey.Keys(next, null), secret).save(opened.vault());
      }
    }
  }

  /** The store had buckets of two keys, and neither command went without the other. */
  @Test
  void aChangeOfKeysWhoseClientIsLostGoesOnFromTheCopy() throws IOException {
    try (MasterKey secret = MasterKey.generate()) {
      StoreOptions lost =
          StoreOptions.defaults()
              .withStateDirectory(directory.resolve("lost"))
              .with(ClientCopy.OPTION, "all");
      at = at.store(lost);
      try (Oram oram =
          at.key(Key.of(secret))
              .create(
                  settings -> {
                    settings(settings);
                    settings.treetopBytes(0).chunkPaths(1).windowBlocks(0);
                  })) {
        oram.writeBytes(700, bytes(5000));
      }
      assertThatThrownBy(() -> rekey(lost, secret, 1)).isInstanceOf(Killed.class);
      StoreOptions next = StoreOptions.defaults().withStateDirectory(directory.resolve("next"));
      at = at.store(next);
      at.key(Key.of(secret)).restoreClient();
      rekey(next, secret, 0);
      assertOpensWith(Key.of(secret));
    }
  }

  @Test
  void anotherKeyIsRefusedAndNothingStaysOpen() throws IOException {
    Path file = directory.resolve("key");
    createWith(Key.newFile(file));
    Path other = directory.resolve("other");
    KeyFile.generate(other).close();
    assertThatThrownBy(() -> at.key(Key.file(other)).open()).isInstanceOf(WrongKeyException.class);
    assertThatThrownBy(() -> at.key(Key.passphrase("x".toCharArray())).open())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("is locked with a key file")
        .hasMessageContaining("Key.file");
    assertThatThrownBy(() -> at.key(Key.file(directory.resolve("none"))).open())
        .hasMessageContaining("does not exist");
    assertThatThrownBy(at::open).hasMessageContaining("nothing was said that unlocks");
    assertOpensWith(Key.file(file));
  }

  /** As of a program that keeps a master key by itself. */
  @Test
  void storeWithoutWrappedKeyOpensWithItsMasterKey() throws IOException {
    OramConfig.Builder settings = OramConfig.builder();
    settings(settings);
    OramConfig config = settings.build();
    String uri = "file:" + directory.resolve("store");
    try (MasterKey key = MasterKey.generate();
        MasterKey other = MasterKey.generate()) {
      try (OpenedStore opened =
              Stores.create(uri, Orams.storeBytes(config), StoreOptions.defaults());
          Oram oram = Orams.create(opened.store(), opened.vault(), config, key)) {
        oram.writeBytes(700, bytes(5000));
      }
      assertOpensWith(Key.of(key));
      assertThatThrownBy(() -> at.key(Key.of(other)).open())
          .isInstanceOf(UncleanShutdownException.class)
          .hasMessageContaining("a master key of its own");
      assertThatThrownBy(() -> at.key(Key.passphrase("x".toCharArray())).open())
          .isInstanceOf(UncleanShutdownException.class);
      assertOpensWith(Key.of(key));
    }
  }

  @Test
  void closingEitherViewClosesTheStore() throws IOException {
    Path file = directory.resolve("key");
    createWith(Key.newFile(file));
    Roram door = at.key(Key.file(file));
    Oram oram = door.open();
    assertThatThrownBy(door::open).isInstanceOf(StoreLockedException.class);
    ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
    oram.async().read(2, 1, block).join();
    assertThat(Arrays.copyOf(block.array(), 10))
        .isEqualTo(oram.readBytes(2 * BLOCK_BYTES, 10))
        .isEqualTo(Arrays.copyOfRange(bytes(5000), 2 * BLOCK_BYTES - 700, 2 * BLOCK_BYTES - 690));
    assertThat(oram.async()).isSameAs(oram.async());
    oram.async().close();
    assertThatThrownBy(() -> oram.read(0, 1)).isInstanceOf(ClosedChannelException.class);
    oram.close();
    door.open().close();
  }

  @Test
  void createdOnceAndUndoneIfItFails() throws IOException {
    Path file = directory.resolve("key");
    assertThatThrownBy(() -> at.key(Key.newFile(file)).create(settings -> settings.blocks(0)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("blocks is 0");
    assertThatThrownBy(
            () ->
                at.key(Key.newFile(file))
                    .durability(Durability.SYNC)
                    .through(
                        store -> {
                          throw new IOException("no");
                        })
                    .create(RoramTest::settings))
        .hasMessage("no");
    assertThat(directory).isEmptyDirectory();
    createWith(Key.newFile(file));
    assertThatThrownBy(() -> at.key(Key.file(file)).create(RoramTest::settings))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(Files.exists(file)).isTrue();
    assertOpensWith(Key.file(file));
    assertThat(at.info().config().blocks()).isEqualTo(100);
  }

  /** Else the key file of a store that is there would go with what was not made. */
  @Test
  void aNewKeyGoesOnlyWithWhatItWasMadeFor() throws IOException {
    Path file = directory.resolve("key");
    Key key = Key.newFile(file);
    createWith(key);
    assertThatThrownBy(() -> at.key(key).create(RoramTest::settings))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("exists and is not overwritten");
    assertThatThrownBy(() -> at.key(key).relock(key)).isInstanceOf(ConfigurationException.class);
    assertOpensWith(Key.file(file));
  }

  /** Else nothing can be created with it, and it must be deleted by hand. */
  @Test
  void aKeyFileIsWrittenWhateverInterrupts() throws IOException {
    Path file = directory.resolve("key");
    Thread.currentThread().interrupt();
    try {
      KeyFile.generate(file).close();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(file).hasSize(65);
  }

  @Test
  void aCloneThatFailsLeavesNeitherStoreNorKey() throws IOException {
    Path file = directory.resolve("key of the copy");
    try (MasterKey key = MasterKey.generate()) {
      createWith(Key.of(key));
      Roram copy = Roram.at("file:" + directory.resolve("copy")).key(Key.newFile(file));
      assertThatThrownBy(
              () ->
                  clone(
                      key,
                      copy,
                      (block, blocks, more) -> {},
                      (loading, done, total) -> {
                        if (loading) {
                          throw new IOException("no");
                        }
                      }))
          .hasMessage("no");
      assertThat(copy.exists()).isFalse();
      assertThat(file).doesNotExist();
    }
  }

  /** What was not made durable is no copy, and would be in the way of the next attempt. */
  @Test
  void aCloneThatCannotBeClosedLeavesNoStore() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      createWith(Key.of(key));
      Roram unclosed =
          copy(key)
              .through(
                  store ->
                      new FilterBlockStore(store) {
                        @Override
                        public void close() throws IOException {
                          super.close();
                          throw new IOException("no");
                        }
                      });
      assertThatThrownBy(() -> clone(key, unclosed, (block, blocks, more) -> {}, (l, d, t) -> {}))
          .hasMessage("no");
      assertThat(unclosed.exists()).isFalse();
    }
  }

  /** Its process was killed before all was there: it opened, and read as zeros. */
  @Test
  void aCloneThatWasBrokenOffDoesNotOpen() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      createWith(Key.of(key));
      Path whole = directory.resolve("copy");
      Path killed = directory.resolve("killed");
      Roram.CloneProgress kill =
          (loading, done, total) -> {
            if (loading && !Files.exists(killed)) {
              copyFiles(whole, killed);
            }
          };
      clone(key, copy(key), (block, blocks, more) -> {}, kill);
      copy(key).open().close();
      Roram rest = Roram.at("file:" + killed).key(Key.of(key));
      assertThatThrownBy(rest::open)
          .isInstanceOf(UncleanShutdownException.class)
          .hasMessageContaining("delete it, and make the copy again");
      rest.delete();
      assertThat(killed).doesNotExist();
    }
  }

  private static void copyFiles(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  @Test
  void aStoreThatIsMadeWhereACloneIsToBeStays() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      createWith(Key.of(key));
      try (Oram oram = at.key(Key.of(key)).open()) {
        oram.writeBytes(0, bytes(10));
      }
      Roram copy = copy(key);
      Roram.FirstBlock meanwhile =
          (block, blocks, more) -> copy.create(RoramTest::settings).close();
      assertThatThrownBy(() -> clone(key, copy, meanwhile, (loading, done, total) -> {}))
          .isInstanceOf(FileAlreadyExistsException.class);
      copy.open().close();
    }
  }

  private void clone(
      MasterKey key, Roram copy, Roram.FirstBlock first, Roram.CloneProgress progress)
      throws IOException {
    at.key(Key.of(key)).cloneTo(copy, OptionalLong.empty(), first, directory, progress);
  }

  /** As a store that says nothing true before it must: it would have the copy show what it does. */
  @Test
  void aCloneIsOfTheConfigurationThatTheKeyChecked() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      createWith(Key.of(key));
      byte[] own = forgeSuperblock();
      Roram copy = copy(key);
      at.key(Key.of(key))
          .through(
              store -> {
                Superblock.write(store, own);
                return store;
              })
          .cloneTo(
              copy,
              OptionalLong.empty(),
              (block, blocks, copyBlocks) -> assertThat(blocks).isEqualTo(100),
              directory,
              (loading, done, total) -> {});
      assertThat(copy.info().config()).isEqualTo(at.info().config());
    }
  }

  @Test
  void whatIsSalvagedIsOfTheConfigurationThatTheKeyChecked() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      createWith(Key.of(key));
      byte[] own = forgeSuperblock();
      Roram copy = copy(key);
      Roram hostile =
          at.key(Key.of(key))
              .through(
                  store ->
                      new FilterBlockStore(store) {
                        @Override
                        public void read(ExtentBatch batch, UnitSink sink) throws IOException {
                          super.read(batch, sink);
                          Superblock.write(store, own);
                        }
                      });
      assertThatThrownBy(() -> hostile.salvageTo(copy, directory, (loading, done, total) -> {}))
          .isInstanceOf(WrongKeyException.class);
      assertThat(copy.exists()).isFalse();
      hostile.salvageTo(copy, directory, (loading, done, total) -> {});
      assertThat(copy.info().config()).isEqualTo(at.info().config());
    }
  }

  /** The keys are with the client, and nothing else of it is sound. */
  @ParameterizedTest
  @ValueSource(strings = {"file:DIR/a", "striped:file:DIR/a,file:DIR/b"})
  void whatWasEvictedIsSalvagedWithTheKeysAlone(String uri) throws IOException {
    Path state = directory.resolve("state");
    try (MasterKey key = MasterKey.generate()) {
      Roram own =
          Roram.at(uri.replace("DIR", directory.toString())).stateDirectory(state).key(Key.of(key));
      try (Oram oram =
          own.create(b -> b.blocks(100).blockBytes(BLOCK_BYTES).trees(0).treetopBytes(0))) {
        for (int i = 0; i < 400; i++) {
          oram.write(i % 100, ByteBuffer.allocate(BLOCK_BYTES));
        }
      }
      Files.write(state.resolve("vault").resolve("state.record"), new byte[100]);
      assertThatThrownBy(own::open).isInstanceOf(IntegrityException.class);
      assertThat(own.lostInfo().config().blocks()).isEqualTo(100);
      SalvageReport report =
          own.salvageTo(copy(key), directory.resolve("scratch"), (loading, done, total) -> {});
      assertThat(report.foundBlocks()).isGreaterThan(50);
    }
  }

  /** What holds for one opening is not for the copy. */
  @Test
  void aCloneHasWhatItsSourceWasCreatedWith() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      createWith(Key.of(key));
      Roram copy = copy(key);
      at.key(Key.of(key))
          .options(OpenOptions.defaults().withParameter("stashLimitBlocks", 4000))
          .cloneTo(
              copy,
              OptionalLong.empty(),
              (block, blocks, copyBlocks) -> {},
              directory,
              (loading, done, total) -> {});
      assertThat(copy.info().config()).isEqualTo(at.info().config());
    }
  }

  private Roram copy(MasterKey key) {
    return Roram.at("file:" + directory.resolve("copy")).key(Key.of(key));
  }

  /** Of another key, for a store that tells reads from writes; the one that was there. */
  private byte[] forgeSuperblock() throws IOException {
    StoreInfo info = at.info();
    OramConfig shown = info.config().toBuilder().revealOperationType(true).build();
    try (OpenedStore opened =
            Stores.open("file:" + directory.resolve("store"), StoreOptions.defaults());
        MasterKey other = MasterKey.generate()) {
      byte[] own = Superblock.read(opened.store());
      byte[] layout = SuperblockDescriptor.layout(own);
      Superblock.write(
          opened.store(), SuperblockDescriptor.encode(info.with(shown), layout, other));
      return own;
    }
  }

  @Test
  void whatFailsInMemoryIsTheFailureThatIsThrown() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      assertThatThrownBy(
              () ->
                  Roram.at("mem:")
                      .key(Key.of(key))
                      .through(
                          store -> {
                            throw new IOException("no");
                          })
                      .create(RoramTest::settings))
          .isInstanceOf(IOException.class)
          .hasMessage("no");
    }
  }

  /** On a hard disk the trees whose ranges spare seeks, elsewhere the one that moves least. */
  @Test
  void treesSuitTheDeviceUnlessTheyAreNamed() {
    for (DeviceModel device : DeviceModel.ALL) {
      TreeChoice choice = at.device(device).choose(settings -> settings.blocks(1 << 18));
      int[] expected = device.equals(DeviceModel.HDD) ? new int[] {0, 5} : new int[] {0};
      assertThat(trees(choice.config())).as(device.id()).isEqualTo(expected);
      assertThat(choice.reason())
          .contains(device.equals(DeviceModel.HDD) ? "Trees 0,5," : "Trees 0,")
          .contains(device.description());
      TreeChoice named = at.device(device).choose(settings -> settings.blocks(1 << 18).trees(0, 3));
      assertThat(trees(named.config())).containsExactly(0, 3);
      assertThat(named.reason()).isEmpty();
      assertThat(at.device(device).choose(s -> s.blocks(64).scheme("path")).other()).isNull();
    }
    assertThat(trees(Roram.at("mem:").choose(s -> s.blocks(1 << 18)).config())).containsExactly(0);
    assertThat(
            trees(
                at.device(DeviceModel.SSD)
                    .choose(s -> s.blocks(1 << 10).set("preset", "paper"))
                    .config()))
        .hasSize(9);
  }

  /** A budget that is enough for one tree and not for two. */
  @Test
  void oneTreeIsChosenWhereTwoDoNotFit() {
    long bytes = 1 << 16;
    while (!fits(bytes, 0)) {
      bytes += 1 << 14;
    }
    assertThat(fits(bytes, 0, 5)).isFalse();
    long enough = bytes;
    TreeChoice choice =
        at.device(DeviceModel.HDD)
            .choose(settings -> settings.blocks(1 << 14).clientMemory(enough));
    assertThat(trees(choice.config())).containsExactly(0);
    assertThatThrownBy(() -> at.choose(settings -> settings.blocks(1 << 14).clientMemory(100)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("client memory is given as 100 bytes");
  }

  private static boolean fits(long bytes, int... trees) {
    try {
      OramConfig.builder(1 << 14).trees(trees).clientMemory(bytes).build();
      return true;
    } catch (ConfigurationException e) {
      return false;
    }
  }

  private static int[] trees(OramConfig config) {
    return ((RangeOramParameters) config.parameters()).trees();
  }

  @Test
  void anotherKeyCanBeMadeToUnlock() throws IOException {
    Path file = directory.resolve("key");
    createWith(Key.newFile(file));
    Path other = directory.resolve("other");
    assertThatThrownBy(() -> at.key(Key.passphrase("x".toCharArray())).relock(Key.newFile(other)))
        .isInstanceOf(ConfigurationException.class);
    assertThat(other).doesNotExist();
    at.key(Key.file(file)).relock(Key.newFile(other));
    assertOpensWith(Key.file(other));
    assertThatThrownBy(() -> at.key(Key.file(file)).open()).isInstanceOf(WrongKeyException.class);
  }

  @Test
  void bytesAndStreams() throws IOException {
    try (MasterKey key = MasterKey.generate();
        Oram oram = Roram.at("mem:").key(Key.of(key)).create(RoramTest::settings)) {
      try (OutputStream out = oram.outputStream(300)) {
        out.write(bytes(9000));
        out.write(7);
      }
      try (InputStream in = oram.inputStream(300)) {
        assertThat(in.readNBytes(9000)).isEqualTo(bytes(9000));
        assertThat(in.read()).isEqualTo(7);
        assertThat(in.readAllBytes()).hasSize((int) oram.size() - 9301).containsOnly(0);
      }
      assertThat(oram.readBytes(oram.size(), 0)).isEmpty();
      assertThatThrownBy(() -> oram.readBytes(oram.size() - 1, 2))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> oram.writeBytes(oram.size() - 1, new byte[2]))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(
              () -> {
                try (OutputStream out = oram.outputStream(oram.size() - 1)) {
                  out.write(new byte[2]);
                }
              })
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
