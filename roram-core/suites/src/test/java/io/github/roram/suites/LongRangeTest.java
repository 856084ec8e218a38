package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The byte view where a range has more bytes than an array can have. */
final class LongRangeTest {

  @ParameterizedTest
  @ValueSource(ints = {1 << 15, 1 << 16})
  void theByteViewSplitsRangesThatNoArrayHolds(int maxRangeBlocks) throws IOException {
    int exponent = Integer.numberOfTrailingZeros(maxRangeBlocks);
    OramConfig config =
        OramConfig.builder(1 << 17)
            .blockBytes(OramConfig.MAX_BLOCK_BYTES)
            .maxRangeBlocks(maxRangeBlocks)
            .sizeClasses(0, exponent)
            .build();
    OpenOptions unrecorded = OpenOptions.defaults().withDurability(Durability.NONE);
    byte[] content = {1, 2, 3, 4, 5, 6, 7};
    try (MasterKey key = MasterKey.generate();
        MemoryStore store = new MemoryStore(Orams.storeBytes(config));
        Oram oram = Orams.create(store, ClientVault.inMemory(), config, key, unrecorded)) {
      SeekableByteChannel channel = oram.channel().position(config.bytes() - 100);
      channel.write(ByteBuffer.wrap(content));
      ByteBuffer found = ByteBuffer.allocate(content.length);
      channel.position(config.bytes() - 100).read(found);
      assertThat(found.array()).isEqualTo(content);
      assertThatThrownBy(() -> oram.read(0, maxRangeBlocks))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll(maxRangeBlocks + " blocks", "of a buffer; split");
    }
  }
}
