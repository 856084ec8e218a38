package io.github.roram.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.WrongKeyException;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.object.MemoryObjects;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import io.github.roram.object.ObjectVault;
import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketTrees;
import io.github.roram.store.ExtentBatch;
import io.github.roram.testkit.FaultyObjects;
import io.github.roram.threads.IoTask;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores of any kind whose client's records are in an engine. */
final class VaultPlaceTest {

  @TempDir Path directory;

  private StoreOptions options(String state) {
    return StoreOptions.defaults()
        .withStateDirectory(directory.resolve(state))
        .with(StoreOptions.VAULT, "objects:" + directory.resolve("vault"));
  }

  /** Of clients that do not say meanwhile that they are there, which changes the vault. */
  private StoreOptions still(String state) {
    return options(state).with(StoreOptions.VAULT_SECONDS, Duration.ofDays(1));
  }

  /** Stripes have no vault of their own to take: that is of the whole. */
  @Test
  void aStripedStoreHasOne() throws IOException {
    byte[] bytes = {1, 2, 3};
    String uri = "striped:file:" + directory.resolve("one") + ",file:" + directory.resolve("two");
    try (MasterKey key = MasterKey.generate()) {
      Roram roram = Roram.at(uri).store(options("state")).key(Key.of(key));
      try (Oram oram = roram.create(b -> b.blocks(200).blockBytes(512).maxRangeBlocks(4))) {
        oram.update(1000, ByteBuffer.wrap(bytes));
      }
      try (OpenedStore looked = Stores.look(uri, options("state"))) {
        assertThat(looked.vault().names()).isNotEmpty();
      }
      try (Oram oram = roram.store(options("state").with(StoreOptions.STAND_BY, true)).open()) {
        assertThat(oram.readBytes(1000, 3)).isEqualTo(bytes);
      }
      roram.delete();
      assertThat(roram.exists()).isFalse();
      assertThat(Engines.open("objects:" + directory.resolve("vault"), StoreOptions.defaults()))
          .satisfies(objects -> assertThat(objects.list("", "")).isEmpty());
    }
  }

  /** Objects whose requests a test has fail. */
  public static final class Faulty implements ObjectsProvider {
    private static final MemoryObjects MEMORY = new MemoryObjects();
    private static Predicate<String> failing = name -> false;

    @Override
    public String scheme() {
      return "faulty";
    }

    @Override
    public String form() {
      return "faulty:";
    }

    @Override
    public String about() {
      return "a test's objects";
    }

    @Override
    public List<StoreOption<?>> options() {
      return List.of();
    }

    @Override
    public ObjectTraits traits(String location, StoreOptions options) {
      return MEMORY.traits();
    }

    @Override
    public ObjectSpace open(String location, StoreOptions options) {
      FaultyObjects faulty = new FaultyObjects(MEMORY.another());
      faulty.arm(FaultyObjects.Fault.LOST_ANSWER, name -> failing.test(name), 1);
      return faulty;
    }
  }

  private void withFaulty(IoTask test) throws IOException {
    Path services = Files.createDirectories(directory.resolve("META-INF").resolve("services"));
    Files.writeString(services.resolve(ObjectsProvider.class.getName()), Faulty.class.getName());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    URL[] place = {directory.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(place, before)) {
      thread.setContextClassLoader(loader);
      test.run();
    } finally {
      thread.setContextClassLoader(before);
      Faulty.failing = name -> false;
      Faulty.MEMORY.deleteAll("");
    }
  }

  @Test
  void ofACreationThatFailsNothingIsLeft() throws IOException {
    StoreOptions options = options("state").with(StoreOptions.VAULT, "faulty:");
    String uri = "file:" + directory.resolve("store");
    withFaulty(
        () -> {
          int[] creations = new int[1];
          Faulty.failing = name -> name.startsWith("log/") && ++creations[0] == 2;
          assertThatThrownBy(() -> Stores.create(uri, 100_000, options))
              .hasStackTraceContaining("injected");
          assertThat(Stores.exists(uri, options)).isFalse();
          assertThat(Faulty.MEMORY.list("", "")).isEmpty();
        });
  }

