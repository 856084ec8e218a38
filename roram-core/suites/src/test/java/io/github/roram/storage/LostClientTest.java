package io.github.roram.storage;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Durability;
import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats.TreeStats;
import io.github.roram.SalvageReport;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.RollbackGuard;
import io.github.roram.suites.CountingGuard;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.DiskVault;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The client's machine and all that is on it goes, at a random change of what it or the store has;
 * from the key, the store and the copy that it keeps comes back all that was acknowledged, and of
 * what was under way all or nothing of each block.
 *
 * <p>Group {@code gate} takes {@code -Droram.lost=N} moments of each case, 5 by default.
 */
final class LostClientTest {

  private static final int COPY_BYTES = 12 << 20;
  private static final int BLOCK_BYTES = 512;
  private static final int BLOCKS = 60;
  private static final int MOMENTS = Integer.getInteger("roram.lost", 5);

  /** Changes of a run, about; a moment is one of them. */
  private static final int CHANGES = 900;

  static Stream<Arguments> cases() {
    return Stream.of(
            config("roram").trees(0, 3).chunkPaths(3).build(),
            config("roram").positionMap("recursive").set("blocksPerMapBlock", 4).build(),
            config("path-batched").chunkPaths(2).build(),
            config("tao").chunkPaths(2).build(),
            OramConfig.builder(BLOCKS)
                .scheme("ring")
                .blockBytes(BLOCK_BYTES)
                .maxRangeBlocks(8)
                .build(),
            OramConfig.builder(BLOCKS)
                .scheme("detwo")
                .blockBytes(BLOCK_BYTES)
                .maxRangeBlocks(8)
                .build())
        .flatMap(
            config ->
                Stream.of(
                    Arguments.of(config, Durability.SYNC, Loss.ANY),
                    Arguments.of(config, Durability.FLUSH, Loss.NONE),
                    Arguments.of(config, Durability.OS, Loss.NONE)));
  }

