package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every scheme and preset against a plain array, with mixed ranges, reopened on the way. */
class OramModelTest {

  /** Each scheme, preset and size; treetops and sizes of their own in turn, all pairs of them. */
  static Stream<Arguments> configurations() {
    Stream.Builder<Arguments> all = Stream.builder();
    int turn = 0;
    for (String scheme : List.of("path", "path-batched", "roram", "tao")) {
      for (Preset preset : Preset.values()) {
        for (int blocks : new int[] {1, 3, 100, 1024, 1500}) {
          OramConfig.Builder b =
              OramConfig.builder(blocks)
                  .scheme(scheme)
                  .preset(preset)
                  .blockBytes(512)
                  .maxRangeBlocks(Math.min(32, Integer.highestOneBit(blocks)))
                  .treetopBytes(turn % 2 == 0 ? 0 : 1 << 18);
          if (turn / 2 % 2 == 1) {
            if (!"path".equals(scheme)) {
              b.chunkPaths(7).windowBlocks(0);
              if (turn % 2 == 1 && !"tao".equals(scheme)) {
                b.positionMap("recursive").set("blocksPerMapBlock", 4).set("clientLabels", 20);
              }
            } else {
              b.recursivePositionMap(true);
            }
          }
          all.add(Arguments.of(b.build()));
          turn++;
        }
      }
    }
    return all.build();
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void answersLikeAPlainArray(OramConfig config) throws IOException {
    Random random = new Random(config.toString().hashCode());
    try (MasterKey key = MasterKey.generate()) {
      HeapStore store = new HeapStore(Orams.storeBytes(config));
      ClientVault vault = ClientVault.inMemory();
      byte[] model = new byte[(int) config.bytes()];
      OpenOptions options = OpenOptions.defaults().withThreads(1 + random.nextInt(2));
      Oram oram = Orams.create(store, vault, config, key, options);
      for (int i = 0; i < 60; i++) {
        if (random.nextInt(30) == 0) {
          oram.close();
          oram = Orams.open(store, vault, key, options);
        }
        int count =
            1
                + random.nextInt(
                    1
                        << random.nextInt(
                            32 - Integer.numberOfLeadingZeros(config.maxRangeBlocks())));
        int block = (int) random.nextLong(config.blocks() - count + 1);
        if (random.nextInt(4) == 0) {
          block = (int) config.blocks() - count;
        }
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
          ByteBuffer answer = oram.read(block, count);
          assertThat(answer).isEqualTo(ByteBuffer.wrap(model, from, count * 512));
        }
      }
      assertThat(oram.stats().stashMaxBlocks()).isLessThan(64);
      oram.close();
    }
  }
}
