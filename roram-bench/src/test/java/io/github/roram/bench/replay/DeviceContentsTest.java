package io.github.roram.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.bench.replay.DeviceContents.DevicePattern;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class DeviceContentsTest {

  private static final int BLOCKS = 10_000;
  private static final int BLOCK_BYTES = 64;

  @Property(tries = 30)
  void agreesWithAPlainArray(@ForAll long seed, @ForAll boolean filled) throws IOException {
    DevicePattern pattern = new DevicePattern(seed, BLOCK_BYTES);
    DeviceContents contents =
        filled ? DeviceContents.filled(BLOCKS, pattern) : DeviceContents.zeros(BLOCKS, pattern);
    byte[] array = new byte[BLOCKS * BLOCK_BYTES];
    if (filled) {
      readFully(contents.initialContents(), array);
    }
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      int count = 1 + random.nextInt(20);
      int block = random.nextInt(BLOCKS - count + 1);
      byte[] bytes = new byte[count * BLOCK_BYTES];
      if (random.nextBoolean()) {
        contents.nextWrite(block, count, bytes);
        System.arraycopy(bytes, 0, array, block * BLOCK_BYTES, bytes.length);
      } else {
        System.arraycopy(array, block * BLOCK_BYTES, bytes, 0, bytes.length);
        assertThat(contents.mismatches(block, count, bytes)).isZero();
      }
    }
    assertThat(contents.mismatches(0, BLOCKS, array)).isZero();
  }

  @Property(tries = 200)
  void anyWrongByteIsFound(
      @ForAll @IntRange(max = 5 * BLOCK_BYTES - 1) int at,
      @ForAll @IntRange(min = 1, max = 255) int flip,
      @ForAll boolean filled) {
    DevicePattern pattern = new DevicePattern(7, BLOCK_BYTES);
    DeviceContents contents =
        filled ? DeviceContents.filled(BLOCKS, pattern) : DeviceContents.zeros(BLOCKS, pattern);
    byte[] bytes = new byte[5 * BLOCK_BYTES];
    contents.nextWrite(100, 2, bytes);
    if (filled) {
      pattern.fill(102, 0, bytes, 2 * BLOCK_BYTES);
      pattern.fill(103, 0, bytes, 3 * BLOCK_BYTES);
      pattern.fill(104, 0, bytes, 4 * BLOCK_BYTES);
    }
    assertThat(contents.mismatches(100, 5, bytes)).isZero();
    bytes[at] ^= (byte) flip;
    assertThat(contents.mismatches(100, 5, bytes)).isEqualTo(1);
  }

  @Test
  void everyVersionOfEveryBlockDiffersAndNoneIsZero() {
    DevicePattern pattern = new DevicePattern(0, BLOCK_BYTES);
    Set<String> seen = new HashSet<>();
    seen.add(Arrays.toString(new byte[BLOCK_BYTES]));
    for (int block = 0; block < 200; block++) {
      for (int version = 0; version < 20; version++) {
        byte[] bytes = new byte[BLOCK_BYTES];
        pattern.fill(block, version, bytes, 0);
        assertThat(seen.add(Arrays.toString(bytes))).isTrue();
      }
    }
  }

  @Property(tries = 100)
  void channelReadsTheSameFromAnywhere(
      @ForAll @IntRange(max = 20 * BLOCK_BYTES) int position,
      @ForAll @IntRange(min = 1, max = 5 * BLOCK_BYTES) int length)
      throws IOException {
    DeviceContents contents = DeviceContents.filled(20, new DevicePattern(3, BLOCK_BYTES));
    byte[] all = new byte[20 * BLOCK_BYTES];
    try (SeekableByteChannel channel = contents.initialContents()) {
      assertThat(channel.size()).isEqualTo(all.length);
      readFully(channel, all);
      ByteBuffer part = ByteBuffer.allocate(length);
      int expected = Math.min(length, all.length - position);
      assertThat(channel.position(position).read(part)).isEqualTo(expected == 0 ? -1 : expected);
      assertThat(Arrays.copyOf(part.array(), expected))
          .isEqualTo(Arrays.copyOfRange(all, position, position + expected));
    }
  }

  @Test
  void closedChannelRefuses() throws IOException {
    SeekableByteChannel channel =
        DeviceContents.filled(2, new DevicePattern(3, 8)).initialContents();
    channel.close();
    assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1)))
        .isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void rangesBeyondTheDeviceAreRefused() {
    DeviceContents contents = DeviceContents.zeros(10, new DevicePattern(1, 8));
    assertThatThrownBy(() -> contents.nextWrite(9, 2, new byte[16]))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("2 blocks from 9");
  }

  private static void readFully(SeekableByteChannel channel, byte[] target) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(target);
    while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
      // Once more.
    }
  }
}
