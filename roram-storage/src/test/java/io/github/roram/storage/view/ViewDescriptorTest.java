package io.github.roram.storage.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.OramConfig;
import io.github.roram.Preset;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ViewDescriptorTest {

  private static final OramConfig CONFIG =
      OramConfig.builder(1000)
          .blockBytes(512)
          .maxRangeBlocks(64)
          .treetopBytes(65536)
          .writeShare(0.25)
          .build();

  private static final View VIEW =
      new View(
          CONFIG,
          ByteBuffer.wrap(new byte[] {1, 2, 3}),
          List.of(
              new Sight(0, Observer.STORE, Action.OPEN, 0, "", 0, 0),
              new Sight(0, Observer.VAULT, Action.OPEN, 0, "journal-0", 0, 0),
              new Sight(1, Observer.DECLARED, Action.ACCESS, 0, "", 0, 8),
              new Sight(1, Observer.VAULT, Action.APPEND, 0, "journal-0", 0, 300),
              new Sight(1, Observer.STORE, Action.READ, 1, "", 1L << 40, 4096),
              new Sight(1, Observer.STORE, Action.READ, 1, "", 4096, 512),
              new Sight(1, Observer.NETWORK, Action.SEND, 3, "", 0, 16406),
              new Sight(0, Observer.VAULT, Action.SAVE, 1, "state", 0, 70_000),
              new Sight(1, Observer.STORE, Action.SYNC, 2, "", 0, 0),
              new Sight(1, Observer.DECLARED, Action.SCAN, 0, "", 0, 0),
              new Sight(1, Observer.STORE, Action.WATERMARK, 0, "", 0, 64),
              new Sight(1, Observer.DECLARED, Action.GROW, 0, "", 0, 2000)));

  private static final String GOLDEN_HEAD = "724f52414d767731" + "0005" + "0000" + "f1537c42";

  /** What version 4 wrote: it must stay readable. */
  private static final String LAST_HEAD = "724f52414d767731" + "0004" + "0000" + "5412ee3c";

  private static final String GOLDEN_SIGHTS =
      "240000000044000000096a6f75726e616c2d3000010200084a000000ac022600028080808080408020"
          + "260000ffffffffff3f80046d000696800149010201057374617465f0a204280202ff47000f000000"
          + "3000030040";

  /** What version 3 wrote. */
  private static final String OLD_HEAD = "724f52414d767731" + "0003" + "0000" + "20e28a55";

  /** What version 2 wrote. */
  private static final String OLDER_HEAD = "724f52414d767731" + "0002" + "0000" + "85a3182b";

  private static final String SIGHTS =
      "05726f72616d00000000000003e800000200000c0670726573657407636f6d706163740e6d617852"
          + "616e6765426c6f636b730236340b6275636b6574536c6f747301340c6576696374696f6e52617465"
          + "01330d626c6f636b735065724c65616601340c74726565746f7042797465730536353533360a6368"
          + "756e6b5061746873033235360c77696e646f77426c6f636b73033736381073746173684c696d6974"
          + "426c6f636b7304313032340b73697a65436c61737365730d302c312c322c332c342c352c36057472"
          + "65657303302c350a7772697465536861726504302e3235140000000024000000096a6f75726e616c"
          + "2d3000010200082a000000ac021600028080808080408020160000ffffffffff3f80043d00069680"
          + "0129010201057374617465f0a204180202ff4700";

  private static final String GOLDEN_CONFIG = SIGHTS.substring(0, SIGHTS.indexOf("14000000002400"));

  private static final String GOLDEN_BODY =
      GOLDEN_CONFIG
          + "00000003010203"
          + GOLDEN_SIGHTS
          + "110000d00f"
          + "00"
          + "000000000000000c"
          + "78caa5ff";

  private static final String LAST_BODY =
      GOLDEN_CONFIG + GOLDEN_SIGHTS + "00" + "000000000000000b" + "8d0b9d12";

  private static final String OLD_BODY =
      SIGHTS + "0f000000" + "00" + "000000000000000a" + "7e16be7a";

  /** As it was without the scan. */
  private static final String OLDER_BODY = SIGHTS + "00" + "0000000000000009" + "e7914b4f";

  @TempDir Path directory;

  private Path file(byte[] content) throws IOException {
    return Files.write(directory.resolve("view"), content);
  }

  private byte[] written() throws IOException {
    Path file = directory.resolve("written");
    ViewWriter.write(VIEW, file);
    return Files.readAllBytes(file);
  }

  private static byte[] body(byte[] content) throws IOException {
    int head = ViewDescriptor.HEAD_BYTES;
    try (var in =
        new InflaterInputStream(
            new java.io.ByteArrayInputStream(content, head, content.length - head))) {
      return in.readAllBytes();
    }
  }

  @Test
  void writesTheGoldenBytes() throws IOException {
    byte[] content = written();
    HexFormat hex = HexFormat.of();
    assertThat(hex.formatHex(content, 0, ViewDescriptor.HEAD_BYTES)).isEqualTo(GOLDEN_HEAD);
    assertThat(hex.formatHex(body(content))).isEqualTo(GOLDEN_BODY);
  }

  @Test
  void readsTheGoldenBytes() throws IOException {
    assertThat(ViewReader.read(file(content(GOLDEN_HEAD, GOLDEN_BODY)))).isEqualTo(VIEW);
  }

  @Test
  void readsTheVersionsBefore() throws IOException {
    int sights = VIEW.sights().size();
    assertThat(ViewReader.read(file(content(LAST_HEAD, LAST_BODY))))
        .isEqualTo(new View(CONFIG, VIEW.sights().subList(0, sights - 1)));
    assertThat(ViewReader.read(file(content(OLD_HEAD, OLD_BODY))))
        .isEqualTo(new View(CONFIG, VIEW.sights().subList(0, sights - 2)));
    assertThat(ViewReader.read(file(content(OLDER_HEAD, OLDER_BODY))))
        .isEqualTo(new View(CONFIG, VIEW.sights().subList(0, sights - 3)));
  }

  private static byte[] content(String head, String body) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.writeBytes(HexFormat.of().parseHex(head));
    try (var deflater = new java.util.zip.DeflaterOutputStream(content)) {
      deflater.write(HexFormat.of().parseHex(body));
    }
    return content.toByteArray();
  }

  @Test
  void keepsEveryConfiguration() throws IOException {
    for (OramConfig config :
        List.of(
            OramConfig.builder(1 << 20).build(),
            OramConfig.builder(100).sizeClasses(0, 2, 4).maxRangeBlocks(16).build(),
            OramConfig.builder(5000).preset(Preset.PAPER).build(),
            OramConfig.builder(5000).preset(Preset.PROVEN).trees(0).build(),
            OramConfig.builder(77).scheme("path-batched").build(),
            OramConfig.builder(77).scheme("path").recursivePositionMap(true).build())) {
      Path file = directory.resolve("view");
      ViewWriter.write(new View(config, List.of()), file);
      assertThat(ViewReader.read(file)).isEqualTo(new View(config, List.of()));
    }
  }

  @Test
  void everyFlippedBitAndEveryTruncationIsCorruption() throws IOException {
    byte[] content = written();
    int harmless = 0;
    for (int bit = 0; bit < 8 * content.length; bit++) {
      byte[] flipped = content.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      harmless += isHarmless(flipped) ? 1 : 0;
    }
    // Bits of the compression that mean nothing, as those that fill its last byte.
    assertThat(harmless).isLessThan(16);
    for (int bytes = 0; bytes < content.length; bytes++) {
      assertCorrupt(Arrays.copyOf(content, bytes));
    }
  }

  /** Whether a change of the file changes nothing that is read; else it must be told. */
  private boolean isHarmless(byte[] content) throws IOException {
    try {
      assertThat(ViewReader.read(file(content))).isEqualTo(VIEW);
      return true;
    } catch (ViewFormatException e) {
      return false;
    }
  }

  private void assertCorrupt(byte[] content) throws IOException {
    Path file = file(content);
    assertThatThrownBy(() -> ViewReader.read(file))
        .isInstanceOf(ViewFormatException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void otherVersionsAreTooOldOrTooNew() throws IOException {
    Path tooOld = file(ofVersion(1));
    assertThatThrownBy(() -> ViewReader.read(tooOld))
        .isInstanceOf(ViewVersionException.class)
        .hasMessageContaining("format version 1, too old");
    Path tooNew = file(ofVersion(6));
    assertThatThrownBy(() -> ViewReader.read(tooNew))
        .isInstanceOf(ViewVersionException.class)
        .hasMessageContaining("format version 6, too new");
  }

  private byte[] ofVersion(int version) throws IOException {
    ByteBuffer content = ByteBuffer.wrap(written()).putShort(8, (short) version);
    CRC32C crc = new CRC32C();
    crc.update(content.array(), 0, 12);
    return content.putInt(12, (int) crc.getValue()).array();
  }

  @Test
  void aRecorderWritesAsItSees() throws IOException {
    Path file = directory.resolve("view");
    try (ViewWriter writer = ViewWriter.create(file, CONFIG, ByteBuffer.allocate(0))) {
      ViewRecorder recorder = new ViewRecorder(writer);
      recorder.access(4);
      recorder.crash();
    }
    assertThat(ViewReader.read(file).sights())
        .extracting(Sight::action)
        .containsExactly(Action.ACCESS, Action.CRASH);
  }
}
