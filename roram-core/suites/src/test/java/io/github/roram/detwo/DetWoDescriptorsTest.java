package io.github.roram.detwo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.cipher.BucketCipher;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.EpochSalts;
import io.github.roram.cipher.Nonces;
import io.github.roram.crypto.MasterKey;
import io.github.roram.detwo.Areas.Area;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of pages, notes and the saved state, once and for all. */
final class DetWoDescriptorsTest {

  private static final String NOTE =
      "0000000000000102" + "0000000000000103" + "0000000a" + "00000004" + "00000002";

  private static DataInputStream stream(String hex) {
    return new DataInputStream(new ByteArrayInputStream(HexFormat.of().parseHex(hex)));
  }

  @Test
  void note() throws IOException {
    RecordDescriptor record = new RecordDescriptor(0x102, 0x103, 10, 4, 2);
    byte[] bytes = new byte[RecordDescriptor.BYTES];
    record.writeTo(bytes);
    assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(NOTE);
    assertThat(RecordDescriptor.readFrom(stream(NOTE))).isEqualTo(record);
    assertThat(record.isInDoubt()).isTrue();
  }

  @Test
  void layoutOfTheAreas() {
    OramConfig config = Subject.builder(90).maxRangeBlocks(8).build();
    byte[] layout = new DetWoScheme().layout(config);
    assertThat(HexFormat.of().formatHex(layout)).isEqualTo("0000000100000004");
    assertThat(AreasDescriptor.decode(config, layout).bytes()).isEqualTo(new Areas(config).bytes());
    layout[7] = 30;
    assertThat(AreasDescriptor.decode(config, layout).mostUnsynced()).isEqualTo(30);
    assertThat(AreasDescriptor.decode(config, layout).bytes())
        .isGreaterThan(new Areas(config).bytes());
  }

  /** Of a version before it was written, or of one that is to come. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00000004",
        "0000000100000000",
        "00000001ffffffff",
        "000000010000005b",
        "0000000000000004",
        "0000000200000004",
        "000000010000000400"
      })
  void anotherVersionsLayoutIsRefused(String layout) {
    OramConfig config = Subject.builder(90).maxRangeBlocks(8).build();
    assertThatThrownBy(() -> AreasDescriptor.decode(config, HexFormat.of().parseHex(layout)))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContainingAll("areas of DetWoORAM", "export");
  }

  @ParameterizedTest
  @CsvSource({
    "257, 0, 1, 1, 1", "258, 260, 1, 1, 1", "258, -1, 1, 1, 1", "258, 0, 90, 1, 1",
    "258, 0, -1, 1, 1", "258, 0, 88, 3, 1", "258, 0, 0, 9, 1", "258, 0, 1, -1, 1",
    "258, 0, 1, 1, 0", "258, 0, 1, 1, 3"
  })
  void aNoteThatNoClientMakesIsRefused(long first, long synced, int block, int count, int epoch) {
    Areas areas = new Areas(Subject.builder(90).maxRangeBlocks(8).build());
    new RecordDescriptor(258, 259, 89, 1, 2).check(258, areas, 8, 2);
    assertThatThrownBy(
            () -> new RecordDescriptor(first, synced, block, count, epoch).check(258, areas, 8, 2))
        .isInstanceOf(IntegrityException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "AES_256_GCM, MAIN, cf5e4cfe6f220ef5cbfec478e776b950018a76714f98966074ca806f72936e65",
    "AES_256_GCM, HOLDING, 9c42117b0fcfe6666df42ff70f1fc3e5991bcccb735fae98cd9e95e53504c0ef",
    "CHACHA20_POLY1305, MAIN, ddb00a72a0391d06d2a1880ae8d6b3a142a0c481a4444aebb499f0d221a6cdaf"
  })
  void page(BucketCipher.Algorithm algorithm, Area area, String sealed) throws IOException {
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) 7);
    EpochSalts salts = new EpochSalts();
    salts.readFrom(stream("00000001" + "000102030405060708090a0b0c0d0e0f"));
    UUID id = new UUID(0x4142434445464748L, 0x5152535455565758L);
    try (BucketKeys keys = new BucketKeys(MasterKey.copyOf(secret), id, 1, salts)) {
      PageCodec codec = new PageCodec(keys, id, algorithm, 4);
      byte[] page = new byte[PageCodec.pageBytes(4)];
      Page name = new Page().set(area, 0x0102030405L, 1);
      codec.seal(new byte[] {9, 1, 2, 3, 4}, 1, name, Nonces.fresh(), 0, page);
      for (byte[] either : List.of(page, HexFormat.of().parseHex(sealed))) {
        byte[] block = new byte[4];
        codec.open(either, name, block);
        codec.open(either, name, block);
        assertThat(block).containsExactly(1, 2, 3, 4);
      }
    }
  }

  @Test
  void stateIsAsLongWhateverWasWritten() throws IOException {
    OramConfig config = Subject.builder(10).set("holdingBlocks", 4).maxRangeBlocks(2).build();
    PageTable table = new PageTable(new Areas(config));
    table.written(3, 2, 1);
    table.written(9, 1, 2);
    byte[] state = saved(table);
    assertThat(HexFormat.of().formatHex(state))
        .isEqualTo(
            "00000000000000030000000000000003"
                + "00000002000000000000000000000001000000000000000200000002"
                + "00000002000000000000000000000001000000000000000500000002"
                + "0000003000021000");
    PageTable again = new PageTable(new Areas(config));
    again.readFrom(new DataInputStream(new ByteArrayInputStream(state)));
    assertThat(saved(again)).isEqualTo(state);
    PageTable other = new PageTable(new Areas(config));
    other.written(0, 1, 1);
    other.written(0, 2, 2);
    assertThat(saved(other)).hasSameSizeAs(state);
  }

  private static byte[] saved(PageTable table) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (StateCopy state = new StateCopy()) {
      table.copyTo(state);
      state.writePadded(new DataOutputStream(bytes));
    }
    return bytes.toByteArray();
  }
}
