package io.github.roram.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.Scheme;
import io.github.roram.StoreInfo;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class SuperblockDescriptorTest {

  private static final StoreInfo INFO =
      new StoreInfo(
          SuperblockDescriptor.FORMAT,
          UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"),
          123_456_789L,
          OramConfig.builder(1000).maxRangeBlocks(16).sizeClasses(0, 2, 4).build());

  private static MasterKey key() {
    return MasterKey.copyOf(new byte[32]);
  }

  /** The bytes that version 1 wrote: changing them breaks every store out there. */
  @Test
  void golden() {
    byte[] bytes = SuperblockDescriptor.encode(INFO, key());
    assertThat(HexFormat.of().formatHex(bytes, 0, 152))
        .isEqualTo(
            "724f52414d736231"
                + "0001"
                + "0202"
                + "00000000"
                + "00112233445566778899aabbccddeeff"
                + "00000000075bcd15"
                + "00000000000003e8"
                + "0000000004000000"
                + "00001000"
                + "00000010"
                + "00000004"
                + "00000003"
                + "00000004"
                + "00000100"
                + "00000300"
                + "00000400"
                + "03000204"
                + "00".repeat(28)
                + "1d5cd7b67b2007d10d0e39a8045d1bad324f58d83b539d2fc37cca3d54c83e57");
    assertThat(ByteBuffer.wrap(bytes).getInt(4092)).isEqualTo(0xcb2edbc4);
  }

  @Test
  void mendsTheChecksumOnlyOfWhatAKeyMade() {
    byte[] whole = SuperblockDescriptor.encode(INFO, key());
    try (MasterKey other = MasterKey.generate()) {
      byte[] torn = whole.clone();
      torn[4095] ^= 1;
      assertThat(SuperblockDescriptor.mended(torn, other, key())).isEqualTo(whole);
      assertThat(SuperblockDescriptor.mended(torn, other)).isEqualTo(torn);
      torn[50] ^= 1;
      assertThat(SuperblockDescriptor.mended(torn, other, key())).isEqualTo(torn);
    }
  }

  /** The bytes that version 2 wrote, where they differ from those of version 1. */
  @Test
  void goldenWithWriteShare() {
    OramConfig config = INFO.config().toBuilder().writeShare(0.25).build();
    StoreInfo info =
        new StoreInfo(
            SuperblockDescriptor.formatOf(config), INFO.storeId(), INFO.storeBytes(), config);
    byte[] bytes = SuperblockDescriptor.encode(info, key());
    assertThat(HexFormat.of().formatHex(bytes, 8, 16)).isEqualTo("0002" + "0202" + "20000000");
    byte[] without = SuperblockDescriptor.encode(INFO, key());
    assertThat(Arrays.copyOfRange(bytes, 16, 120)).isEqualTo(Arrays.copyOfRange(without, 16, 120));
    assertThat(SuperblockDescriptor.decode(bytes)).isEqualTo(info);
    SuperblockDescriptor.checkKey(bytes, key());
  }

  /** The bytes that version 3 wrote, where they differ from those of version 1. */
  @Test
  void goldenWithTrees() {
    OramConfig config = INFO.config().toBuilder().trees(0, 3).writeShare(0.25).build();
    StoreInfo info =
        new StoreInfo(
            SuperblockDescriptor.formatOf(config), INFO.storeId(), INFO.storeBytes(), config);
    byte[] bytes = SuperblockDescriptor.encode(info, key());
    assertThat(HexFormat.of().formatHex(bytes, 8, 16)).isEqualTo("0003" + "0202" + "20000000");
    assertThat(HexFormat.of().formatHex(bytes, 116, 120)).isEqualTo("00000009");
    byte[] without = SuperblockDescriptor.encode(INFO, key());
    assertThat(Arrays.copyOfRange(bytes, 16, 116)).isEqualTo(Arrays.copyOfRange(without, 16, 116));
    assertThat(SuperblockDescriptor.decode(bytes)).isEqualTo(info);
    SuperblockDescriptor.checkKey(bytes, key());
  }

  @Test
  void roundTrips() {
    for (Scheme scheme : Scheme.values()) {
      for (Preset preset : Preset.values()) {
        OramConfig config =
            OramConfig.builder(12345).scheme(scheme).preset(preset).blockBytes(512).build();
        int format = SuperblockDescriptor.formatOf(config);
        StoreInfo info = new StoreInfo(format, UUID.randomUUID(), 1L << 40, config);
        assertThat(SuperblockDescriptor.decode(SuperblockDescriptor.encode(info, key())))
            .isEqualTo(info);
      }
    }
  }

  @Test
  void everyFlippedBitIsFound() {
    byte[] good = SuperblockDescriptor.encode(INFO, key());
    for (int bit = 0; bit < 8 * good.length; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> SuperblockDescriptor.decode(bad))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("corrupt");
    }
  }

  @Test
  void missingAndTooNewAreToldApart() {
    assertThatThrownBy(() -> SuperblockDescriptor.decode(new byte[4096]))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("no superblock");
    byte[] newer = SuperblockDescriptor.encode(INFO, key());
    newer[9] = 4;
    seal(newer);
    assertThatThrownBy(() -> SuperblockDescriptor.decode(newer))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("format 4")
        .hasMessageContaining("newer");
  }

  @Test
  void aForgedSuperblockDoesNotPassTheKeyCheck() {
    byte[] forged = SuperblockDescriptor.encode(INFO, key());
    forged[119] ^= 1;
    seal(forged);
    SuperblockDescriptor.decode(forged);
    assertThatThrownBy(() -> SuperblockDescriptor.checkKey(forged, key()))
        .isInstanceOf(WrongKeyException.class);
  }

  @Test
  void anotherKeyIsRefusedAndTheRightOneIsNot() {
    byte[] bytes = SuperblockDescriptor.encode(INFO, key());
    SuperblockDescriptor.checkKey(bytes, key());
    assertThatThrownBy(() -> SuperblockDescriptor.checkKey(bytes, MasterKey.generate()))
        .isInstanceOf(WrongKeyException.class)
        .hasMessageContaining(INFO.storeId().toString());
  }

  /** Makes the checksum right again, as someone who tampers would. */
  private static void seal(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, 4092);
    ByteBuffer.wrap(bytes).putInt(4092, (int) crc.getValue());
  }
}
