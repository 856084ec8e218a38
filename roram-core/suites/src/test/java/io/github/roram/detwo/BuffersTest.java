package io.github.roram.detwo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole blocks are sealed and opened where the caller has them; all else is copied. */
final class BuffersTest {

  private static final int BLOCKS = 20;

  /** A buffer over memory that begins and ends next to it. */
  private static ByteBuffer buffer(String kind, byte[] around) {
    ByteBuffer all =
        kind.equals("direct")
            ? ByteBuffer.allocateDirect(around.length).put(around).clear()
            : ByteBuffer.wrap(around);
    return all.position(7).slice().position(5).limit(around.length - 27);
  }

  @ParameterizedTest
  @ValueSource(strings = {"heap", "direct"})
  void anyMemoryHoldsBlocks(String kind) throws IOException {
    OramConfig config = Subject.builder(BLOCKS).set("overhead", 2).maxRangeBlocks(4).build();
    byte[] model = new byte[BLOCKS * Subject.BLOCK_BYTES];
    Random random = new Random(1);
    try (Subject subject = Subject.of(config, 1)) {
      for (int i = 0; i < 300; i++) {
        int blocks = 1 + random.nextInt(4);
        int first = random.nextInt(BLOCKS - blocks + 1);
        int bytes = blocks * Subject.BLOCK_BYTES;
        int at = first * Subject.BLOCK_BYTES;
        byte[] around = new byte[bytes + 32];
        random.nextBytes(around);
        ByteBuffer buffer = buffer(kind, around);
        if (i % 3 == 0) {
          subject.oram().write(first, buffer);
          System.arraycopy(around, 12, model, at, bytes);
        } else if (i % 3 == 1) {
          int part = 1 + random.nextInt(bytes);
          int offset = at + random.nextInt(bytes - part + 1);
          subject.oram().update(offset, buffer.limit(5 + part));
          System.arraycopy(around, 12, model, offset, part);
        } else {
          subject.oram().read(first, blocks, buffer);
          byte[] expected = around.clone();
          System.arraycopy(model, at, expected, 12, bytes);
          byte[] found = around.clone();
          buffer.flip().position(5).get(found, 12, bytes);
          assertThat(found).isEqualTo(expected);
          assertThat(kind.equals("direct") ? expected : around).isEqualTo(expected);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"aes, 0", "aes, 500", "chacha, 0", "chacha, 527"})
  void nothingOfABlockThatWasChangedIsHandedOver(String cipher, int byteOfPage) throws IOException {
    OramConfig config = Subject.builder(BLOCKS).set("cipher", cipher).build();
    try (Subject subject = Subject.of(config, 1)) {
      byte[] content = new byte[Subject.BLOCK_BYTES];
      Arrays.fill(content, (byte) 'x');
      subject.write(3, content);
      Page page = subject.engine().locate(3);
      long offset = new Areas(config).offset(page.area(), page.number());
      byte[] changed = subject.snapshot(offset, Subject.BLOCK_BYTES + 28);
      changed[byteOfPage] ^= 1;
      subject.faults().restore(offset, changed);
      ByteBuffer target = ByteBuffer.allocate(Subject.BLOCK_BYTES);
      assertThatThrownBy(() -> subject.oram().read(3, 1, target))
          .isInstanceOf(IntegrityException.class);
      assertThat(target.position()).isZero();
      assertThat(target.array()).doesNotContain((byte) 'x');
    }
  }
}
