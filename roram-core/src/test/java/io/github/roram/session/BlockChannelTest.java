package io.github.roram.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.HeapStore;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class BlockChannelTest {

  private static final int BLOCKS = 37;

  private static Oram oram() throws IOException {
    OramConfig config = OramConfig.builder(BLOCKS).blockBytes(512).maxRangeBlocks(5).build();
    try (MasterKey key = MasterKey.generate()) {
      return Orams.create(
          new HeapStore(Orams.storeBytes(config)), ClientVault.inMemory(), config, key);
    }
  }

  @Property(tries = 15)
  void answersLikeAFile(@ForAll Random random) throws IOException {
    byte[] model = new byte[BLOCKS * 512];
    try (Oram oram = oram()) {
      SeekableByteChannel channel = oram.channel();
      assertThat(channel.size()).isEqualTo(model.length);
      for (int i = 0; i < 40; i++) {
        int position = random.nextInt(model.length);
        int length = random.nextInt(random.nextBoolean() ? 700 : 6000);
        channel.position(position);
        if (random.nextBoolean()) {
          byte[] data = new byte[Math.min(length, model.length - position)];
          random.nextBytes(data);
          assertThat(channel.write(ByteBuffer.wrap(data))).isEqualTo(data.length);
          System.arraycopy(data, 0, model, position, data.length);
        } else {
          ByteBuffer target = ByteBuffer.allocate(length + 3).position(3);
          int expected = Math.min(length, model.length - position);
          assertThat(channel.read(target)).isEqualTo(expected);
          assertThat(target.flip().position(3))
              .isEqualTo(ByteBuffer.wrap(model, position, expected));
          assertThat(channel.position()).isEqualTo(position + expected);
        }
      }
    }
  }

  @Test
  void endsAtItsSize() throws IOException {
    try (Oram oram = oram()) {
      SeekableByteChannel channel = oram.channel();
      channel.position(channel.size());
      assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
      assertThat(channel.read(ByteBuffer.allocate(0))).isZero();
      assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1)))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("fixed");
      channel.close();
      assertThat(channel.isOpen()).isFalse();
      assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1)))
          .isInstanceOf(ClosedChannelException.class);
      oram.read(0, 1);
    }
  }

  /** Found only when the blocks are there, it would end the access in its middle. */
  @Test
  void aReadOnlyTargetIsRefusedBeforeTheAccess() throws IOException {
    try (Oram oram = oram()) {
      ByteBuffer target = ByteBuffer.allocate(512).asReadOnlyBuffer();
      assertThatThrownBy(() -> oram.channel().read(target))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("read-only");
      oram.read(0, 1);
    }
  }
}
