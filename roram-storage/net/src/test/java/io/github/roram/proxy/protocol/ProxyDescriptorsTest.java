package io.github.roram.proxy.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.OramStats.TreeStats;
import io.github.roram.proxy.protocol.AnswerDescriptor.AnswerStatus;
import io.github.roram.proxy.protocol.RequestDescriptor.RequestType;
import io.github.roram.storage.remote.protocol.ProtocolException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes of the protocol, which never change. */
class ProxyDescriptorsTest {

  private static String hex(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return HexFormat.of().formatHex(copy);
  }

  private static ByteBuffer bytes(String hex) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
  }

  @Test
  void requestsAreAsTheyWere() throws IOException {
    RequestDescriptor request =
        new RequestDescriptor(RequestType.WRITE, 0x0102030405060708L, 0x1112131415L, 16, 4096);
    String golden =
        "52505851"
            + "02"
            + "03"
            + "0000"
            + "0102030405060708"
            + "0000001112131415"
            + "00000010"
            + "00001000";
    assertThat(hex(request.encode())).isEqualTo(golden);
    assertThat(RequestDescriptor.decode(bytes(golden).array())).isEqualTo(request);
    assertThat(RequestType.of(1)).isEqualTo(RequestType.HELLO);
    assertThat(RequestType.of(2)).isEqualTo(RequestType.READ);
    assertThat(RequestType.of(4)).isEqualTo(RequestType.FLUSH);
    assertThat(RequestType.of(5)).isEqualTo(RequestType.STATS);
    assertThat(RequestType.of(6)).isEqualTo(RequestType.SCATTERED);
  }

  @Test
  void scatteredBlocksAreAsTheyWere() throws IOException {
    String blocks = "0000000000000007" + "0000000000000002";
    ScatteredDescriptor read = ScatteredDescriptor.reading(new long[] {7, 2});
    assertThat(hex(read.encode())).isEqualTo("0002" + "0000" + blocks);
    ByteBuffer before = bytes("aabb");
    ScatteredDescriptor write =
        ScatteredDescriptor.writing(new long[] {7, 2}, before, bytes("0102"));
    String golden =
        "0002"
            + "0001"
            + blocks
            + "bceef655b5a034911f1c3718ce056531b45ef03b4c7b1f15629e867294011a7d"
            + "cbecda1c7d37d4c0aa5466243bb4a0018c31bf06d74fa7338290dd3068db4fed"
            + "0102";
    assertThat(hex(write.encode())).isEqualTo(golden);
    ScatteredDescriptor decoded = ScatteredDescriptor.decode(write.encode(), 1);
    assertThat(decoded.blocks()).containsExactly(7, 2);
    assertThat(decoded.writes()).isTrue();
    assertThat(decoded.isAsExpected(1, bytes("bb"))).isTrue();
    assertThat(decoded.isAsExpected(1, bytes("aa"))).isFalse();
    assertThat(hex(decoded.content(1))).isEqualTo("02");
    assertThat(write.encode().remaining()).isLessThan((int) ScatteredDescriptor.mostBytes(1));
    assertThat(ScatteredDescriptor.mostAnswered(read.encode().remaining(), 512))
        .isGreaterThanOrEqualTo(ScatteredDescriptor.ANSWER_HEAD_BYTES + 2 * 512);
  }

  @Test
  void whatNamesNoScatteredBlocksIsRefused() {
    for (String payload :
        new String[] {
          "",
          "0000" + "0000",
          "0001" + "0000",
          "0001" + "0002" + "0000000000000001",
          "0001" + "0001" + "0000000000000001",
          "0011" + "0000" + "0000000000000001".repeat(17)
        }) {
      assertThatThrownBy(() -> ScatteredDescriptor.decode(bytes(payload), 512))
          .isInstanceOf(ProtocolException.class);
    }
  }

  @Test
  void whatIsNoRequestIsRefused() {
    String golden =
        "52505851"
            + "02"
            + "02"
            + "0000"
            + "0000000000000001"
            + "0000000000000000"
            + "00000001"
            + "00000001";
    for (String[] other :
        new String[][] {
          {"5250", "16 03"},
          {"0202", "0302"},
          {"0202", "0207"},
          {"0202", "0200"},
          {"020000", "020001"}
        }) {
      String damaged = golden.replaceFirst(other[0], other[1].replace(" ", ""));
      assertThatThrownBy(() -> RequestDescriptor.decode(bytes(damaged).array()))
          .isInstanceOf(ProtocolException.class);
    }
    String negative = golden.substring(0, 56) + "80000000";
    assertThatThrownBy(() -> RequestDescriptor.decode(bytes(negative).array()))
        .isInstanceOf(ProtocolException.class);
  }

  @Test
  void answersAreAsTheyWere() throws IOException {
    AnswerDescriptor answer = new AnswerDescriptor(AnswerStatus.DAMAGED, 7, 512);
    String golden = "52505841" + "0005" + "0000" + "0000000000000007" + "00000200";
    assertThat(hex(answer.encode())).isEqualTo(golden);
    assertThat(AnswerDescriptor.decode(bytes(golden))).isEqualTo(answer);
    int code = 0;
    for (AnswerStatus status : AnswerStatus.values()) {
      assertThat(status.code()).isEqualTo(code++);
      assertThat(AnswerStatus.of(status.code())).isEqualTo(status);
    }
    assertThat(AnswerStatus.of(99)).isEqualTo(AnswerStatus.INTERNAL);
    assertThatThrownBy(() -> AnswerDescriptor.decode(bytes("524f524d" + golden.substring(8))))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("no proxy");
  }

  @Test
  void welcomesAreAsTheyWere() throws IOException {
    OramConfig config = OramConfig.builder(100).scheme("path").blockBytes(512).build();
    WelcomeDescriptor welcome = new WelcomeDescriptor(config, 4096, 64, 77);
    String text = hex(welcome.encode());
    assertThat(text)
        .startsWith(
            "0000000000000064"
                + "00000200"
                + "00001000"
                + "00000040"
                + "000000000000004d"
                + "0004"
                + "70617468");
    assertThat(WelcomeDescriptor.decode(bytes(text))).isEqualTo(welcome);
    OramConfig other = OramConfig.builder(5000).maxRangeBlocks(64).sizeClasses(0, 3, 6).build();
    WelcomeDescriptor second = new WelcomeDescriptor(other, 1, 1, WelcomeDescriptor.DURABLE);
    assertThat(WelcomeDescriptor.decode(second.encode())).isEqualTo(second);
    assertThatThrownBy(() -> WelcomeDescriptor.decode(bytes(text.substring(0, 60))))
        .isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> WelcomeDescriptor.decode(bytes(text + "00")))
        .isInstanceOf(ProtocolException.class);
  }

  @Test
  void countersAreAsTheyWere() throws IOException {
    TreeStats tree = new TreeStats(4, 5, 6, 7, 8, 9, 10, 11, true, 12);
    OramStats stats = new OramStats(1, 2, 3, List.of(tree));
    String golden =
        "0000000000000001"
            + "0000000000000002"
            + "0000000000000003"
            + "00000001"
            + "00000004"
            + "00000005"
            + "00000006"
            + "0000000000000007"
            + "00000008"
            + "00000009"
            + "0000000a"
            + "000000000000000b"
            + "000000000000000c"
            + "00000001";
    assertThat(hex(StatsDescriptor.encode(stats))).isEqualTo(golden);
    assertThat(StatsDescriptor.decode(bytes(golden))).isEqualTo(stats);
    assertThatThrownBy(() -> StatsDescriptor.decode(bytes(golden.substring(2))))
        .isInstanceOf(ProtocolException.class);
    assertThatThrownBy(
            () ->
                StatsDescriptor.decode(
                    bytes(golden.substring(0, 48) + "00000002" + golden.substring(56))))
        .isInstanceOf(ProtocolException.class);
  }
}
