package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** ORAMs that are dropped without being closed, again and again, against a plain array. */
class CrashTest {

  @SuppressWarnings("EnumOrdinal") // in turn
  static Stream<Arguments> configurations() {
    Stream.Builder<Arguments> all = Stream.builder();
    for (String scheme : new String[] {"roram", "path-batched", "tao"}) {
      for (Preset preset : Preset.values()) {
        long often = OpenOptions.MIN_CHECKPOINT_BYTES;
        long never = 1L << 30;
        boolean odd = preset.ordinal() % 2 == 1;
        OramConfig.Builder b =
            OramConfig.builder(700)
                .scheme(scheme)
                .preset(preset)
                .blockBytes(512)
                .maxRangeBlocks(16);
        all.add(Arguments.of(b.build(), odd ? never : often));
        b.chunkPaths(5).windowBlocks(0).treetopBytes(0);
        all.add(Arguments.of(b.build(), odd ? often : never));
        if ("roram".equals(scheme) && preset != Preset.PAPER) {
          all.add(Arguments.of(b.writeShare(0.1).build(), odd ? never : often));
          b.writeShare(1).sizeClasses(0, 1, 4).revealOperationType(true);
          all.add(Arguments.of(b.build(), odd ? often : never));
          b.sizeClasses(0, 1, 2, 3, 4).revealOperationType(false);
        }
        if (!"tao".equals(scheme)) {
          SmallConfigurations.recursive(b);
          all.add(Arguments.of(b.build(), odd ? never : often));
        }
      }
    }
    return all.build();
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void nothingAcknowledgedIsLost(OramConfig config, long checkpointBytes) throws IOException {
    Random random = new Random(config.toString().hashCode());
    OpenOptions options =
        OpenOptions.defaults()
            .withCheckpointBytes(checkpointBytes)
            .withThreads(1 + random.nextInt(2));
    try (MasterKey key = MasterKey.generate()) {
      HeapStore store = new HeapStore(Orams.storeBytes(config));
      ClientVault medium = ClientVault.inMemory();
      ProcessVault vault = new ProcessVault(medium);
      byte[] model = new byte[(int) config.bytes()];
      Oram oram = Orams.create(store, vault, config, key, options);
      for (int i = 0; i < 90; i++) {
        int fate = random.nextInt(18);
        if (fate == 0) {
          oram.close();
        }
        if (fate <= 1) {
          vault.die();
          vault = new ProcessVault(medium);
          oram = Orams.open(store, vault, key, options);
        }
        int count = 1 + random.nextInt(16);
        int block = (int) random.nextLong(config.blocks() - count + 1);
        int from = block * 512;
        if (random.nextInt(4) == 0) {
          int skip = random.nextInt(512);
          byte[] data = new byte[1 + random.nextInt(count * 512 - skip)];
          random.nextBytes(data);
          oram.update(from + skip, ByteBuffer.wrap(data));
          System.arraycopy(data, 0, model, from + skip, data.length);
        } else if (random.nextBoolean()) {
          byte[] data = new byte[count * 512];
          random.nextBytes(data);
          oram.write(block, ByteBuffer.wrap(data));
          System.arraycopy(data, 0, model, from, data.length);
        } else {
          assertThat(oram.read(block, count)).isEqualTo(ByteBuffer.wrap(model, from, count * 512));
        }
      }
      oram.close();
      assertThat(vault.logs()).isEmpty();
    }
  }
}
