package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.FaultyStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request that failed is repeated by calling again, with the very same buffer. */
final class RepeatedRequestTest {

  private static final int BLOCK_BYTES = 512;
  private static final int BLOCKS = 40;
  private static final int COUNT = 8;

  private final OramConfig.Builder builder =
      OramConfig.builder(BLOCKS).blockBytes(BLOCK_BYTES).maxRangeBlocks(COUNT).treetopBytes(0);
  private final byte[] content = new byte[COUNT * BLOCK_BYTES];

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao"})
  void aFailureLeavesTheBufferWhereItWas(String scheme) throws IOException {
    new Random(1).nextBytes(content);
    OramConfig config = builder.scheme(scheme).build();
    FaultyStore store = new FaultyStore(new MemoryStore(Orams.storeBytes(config)));
    try (MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(store, ClientVault.inMemory(), config, key)) {
      int nth = "roram".equals(scheme) ? 1 : 5;
      ByteBuffer source = ByteBuffer.allocate(content.length + 7).position(7).put(content).flip();
      source.position(7);
      store.failNthRead(nth);
      assertThatThrownBy(() -> oram.write(3, source)).hasMessageContaining("injected");
      assertThat(source.position()).isEqualTo(7);
      oram.write(3, source);

      ByteBuffer target = ByteBuffer.allocate(content.length);
      store.failNthRead(nth);
      assertThatThrownBy(() -> oram.read(3, COUNT, target)).hasMessageContaining("injected");
      assertThat(target.position()).isZero();
      oram.read(3, COUNT, target);
      assertThat(target.array()).isEqualTo(content);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao"})
  void aFailureLeavesTheByteViewWhereItWas(String scheme) throws IOException {
    new Random(2).nextBytes(content);
    OramConfig config = builder.scheme(scheme).build();
    FaultyStore store = new FaultyStore(new MemoryStore(Orams.storeBytes(config)));
    try (MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(store, ClientVault.inMemory(), config, key)) {
      SeekableByteChannel channel = oram.channel();
      for (int nth = 1; nth < 10; nth++) {
        int position = 512 * nth + nth % 2;
        ByteBuffer source = ByteBuffer.wrap(content);
        channel.position(position);
        store.failNthRead(nth);
        repeat(() -> channel.write(source), source);
        ByteBuffer target = ByteBuffer.allocate(content.length);
        channel.position(position);
        store.failNthRead(nth);
        repeat(() -> channel.read(target), target);
        assertThat(target.array()).isEqualTo(content);
        assertThat(channel.position()).isEqualTo(position + content.length);
      }
    }
  }

  private interface Transfer {
    int run() throws IOException;
  }

  private static void repeat(Transfer transfer, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      try {
        transfer.run();
      } catch (IOException injected) {
        assertThat(injected).hasMessageContaining("injected");
      }
    }
  }
}
