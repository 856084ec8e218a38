package io.github.roram.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Power failures, each of which keeps, drops or tears what was written and not forced. */
final class WatermarkSlotsTest {

  private static final int FAILURES = 2000;

  /** A file on a disk that may lose what was not forced. */
  private static final class Disk implements WatermarkSlots.Medium {
    private byte[] durable = new byte[WatermarkSlots.BYTES];
    private byte[] seen = durable.clone();
    private final List<Runnable> unforced = new ArrayList<>();
    private final Random random;

    Disk(Random random) {
      this.random = random;
    }

    @Override
    public void write(int offset, byte[] bytes) {
      System.arraycopy(bytes, 0, seen, offset, bytes.length);
      unforced.add(
          () -> {
            int from = random.nextInt(bytes.length + 1);
            int end = random.nextInt(bytes.length + 1);
            if (from < end) {
              System.arraycopy(bytes, from, durable, offset + from, end - from);
            } else if (random.nextBoolean()) {
              System.arraycopy(bytes, 0, durable, offset, bytes.length);
            }
          });
    }

    @Override
    public void force() {
      durable = seen.clone();
      unforced.clear();
    }

    void fail() {
      unforced.forEach(Runnable::run);
      unforced.clear();
      seen = durable.clone();
    }
  }

  private static byte[] watermark(int number) {
    return ByteBuffer.allocate(BlockStore.WATERMARK_BYTES).putInt(number).array();
  }

  @Test
  void oneIsWholeAndNoOlderThanTheLastThatWasForced() throws IOException {
    Random random = new Random(7);
    Disk disk = new Disk(random);
    int number = 0;
    int forced = 0;
    for (int failure = 0; failure < FAILURES; failure++) {
      WatermarkSlots slots = new WatermarkSlots(disk.seen.clone(), disk);
      int oldest = forced;
      List<byte[]> found = slots.all();
      if (forced > 0) {
        assertThat(found)
            .anyMatch(watermark -> ByteBuffer.wrap(watermark).getInt() >= oldest)
            .allMatch(watermark -> Arrays.equals(watermark, watermark(number(watermark))));
      }
      for (int kept = random.nextInt(6); kept > 0; kept--) {
        boolean durably = random.nextInt(3) == 0;
        slots.keep(watermark(++number), durably);
        assertThat(slots.all()).contains(watermark(number));
        forced = durably ? number : forced;
      }
      if (random.nextBoolean()) {
        disk.fail();
      }
    }
    assertThat(forced).isGreaterThan(FAILURES);
  }

  private static int number(byte[] watermark) {
    return ByteBuffer.wrap(watermark).getInt();
  }

  /** Else the watermarks that are kept next are not found. */
  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, (1L << 62) + 1, 1L << 62, (1L << 62) - 1})
  void whatIsKeptFollowsWhateverNumberIsForged(long forged) throws IOException {
    Disk disk = new Disk(new Random(1));
    ByteBuffer slot = ByteBuffer.wrap(disk.seen);
    slot.putLong(forged).put(watermark(1));
    slot.putInt(Crc32c.of(disk.seen, 0, slot.position()));
    WatermarkSlots slots = new WatermarkSlots(disk.seen.clone(), disk);
    slots.keep(watermark(6), true);
    slots.keep(watermark(7), true);
    new WatermarkSlots(disk.durable.clone(), disk).keep(watermark(8), true);
    assertThat(new WatermarkSlots(disk.durable, disk).all())
        .containsExactly(watermark(7), watermark(8));
  }

  /** The bytes that stores in files have. */
  @Test
  void golden() throws IOException {
    Disk disk = new Disk(new Random(1));
    new WatermarkSlots(new byte[0], disk).keep(watermark(5), true);
    byte[] expected = new byte[WatermarkSlots.BYTES];
    ByteBuffer slot = ByteBuffer.wrap(expected, 512, 512);
    slot.putLong(1).put(watermark(5)).putInt(0x1b2759bc);
    assertThat(disk.durable).isEqualTo(expected);
  }
}
