package example.scheme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A scheme in another package, found by its id and used through the public API. */
class LinearSchemeTest {

  private static final int BLOCKS = 40;

  private final OramConfig config =
      OramConfig.builder(BLOCKS).scheme("linear").blockBytes(512).set("longest", 8).build();
  private final MasterKey key = MasterKey.generate();
  private final ClientVault vault = ClientVault.inMemory();
  private final List<String> seen = new ArrayList<>();
  private boolean failing;
  private final BlockStore store =
      new FilterBlockStore(new MemoryStore(Orams.storeBytes(config))) {
        @Override
        public void read(ExtentBatch batch, UnitSink sink) throws IOException {
          seen.add(batch.toString());
          super.read(batch, sink);
        }

        @Override
        public void write(ExtentBatch batch, UnitSource source) throws IOException {
          seen.add(batch.toString());
          super.write(batch, source);
          if (failing) {
            throw new IOException("injected");
          }
        }
      };

  @AfterEach
  void closeKey() {
    key.close();
  }

  @Test
  void isAnArrayThatIsThereWhenItIsOpenedAgain() throws IOException {
    byte[] model = new byte[BLOCKS * 512];
    Random random = new Random(1);
    Orams.create(store, vault, config, key).close();
    for (int opening = 0; opening < 3; opening++) {
      try (Oram oram = Orams.open(store, vault, config, key)) {
        for (int access = 0; access < 50; access++) {
          int count = 1 + random.nextInt(8);
          int block = random.nextInt(BLOCKS - count + 1);
          byte[] data = new byte[count * 512];
          if (random.nextBoolean()) {
            random.nextBytes(data);
            System.arraycopy(data, 0, model, block * 512, data.length);
            failing = random.nextInt(5) == 0;
            write(oram, block, data);
          } else {
            oram.read(block, count).get(data);
            assertThat(data).containsExactly(slice(model, block * 512, data.length));
          }
        }
      }
    }
    assertThat(Orams.inspect(store).config()).isEqualTo(config);
  }

  /** Once more where the first attempt failed. */
  private void write(Oram oram, int block, byte[] data) throws IOException {
    if (failing) {
      assertThatThrownBy(() -> oram.write(block, ByteBuffer.wrap(data))).hasMessage("injected");
      failing = false;
    }
    oram.write(block, ByteBuffer.wrap(data));
  }

  private static byte[] slice(byte[] bytes, int offset, int length) {
    byte[] slice = new byte[length];
    System.arraycopy(bytes, offset, slice, 0, length);
    return slice;
  }

  @Test
  void readsAndWritesLookAlike() throws IOException {
    List<List<String>> views = new ArrayList<>();
    try (Oram oram = Orams.create(store, vault, config, key)) {
      oram.read(0, 1);
      for (int access = 0; access < 4; access++) {
        seen.clear();
        if (access < 2) {
          oram.read(3 + access, 2);
        } else {
          oram.write(7L * access, ByteBuffer.allocate(512));
        }
        views.add(List.copyOf(seen));
      }
    }
    assertThat(views.get(2)).isEqualTo(views.get(0)).hasSize(2);
    assertThat(views.get(3)).isEqualTo(views.get(1)).hasSize(2);
  }

  @Test
  void whatItCannotDoIsRefusedByName() throws IOException {
    assertThat(Scheme.all()).extracting(Scheme::id).contains("linear", "roram");
    refused(
        () -> builder().set("shortest", 1).build(),
        "no scheme has",
        "shortest",
        "use one of longest");
    refused(() -> builder().set("longest", BLOCKS + 1).build(), "longest is 41", "1 to 40");
    refused(() -> builder().preset(io.github.roram.Preset.PAPER).build(), "preset", "roram");
    OpenOptions journalled = OpenOptions.defaults().withDurability(Durability.SYNC);
    refused(() -> Orams.create(store, vault, config, key, journalled), "linear", "only NONE");
    try (Oram oram = Orams.create(store, vault, config, key);
        FileChannel none = FileChannel.open(java.nio.file.Path.of("pom.xml"))) {
      refused(() -> oram.verify((done, total) -> {}), "scheme linear", "cannot be verified");
      refused(() -> oram.scan((block, data) -> {}), "scheme linear", "cannot be scanned");
      assertThat(oram.scanPays(config.bytes())).isFalse();
      refused(() -> oram.bulkLoad(none, 1, bytes -> {}), "linear", "cannot be bulk loaded");
    }
    try (MasterKey other = MasterKey.generate()) {
      refused(() -> Orams.rekey(store, vault, key, other, bytes -> {}), "cannot be rekeyed");
    }
  }

  private static OramConfig.Builder builder() {
    return OramConfig.builder(BLOCKS).scheme("linear");
  }

  private static void refused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(parts);
  }
}
