package io.github.roram.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.store.StoreDamagedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

final class SegmentStoreDescriptorTest {

  private static final Path FILE = Path.of("dir", "store.descriptor");
  private static final SegmentStoreDescriptor DESCRIPTOR =
      new SegmentStoreDescriptor(1L << 30, 123_456_789_012L);

  /** What version 1 wrote: it must stay readable. */
  private static final String GOLDEN =
      "524f52414d534547" + "00000001" + "00000000" + "0000000040000000" + "0000001cbe991a14";

  private static byte[] golden() {
    return sealed(HexFormat.of().parseHex(GOLDEN));
  }

  private static byte[] sealed(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return ByteBuffer.allocate(content.length + 4)
        .put(content)
        .putInt((int) crc.getValue())
        .array();
  }

  @Test
  void writesAndReadsTheGoldenBytes() throws IOException {
    assertThat(DESCRIPTOR.encode()).isEqualTo(golden());
    assertThat(SegmentStoreDescriptor.decode(golden(), FILE)).isEqualTo(DESCRIPTOR);
  }

  @Test
  void everyFlippedBitAndEveryTruncationIsCorruption() {
    byte[] content = golden();
    for (int bit = 0; bit < 8 * content.length; bit++) {
      byte[] flipped = content.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertCorrupt(flipped);
    }
    for (int bytes = 0; bytes < content.length; bytes++) {
      assertCorrupt(Arrays.copyOf(content, bytes));
    }
    assertCorrupt(sealed(content));
    assertCorrupt(new SegmentStoreDescriptor(-1, 5).encode());
  }

  private static void assertCorrupt(byte[] content) {
    assertThatThrownBy(() -> SegmentStoreDescriptor.decode(content, FILE))
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContaining(FILE + " is corrupt");
  }

  @Test
  void otherVersionsAreTooOldOrTooNew() {
    assertThatThrownBy(() -> SegmentStoreDescriptor.decode(ofVersion(0), FILE))
        .isInstanceOf(StoreVersionException.class)
        .hasMessageContaining("format version 0, too old");
    assertThatThrownBy(() -> SegmentStoreDescriptor.decode(ofVersion(2), FILE))
        .isInstanceOf(StoreVersionException.class)
        .hasMessageContaining("format version 2, too new");
  }

  private static byte[] ofVersion(int version) {
    byte[] content = HexFormat.of().parseHex(GOLDEN);
    ByteBuffer.wrap(content).putInt(8, version);
    return sealed(content);
  }
}