  /** Else the file of the key goes that unlocks the store from now on. */
  @Test
  void aNewKeyStaysIfTheAnswerOfItsSaveIsLost() throws IOException {
    StoreOptions options = options("state").with(StoreOptions.VAULT, "faulty:");
    Path file = directory.resolve("key");
    withFaulty(
        () -> {
          try (MasterKey key = MasterKey.generate()) {
            Roram roram = Roram.at("file:" + directory.resolve("store")).store(options);
            roram.key(Key.of(key)).create(b -> b.blocks(200).blockBytes(512)).close();
            Faulty.failing = name -> Files.exists(file);
            assertThatThrownBy(() -> roram.key(Key.of(key)).relock(Key.newFile(file)))
                .hasStackTraceContaining("injected");
            Faulty.failing = name -> false;
            StoreOptions again = options.with(StoreOptions.TAKE_OVER, true);
            roram.store(again).key(Key.file(file)).open().close();
          }
        });
  }

  /** The vault is left, and says so; that of a store which is there is not deleted by mistake. */
  @ParameterizedTest
  @ValueSource(strings = {"file:", "objects:"})
  void aDeletionThatWasCutIsRepeated(String kind) throws IOException {
    String uri = kind + directory.resolve("store");
    StoreOptions own = StoreOptions.defaults().withStateDirectory(directory.resolve("state"));
    Stores.create(uri, 100_000, options("state")).close();
    assertThatThrownBy(() -> Stores.delete(uri + "s", options("other")))
        .isInstanceOf(NoSuchFileException.class);
    Stores.open(uri, options("state")).close();
    try (ObjectVault vault = VaultPlace.of(options("state")).orElseThrow().take()) {
      new StoreDeletion(uri, () -> true, () -> Stores.delete(uri, own)).run(vault);
    }
    Stores.delete(uri, options("state"));
    assertThatThrownBy(() -> Stores.delete(uri, options("state")))
        .isInstanceOf(NoSuchFileException.class);
    Stores.create(uri, 100_000, options("state")).close();
  }

