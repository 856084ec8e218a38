package io.github.roram.storage.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordedOramTest {

  private static final int BLOCK_BYTES = 512;
  private static final OramConfig CONFIG =
      OramConfig.builder(64).blockBytes(BLOCK_BYTES).maxRangeBlocks(8).treetopBytes(0).build();

  private final ViewRecorder recorder = new ViewRecorder();

  private Oram newOram() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      return new RecordedOram(
          Orams.create(
              new MemoryStore(Orams.storeBytes(CONFIG)), ClientVault.inMemory(), CONFIG, key),
          recorder);
    }
  }

  private List<Long> declared() {
    return recorder.view(CONFIG).sights().stream().map(Sight::bytes).toList();
  }

  @Test
  void declaresTheSizeClassOfEveryAccess() throws IOException {
    try (Oram oram = newOram()) {
      oram.read(3, 5);
      oram.write(0, ByteBuffer.allocate(BLOCK_BYTES));
      assertThat(declared()).containsExactly(8L, 1L);
    }
    OramConfig path = CONFIG.toBuilder().scheme("roram").sizeClasses(0, 3).build();
    assertThat(path.parameters().shownBlocks(2)).isEqualTo(8);
    OramConfig noClasses = OramConfig.builder(64).scheme("path").build();
    assertThat(noClasses.parameters().shownBlocks(5)).isEqualTo(5);
  }

  /** A longest range is a power of two, and may be longer than the store. */
  @Test
  void declaresNoMoreBlocksThanThereAre() throws IOException {
    OramConfig config = OramConfig.builder(5).scheme("path").blockBytes(BLOCK_BYTES).build();
    try (MasterKey key = MasterKey.generate();
        Oram oram =
            new RecordedOram(
                Orams.create(
                    new MemoryStore(Orams.storeBytes(config)), ClientVault.inMemory(), config, key),
                recorder)) {
      oram.updateBytes(0, 8, ByteBuffer.allocate(1));
      assertThat(declared()).containsExactly(5L);
      assertThat(oram.stats().blocksAccessed()).isEqualTo(5);
    }
  }

  @Test
  void declaresTheSameForBytesInBothDirections() throws IOException {
    byte[] data = new byte[5000];
    data[0] = 1;
    data[4999] = 2;
    try (Oram oram = newOram();
        SeekableByteChannel channel = oram.channel()) {
      assertThat(channel.position(100).write(ByteBuffer.wrap(data))).isEqualTo(5000);
      assertThat(channel.position()).isEqualTo(5100);
      ByteBuffer back = ByteBuffer.allocate(5000);
      assertThat(channel.position(100).read(back)).isEqualTo(5000);
      assertThat(back.array()).isEqualTo(data);
      // Blocks 0 to 7, then 8 and 9, in both directions.
      assertThat(declared()).containsExactly(8L, 2L, 8L, 2L);
    }
  }

  @Test
  void endsWhereTheBytesEnd() throws IOException {
    try (Oram oram = newOram();
        SeekableByteChannel channel = oram.channel()) {
      channel.position(channel.size() - 10);
      assertThat(channel.read(ByteBuffer.allocate(50))).isEqualTo(10);
      assertThat(channel.read(ByteBuffer.allocate(50))).isEqualTo(-1);
      assertThat(channel.read(ByteBuffer.allocate(0))).isZero();
      assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1)))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(declared()).containsExactly(1L);
    }
  }
}
