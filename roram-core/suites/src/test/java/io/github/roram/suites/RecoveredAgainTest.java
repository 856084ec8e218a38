package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.crypto.MasterKey;
import io.github.roram.object.MemoryObjects;
import io.github.roram.object.ObjectVault;
import io.github.roram.object.ObjectVault.Tenancy;
import io.github.roram.open.Orams;
import io.github.roram.storage.Rings;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.testkit.FaultyStore;
import io.github.roram.testkit.TestOrams;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clients die one after another, whose records are in an engine, so that each goes on with the
 * journal of the one before and makes no checkpoint first. What each recovers is what the one
 * before had, whatever that made of what it recovered itself, and whether the store failed
 * meanwhile.
 */
final class RecoveredAgainTest {

  private static final int BLOCKS = 24;
  private static final int BLOCK_BYTES = 512;

  private final MemoryObjects engine = new MemoryObjects();
  private final byte[] model = new byte[BLOCKS];

  /** Threads of a client that dies before its checkpoint begins. */
  private static final class NoCheckpoints extends OwnedThreads {
    @Override
    public Executor serial(String name) {
      return name.equals("roram-checkpoint") ? task -> {} : super.serial(name);
    }
  }

  static Stream<Arguments> cases() {
    return Stream.of("roram", "roram-recursive", "path-batched", "tao", "detwo", "ring")
        .flatMap(
            scheme ->
                Stream.of(Durability.SYNC, Durability.FLUSH)
                    .map(durability -> Arguments.of(scheme, durability)));
  }

  private static OramConfig config(String scheme) {
    if (scheme.equals("ring")) {
      return Rings.small(BLOCKS, BLOCK_BYTES, 4);
    }
    OramConfig.Builder builder = OramConfig.builder(BLOCKS).blockBytes(BLOCK_BYTES);
    return scheme.equals("roram-recursive")
        ? builder
            .positionMap("recursive")
            .set("blocksPerMapBlock", 4)
            .set("clientLabels", 4)
            .build()
        : builder.scheme(scheme).build();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void nothingIsLost(String scheme, Durability durability) throws IOException {
    live(scheme, durability, 40);
  }

  /** The journal becomes longer than one is without clients that die. */
  @Tag("gate")
  @ParameterizedTest
  @MethodSource("cases")
  void nothingIsLostInManyLives(String scheme, Durability durability) throws IOException {
    live(scheme, durability, 80);
  }

  private void live(String scheme, Durability durability, int lives) throws IOException {
    OramConfig config = config(scheme);
    OpenOptions options =
        OpenOptions.defaults()
            .withDurability(durability)
            .withThreads(1)
            .withTrims(config.has(Scheme.Trait.TRIMS));
    FaultyStore store = new FaultyStore(new MemoryStore(Orams.storeBytes(config)));
    Random random = new Random(7);
    ObjectVault.create(engine);
    try (MasterKey key = MasterKey.generate()) {
      for (int life = 0; life < lives; life++) {
        ObjectVault vault =
            ObjectVault.open(engine.another(), "test", new Tenancy(true, 0), new AtOnce());
        Oram oram =
            life == 0
                ? TestOrams.create(store, vault, config, key, options, NoCheckpoints::new)
                : TestOrams.open(store, vault, key, options, NoCheckpoints::new);
        // What was recovered is stored by the first access.
        if (life % 4 > 0) {
          store.failNthSync(life % 4);
        }
        use(oram, random);
        store.disarm();
        // A slot, with all that was recorded so far.
        vault.save("mark", out -> out.write(1));
      }
      ObjectVault vault =
          ObjectVault.open(engine.another(), "test", new Tenancy(true, 0), new AtOnce());
      try (vault;
          Oram oram = Orams.open(store, vault, key, options)) {
        assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      }
    }
  }

  private void use(Oram oram, Random random) throws IOException {
    for (int left = random.nextInt(6); left > 0; left--) {
      int block = random.nextInt(BLOCKS);
      byte value = (byte) random.nextInt();
      switch (random.nextInt(5)) {
        case 0 -> again(oram::flush);
        case 1 -> again(() -> assertThat(oram.read(block, 1).get(0)).isEqualTo(model[block]));
        case 2 -> again(() -> trim(oram, block));
        default -> {
          again(() -> oram.write(block, ByteBuffer.allocate(BLOCK_BYTES).put(0, value)));
          model[block] = value;
        }
      }
    }
  }

  private void trim(Oram oram, int block) throws IOException {
    if (oram.config().has(Scheme.Trait.TRIMS) && oram.trim(block, 1)) {
      model[block] = 0;
      oram.flush();
    }
  }

  /** Something that is done with an ORAM. */
  private interface Action {
    void run() throws IOException;
  }

  /** Once more if the store failed. */
  private static void again(Action action) throws IOException {
    try {
      action.run();
    } catch (IOException e) {
      assertThat(e).hasStackTraceContaining("injected");
      action.run();
    }
  }
}