  /** What is missing is not the store. */
  @Test
  void whoNamesNoStateDirectoryDeletesNoVault() throws IOException {
    String uri = "file:" + directory.resolve("store");
    Stores.create(uri, 100_000, options("state")).close();
    StoreOptions without =
        StoreOptions.defaults().with(StoreOptions.VAULT, "objects:" + directory.resolve("vault"));
    assertThatThrownBy(() -> Stores.delete(uri, without))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("--state-dir");
    Stores.open(uri, options("state")).close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"file:", "objects:"})
  void anotherMachineGoesOnWithTheStore(String kind) throws IOException {
    byte[] bytes = {1, 2, 3};
    try (MasterKey key = MasterKey.generate()) {
      Roram first =
          Roram.at(kind + directory.resolve("store")).store(options("state")).key(Key.of(key));
      try (Oram oram = first.create(b -> b.blocks(200).blockBytes(512).maxRangeBlocks(4))) {
        oram.update(1000, ByteBuffer.wrap(bytes));
      }
      // The directory of records of a store in files is part of it, though it is empty.
      String state = kind.equals("file:") ? "state" : "state of another machine";
      Roram second = first.store(options(state).with(StoreOptions.TAKE_OVER, true));
      try (Oram oram = second.open()) {
        assertThat(oram.readBytes(1000, 3)).isEqualTo(bytes);
      }
      assertThatThrownBy(() -> first.store(options("other")).create(b -> b.blocks(200)))
          .isInstanceOf(FileAlreadyExistsException.class);
      second.delete();
      assertThat(Engines.open("objects:" + directory.resolve("vault"), StoreOptions.defaults()))
          .satisfies(objects -> assertThat(objects.list("", "")).isEmpty());
    }
  }

  /** Before it waits, so while another client has the store; nothing of that is changed. */
  @Test
  @Timeout(60)
  void aStandByIsToldOfAWrongKey() throws Exception {
    try (MasterKey key = MasterKey.generate();
        MasterKey other = MasterKey.generate()) {
      Roram first =
          Roram.at("objects:" + directory.resolve("store")).store(still("state")).key(Key.of(key));
      try (Oram oram = first.create(b -> b.blocks(200).blockBytes(512).maxRangeBlocks(4))) {
        oram.update(1000, ByteBuffer.wrap(new byte[] {1, 2, 3}));
        oram.flush();
        awaitDeletion();
        Map<Path, String> before = files();
        Roram standBy = first.store(still("state 2").with(StoreOptions.STAND_BY, true));
        assertThatThrownBy(() -> standBy.key(Key.of(other)).open())
            .isInstanceOf(WrongKeyException.class);
        assertThat(files()).isEqualTo(before);
      }
    }
  }

  /**
   * Were anything deleted that the looker does not know of, the client that has it would lose it.
   */
  @Test
  void whatIsLookedAtCannotBeChanged() throws Exception {
    try (MasterKey key = MasterKey.generate()) {
      String uri = "objects:" + directory.resolve("store");
      Roram first = Roram.at(uri).store(still("state")).key(Key.of(key));
      try (Oram oram = first.create(b -> b.blocks(200).blockBytes(512).maxRangeBlocks(4))) {
        for (int block = 0; block < 200; block += 4) {
          oram.write(block, ByteBuffer.allocate(4 * 512));
        }
        oram.flush();
        awaitDeletion();
        Map<Path, String> before = files();
        try (OpenedStore looked = Stores.look(uri, options("state 2"))) {
          BlockStore store = looked.store();
          BucketTrees trees = new BucketTrees(List.of(new BucketTrees.Tree(0, 8, 4, 1000)));
          store
              .buckets(trees)
              .orElseThrow()
              .discardOrphans(1000, (tree, level, unit, count, epoch) -> false);
          assertThatThrownBy(() -> store.write(new ExtentBatch(), (unit, bytes) -> {}))
              .hasMessageContaining("looked at only");
          assertThatThrownBy(() -> store.extend(1L << 40)).hasMessageContaining("looked at only");
          assertThatThrownBy(() -> store.keepWatermark(new byte[40], true))
              .hasMessageContaining("looked at only");
          assertThatThrownBy(() -> looked.vault().save("state", out -> {}))
              .hasMessageContaining("looked at only");
        }
        assertThat(files()).isEqualTo(before);
      }
    }
  }

  /** A client deletes by the way the first slot of its vault, and nothing else in such a test. */
  private void awaitDeletion() throws InterruptedException {
    Path first = directory.resolve("vault").resolve("log").resolve("0".repeat(16));
    for (int wait = 0; wait < 6_000 && Files.exists(first); wait++) {
      Thread.sleep(10);
    }
    assertThat(first).doesNotExist();
  }

  /** All files of the store and its vault, and what they hold. */
  private Map<Path, String> files() throws IOException {
    Map<Path, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      List<Path> there = all.filter(Files::isRegularFile).toList();
      for (Path file : there.stream().filter(one -> !one.endsWith("lock")).toList()) {
        files.put(file, HexFormat.of().formatHex(Files.readAllBytes(file)));
      }
    }
    return files;
  }

  /** The copy would be of the vault on this machine, which is empty. */
  @Test
  void aCopyWithTheStoreIsRefused() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      Roram store =
          Roram.at("file:" + directory.resolve("store")).store(options("state")).key(Key.of(key));
      Roram copied = store.store(options("state").with(ClientCopy.OPTION, "all"));
      assertThatThrownBy(() -> copied.create(b -> b.blocks(200)))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("client-copy")
          .hasMessageContaining("leave it out");
      assertThat(directory).isEmptyDirectory();
      store.create(b -> b.blocks(200).blockBytes(512).maxRangeBlocks(4)).close();
      assertThatThrownBy(copied::open).isInstanceOf(ConfigurationException.class);
      store.store(options("state").with(ClientCopy.OPTION, "none")).open().close();
    }
  }

  /** Two at once: the one that took over goes on, the other ends. */
  @Test
  void whoWasReplacedEnds() throws IOException {
    byte[] bytes = {1, 2, 3};
    try (MasterKey key = MasterKey.generate()) {
      Roram first =
          Roram.at("objects:" + directory.resolve("store"))
              .store(options("state"))
              .key(Key.of(key));
      Oram old = first.create(b -> b.blocks(200).blockBytes(512).maxRangeBlocks(4));
      old.update(1000, ByteBuffer.wrap(bytes));
      Roram second = first.store(options("state 2").with(StoreOptions.TAKE_OVER, true));
      try (Oram oram = second.open()) {
        assertThat(oram.readBytes(1000, 3)).isEqualTo(bytes);
        assertThatThrownBy(() -> old.readBytes(1000, 3))
            .hasStackTraceContaining("taken over by another client");
        assertThatThrownBy(old::close).hasStackTraceContaining("taken over");
        oram.update(1000, ByteBuffer.wrap(bytes));
      }
    }
  }
}