  private static OramConfig.Builder config(String scheme) {
    return OramConfig.builder(BLOCKS)
        .scheme(scheme)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(8)
        .treetopBytes(0);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void nothingThatWasAcknowledgedIsLost(OramConfig config, Durability durability, Loss loss)
      throws IOException {
    lose(config, durability, loss, 0);
  }

  @Tag("gate")
  @ParameterizedTest
  @MethodSource("cases")
  void atManyMoments(OramConfig config, Durability durability, Loss loss) throws IOException {
    for (int seed = 100; seed < 100 + MOMENTS; seed++) {
      lose(config, durability, loss, seed);
    }
  }

  /**
   * The store's watermark is newer than a copy that was put back alone; a guard knows even that.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anOlderCopyIsRefusedAsFarAsAnythingKnows(boolean storeToo) throws IOException {
    RollbackGuard guard = storeToo ? new CountingGuard() : RollbackGuard.NONE;
    try (MasterKey key = MasterKey.generate()) {
      Life life = new Life(config("roram").build(), Durability.SYNC, key, new Random(1), guard);
      life.use(30);
      Predicate<String> files = name -> storeToo || name.startsWith("copy");
      Map<String, byte[]> older = life.disk.image(files);
      life.use(30);
      life.disk.putBack(older, files);
      ClientVault fresh = ClientVault.inMemory();
      Orams.restoreVault(life.copy(), fresh);
      assertThatThrownBy(() -> Orams.open(life.store(), fresh, key, life.options))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining(storeToo ? "rolled back" : "older than store");
      if (storeToo) {
        // Nothing but the guard can know: the store is whole, and as it was.
        OpenOptions without = life.options.withRollbackGuard(new CountingGuard(1));
        Orams.open(life.store(), fresh, key, without).close();
      }
    }
  }

  static Stream<Arguments> salvaged() {
    return Stream.of(
            config("roram").trees(0, 3).chunkPaths(3).build(),
            config("roram").trees(0).chunkPaths(2).windowBlocks(0).build(),
            config("roram").trees(0, 2).set("writeShare", "0.5").build(),
            config("roram").positionMap("recursive").set("blocksPerMapBlock", 4).build(),
            config("roram").positionMap("recursive").set("blocksPerMapBlock", 4).build(),
            config("path-batched").chunkPaths(2).build())
        .flatMap(
            config ->
                Stream.of(
                    Arguments.of(config, Durability.SYNC, Loss.ANY),
                    Arguments.of(config, Durability.OS, Loss.NONE)));
  }

  @ParameterizedTest
  @MethodSource("salvaged")
  void whatWasEvictedIsSalvaged(OramConfig config, Durability durability, Loss loss)
      throws IOException {
    salvage(config, durability, loss, 0);
  }

  @Tag("gate")
  @ParameterizedTest
  @MethodSource("salvaged")
  void atManyMomentsWhatWasEvictedIsSalvaged(OramConfig config, Durability durability, Loss loss)
      throws IOException {
    for (int seed = 100; seed < 100 + MOMENTS; seed++) {
      salvage(config, durability, loss, seed);
    }
  }

  private static void salvage(OramConfig config, Durability durability, Loss loss, int seed)
      throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      Life life = new Life(config, durability, key, new Random(seed));
      life.copied = ClientCopy.KEYS;
      for (int round = 0; round < 2; round++) {
        life.run(loss);
        life.checkSalvage();
      }
    }
  }

  /** Less is kept from now on: what is not is gone from the copy, and comes back when asked for. */
  @Test
  void whatIsNotKeptAnyMoreIsEmptied() throws IOException {
    ClientVault own = ClientVault.inMemory();
    ClientVault copy = ClientVault.inMemory();
    for (String name : List.of("state", "epoch", "key")) {
      own.save(name, out -> out.write(name.getBytes(US_ASCII)));
    }
    own.openLog("journal-1").close();
    for (Map.Entry<String, List<String>> kept :
        List.of(
            Map.entry("all", List.of("copy", "epoch", "key", "state")),
            Map.entry("keys", List.of("copy", "epoch", "key")),
            Map.entry("none", List.of("copy")),
            Map.entry("all", List.of("copy", "epoch", "key", "state")))) {
      CopiedVault.keeping(
          own, StoreOptions.defaults().with(ClientCopy.OPTION, kept.getKey()), create -> copy);
      List<String> full = new ArrayList<>();
      for (String name : copy.names()) {
        try (InputStream in = copy.load(name).orElseThrow()) {
          if (in.read() >= 0) {
            full.add(name);
          }
        }
      }
      assertThat(full).containsExactlyInAnyOrderElementsOf(kept.getValue());
      assertThat(copy.logs()).hasSize(kept.getKey().equals("all") ? 1 : 0);
    }
  }

  @Test
  void bucketsThatAreNotThereAreCounted() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      Life life =
          new Life(config("roram").chunkPaths(2).build(), Durability.SYNC, key, new Random(2));
      life.copied = ClientCopy.KEYS;
      life.use(300);
      assertThat(life.salvage(new TreeMap<>()).missingBuckets()).isZero();
      Predicate<String> store = name -> name.equals("store");
      Map<String, byte[]> image = life.disk.image(store);
      byte[] bytes = Objects.requireNonNull(image.get("store"));
      // Most of the end is of the level of the leaves of the last tree.
      Arrays.fill(bytes, bytes.length / 2, bytes.length, (byte) 1);
      life.disk.putBack(image, store);
      Map<Long, byte[]> found = new TreeMap<>();
      assertThat(life.salvage(found).missingBuckets()).isPositive();
      assertThat(found).isNotEmpty();
    }
  }

  private static void lose(OramConfig config, Durability durability, Loss loss, int seed)
      throws IOException {
    Random random = new Random(seed);
    try (MasterKey key = MasterKey.generate()) {
      Life life = new Life(config, durability, key, random);
      life.run(loss);
      life.comeBack();
      life.run(loss);
      life.comeBack();
    }
  }

  /** A store, its copy and its client on one disk, so that any change of either can be the last. */
  private static final class Life {
    private final OramConfig config;
    private final OpenOptions options;
    private final MasterKey key;
    private final Random random;
    private final byte[] model;

    /** What the access under way was about to make of it. */
    private byte[] next;

    private SimulatedDisk disk = new SimulatedDisk();
    private boolean created;
    private ClientCopy copied = ClientCopy.ALL;

    /** All that each block ever held, or was about to. */
    private final Map<Long, Set<ByteBuffer>> history = new HashMap<>();

    Life(OramConfig config, Durability durability, MasterKey key, Random random) {
      this(config, durability, key, random, RollbackGuard.NONE);
    }

    Life(
        OramConfig config,
        Durability durability,
        MasterKey key,
        Random random,
        RollbackGuard guard) {
      this.config = config;
      this.key = key;
      this.random = random;
      options =
          OpenOptions.defaults()
              .withDurability(durability)
              .withRollbackGuard(guard)
              .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES);
      model = new byte[BLOCKS * BLOCK_BYTES];
      next = model.clone();
    }

    private BlockStore store() throws IOException {
      return new DiskStore(disk, Orams.storeBytes(config));
    }

    private ClientVault copy() throws IOException {
      return BlocksVault.in(new DiskStore(disk, "copy", COPY_BYTES));
    }

    private ClientVault vault() throws IOException {
      StoreOptions keeping = StoreOptions.defaults().with(ClientCopy.OPTION, copied.word());
      StoreOptions asked = created ? StoreOptions.defaults() : keeping;
      return CopiedVault.keeping(new DiskVault(disk), asked, create -> copy());
    }

    private void createOnce() throws IOException {
      if (!created) {
        Orams.create(store(), vault(), config, key, options).close();
        created = true;
      }
    }

    /** Uses it for some accesses, and closes it. */
    void use(int accesses) throws IOException {
      createOnce();
      try (Oram oram = Orams.open(store(), vault(), key, options)) {
        for (int i = 0; i < accesses; i++) {
          write(oram);
        }
      }
    }

    /** Uses the store until its machine is gone. */
    void run(Loss loss) throws IOException {
      createOnce();
      disk.crashAt(disk.changes() + 1 + random.nextInt(CHANGES), loss, random.nextLong());
      try {
        Oram oram = Orams.open(store(), vault(), key, options);
        while (!disk.crashed()) {
          write(oram);
          if (random.nextInt(40) == 0) {
            oram.close();
            oram = Orams.open(store(), vault(), key, options);
          }
        }
      } catch (IOException e) {
        assertThat(disk.crashed()).as("%s", e).isTrue();
      }
    }

    private void write(Oram oram) throws IOException {
      int count = 1 + random.nextInt(8);
      int block = random.nextInt(BLOCKS - count + 1);
      if (random.nextInt(3) == 0) {
        assertThat(oram.readBytes((long) block * BLOCK_BYTES, count * BLOCK_BYTES))
            .isEqualTo(
                Arrays.copyOfRange(model, block * BLOCK_BYTES, (block + count) * BLOCK_BYTES));
        return;
      }
      byte[] data = new byte[count * BLOCK_BYTES];
      random.nextBytes(data);
      System.arraycopy(data, 0, next, block * BLOCK_BYTES, data.length);
      for (long each = block; each < block + count; each++) {
        versions(each).add(ByteBuffer.wrap(block(next, (int) each)));
      }
      oram.write(block, ByteBuffer.wrap(data));
      System.arraycopy(data, 0, model, block * BLOCK_BYTES, data.length);
    }

    private Set<ByteBuffer> versions(long block) {
      return history.computeIfAbsent(
          block, any -> new HashSet<>(Set.of(ByteBuffer.allocate(BLOCK_BYTES))));
    }

    SalvageReport salvage(Map<Long, byte[]> found) throws IOException {
      ClientVault keys = copy();
      assertThat(keys.names()).containsExactlyInAnyOrder("copy", "epoch");
      assertThat(keys.logs()).isEmpty();
      return Orams.salvage(
          store(),
          keys,
          key,
          options,
          (block, data) -> {
            byte[] content = new byte[data.remaining()];
            data.get(content);
            assertThat(found.put(block, content)).as("block %s, twice", block).isNull();
          });
    }

    /**
     * What is salvaged was there once; and it is the newest, of what was acknowledged or was under
     * way, but of blocks that the client held in all trees, which its own records tell, or that are
     * uncertain.
     */
    void checkSalvage() throws IOException {
      disk = disk.restarted();
      Map<Long, byte[]> found = new TreeMap<>();
      SalvageReport report = salvage(found);
      assertThat(report.missingBuckets()).as("%s", config).isZero();
      assertThat(report.foundBlocks()).isEqualTo(found.size());
      found.forEach((block, data) -> assertThat(versions(block)).contains(ByteBuffer.wrap(data)));
      try (Oram oram = Orams.open(store(), vault(), key, options)) {
        long held =
            oram.stats().trees().stream()
                .filter(tree -> !tree.isMap())
                .mapToLong(TreeStats::heldBlocks)
                .min()
                .orElseThrow();
        byte[] truth = oram.readBytes(0, model.length);
        long older = 0;
        for (int block = 0; block < BLOCKS; block++) {
          byte[] is = found.getOrDefault((long) block, new byte[BLOCK_BYTES]);
          boolean newest =
              Arrays.equals(is, block(truth, block)) || Arrays.equals(is, block(next, block));
          older += newest ? 0 : 1;
        }
        assertThat(older)
            .as("%s: %s, held %s", config, report, held)
            .isLessThanOrEqualTo(held + report.uncertainBlocks());
        System.arraycopy(truth, 0, model, 0, truth.length);
        next = model.clone();
      }
    }

    /** A new machine: nothing is left of the old one's vault. */
    void comeBack() throws IOException {
      disk = disk.restarted();
      disk.putBack(Map.of(), name -> name.startsWith("record ") || name.startsWith("log "));
      ClientVault fresh = new DiskVault(disk);
      assertThat(ClientCopy.in(copy())).isEqualTo(ClientCopy.ALL);
      Orams.restoreVault(copy(), fresh);
      try (Oram oram = Orams.open(store(), vault(), key, options)) {
        byte[] found = oram.readBytes(0, model.length);
        for (int block = 0; block < BLOCKS; block++) {
          byte[] is = block(found, block);
          assertThat(
                  Arrays.equals(is, block(model, block)) || Arrays.equals(is, block(next, block)))
              .as("block %s of %s", block, config)
              .isTrue();
        }
        System.arraycopy(found, 0, model, 0, model.length);
        next = model.clone();
        assertThat(oram.verify((done, total) -> {}).clean()).isTrue();
      }
    }

    private static byte[] block(byte[] all, int block) {
      return Arrays.copyOfRange(all, block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES);
    }
  }
}
