package io.github.roram.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.StoreInfo;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class SuperblockDescriptorTest {

  private static final StoreInfo INFO =
      new StoreInfo(
          SuperblockDescriptor.FORMAT,
          UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"),
          123_456_789L,
          OramConfig.builder(1000).maxRangeBlocks(16).sizeClasses(0, 2, 4).build(),
          true,
          false);

  private static MasterKey key() {
    return MasterKey.copyOf(new byte[32]);
  }

  private static byte[] encoded(StoreInfo info) {
    return SuperblockDescriptor.encode(info, new byte[0], key());
  }

  /** The bytes that version 5 wrote: changing them breaks every store out there. */
  @Test
  void golden() {
    byte[] layout = {7, 8};
    byte[] bytes = SuperblockDescriptor.encode(INFO, layout, key());
    String settings =
        """
        preset=compact
        maxRangeBlocks=16
        bucketSlots=4
        evictionRate=3
        blocksPerLeaf=4
        treetopBytes=67108864
        chunkPaths=256
        windowBlocks=768
        stashLimitBlocks=1024
        sizeClasses=0,2,4
        """;
    HexFormat hex = HexFormat.of();
    String expected =
        "724f52414d736231"
            + "0005"
            + "0001"
            + "00000000"
            + "00112233445566778899aabbccddeeff"
            + "00000000075bcd15"
            + "00000000000003e8"
            + "00001000"
            + ("0005" + "726f72616d")
            + ("00ac" + hex.formatHex(settings.getBytes(StandardCharsets.UTF_8)))
            + ("0002" + "0708");
    assertThat(settings).hasSize(0xac);
    assertThat(hex.formatHex(bytes, 0, expected.length() / 2)).isEqualTo(expected);
    assertThat(Arrays.copyOfRange(bytes, expected.length() / 2, 4060)).containsOnly(0);
    assertThat(hex.formatHex(bytes, 4060, 4096))
        .isEqualTo("b412615cafb678abf83fe9b0cda1ae9b3dc42c0b65e145e157bc348dbe465a7a" + "96431ac1");
    assertThat(SuperblockDescriptor.decode(bytes)).isEqualTo(INFO);
    assertThat(SuperblockDescriptor.layout(bytes)).isEqualTo(layout);
  }

  @Test
  void parametersThatAreSetAreKept() {
    OramConfig config = INFO.config().toBuilder().trees(0, 3).writeShare(0.25).build();
    StoreInfo info = INFO.with(config);
    assertThat(SuperblockDescriptor.decode(encoded(info))).isEqualTo(info);
  }

  @Test
  void whatDoesNotFitIsRefused() {
    assertThatThrownBy(() -> SuperblockDescriptor.encode(INFO, new byte[3900], key()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("4096 bytes");
  }

  @Test
  void mendsTheChecksumOnlyOfWhatAKeyMade() {
    byte[] whole = encoded(INFO);
    try (MasterKey other = MasterKey.generate()) {
      byte[] torn = whole.clone();
      torn[4095] ^= 1;
      assertThat(SuperblockDescriptor.mended(torn, other, key())).isEqualTo(whole);
      assertThatThrownBy(() -> SuperblockDescriptor.mended(torn, other))
          .isInstanceOf(IntegrityException.class);
      assertThatThrownBy(() -> SuperblockDescriptor.mended(whole, other))
          .isInstanceOf(WrongKeyException.class);
      torn[50] ^= 1;
      assertThatThrownBy(() -> SuperblockDescriptor.mended(torn, other, key()))
          .isInstanceOf(IntegrityException.class);
    }
  }

  @Test
  void roundTrips() {
    for (String scheme : List.of("path", "path-batched", "roram", "tao")) {
      for (Preset preset : Preset.values()) {
        OramConfig config =
            OramConfig.builder(12345).scheme(scheme).preset(preset).blockBytes(512).build();
        int format = SuperblockDescriptor.FORMAT;
        StoreInfo info = new StoreInfo(format, UUID.randomUUID(), 1L << 40, config, false, true);
        assertThat(SuperblockDescriptor.decode(encoded(info))).isEqualTo(info);
      }
    }
  }

  @Test
  void everyFlippedBitIsFound() {
    byte[] good = encoded(INFO);
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
        .hasMessageContainingAll("no superblock", "delete it");
    byte[] newer = encoded(INFO);
    newer[9] = SuperblockDescriptor.FORMAT + 1;
    seal(newer);
    assertThatThrownBy(() -> SuperblockDescriptor.decode(newer))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("format 6")
        .hasMessageContaining("newer");
  }

  @Test
  void olderVersionsAreNamedWithTheRemedy() {
    for (int version = 1; version <= 4; version++) {
      byte[] older = encoded(INFO);
      older[9] = (byte) version;
      seal(older);
      assertThatThrownBy(() -> SuperblockDescriptor.decode(older))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContainingAll("format " + version, "an older", "export the data", "import");
    }
  }

  @Test
  void aForgedSuperblockDoesNotPassTheKeyCheck() {
    byte[] forged = encoded(INFO);
    forged[4059] ^= 1;
    seal(forged);
    assertThat(SuperblockDescriptor.decode(forged)).isEqualTo(INFO);
    assertThatThrownBy(() -> SuperblockDescriptor.checkKey(forged, key()))
        .isInstanceOf(WrongKeyException.class);
  }

  @Test
  void anotherKeyIsRefusedAndTheRightOneIsNot() {
    byte[] bytes = encoded(INFO);
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
