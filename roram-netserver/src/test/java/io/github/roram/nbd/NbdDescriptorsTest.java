package io.github.roram.nbd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.nbd.TransmissionDescriptor.NbdError;
import io.github.roram.nbd.TransmissionDescriptor.NbdRequest;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes of the protocol. */
final class NbdDescriptorsTest {

  private static String hex(ByteBuffer bytes) {
    byte[] array = new byte[bytes.remaining()];
    bytes.get(array);
    return HexFormat.of().formatHex(array);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void handshake() {
    assertThat(hex(HandshakeDescriptor.greeting()))
        .isEqualTo("4e42444d41474943" + "49484156454f5054" + "0003");
    assertThat(hex(HandshakeDescriptor.reply(7, HandshakeDescriptor.REP_INFO, new byte[] {9})))
        .isEqualTo("0003e889045565a9" + "00000007" + "00000003" + "00000001" + "09");
    assertThat(hex(HandshakeDescriptor.server("ab"))).isEqualTo("00000002" + "6162");
    assertThat(hex(HandshakeDescriptor.infoExport(4096, 0x102)))
        .isEqualTo("0000" + "0000000000001000" + "0102");
    assertThat(hex(HandshakeDescriptor.infoBlockSize(1, 4096, 1 << 25)))
        .isEqualTo("0003" + "00000001" + "00001000" + "02000000");
    assertThat(hex(HandshakeDescriptor.infoText(HandshakeDescriptor.INFO_NAME, "x")))
        .isEqualTo("0001" + "78");
    assertThat(hex(HandshakeDescriptor.exportNameEnd(1, 5, false)))
        .isEqualTo("0000000000000001" + "0005");
    assertThat(hex(HandshakeDescriptor.exportNameEnd(1, 5, true)))
        .isEqualTo("0000000000000001" + "0005" + "00".repeat(124));
  }

  @Test
  void transmission() {
    assertThat(hex(TransmissionDescriptor.simple(0x1122, NbdError.EIO)))
        .isEqualTo("67446698" + "00000005" + "0000000000001122");
    assertThat(hex(TransmissionDescriptor.data(1, 512, 3)))
        .isEqualTo(
            "668e33ef" + "0001" + "0001" + "0000000000000001" + "0000000b" + "0000000000000200");
    assertThat(hex(TransmissionDescriptor.none(1)))
        .isEqualTo("668e33ef" + "0001" + "0000" + "0000000000000001" + "00000000");
    assertThat(hex(TransmissionDescriptor.error(1, NbdError.EINVAL)))
        .isEqualTo(
            "668e33ef" + "0001" + "8001" + "0000000000000001" + "00000006" + "00000016" + "0000");
    assertThat(TransmissionDescriptor.flags(false, true, true)).isEqualTo(0b1001_1110_1101);
    assertThat(TransmissionDescriptor.flags(true, true, false)).isEqualTo(0b1_0000_0111);
    assertThat(TransmissionDescriptor.flags(false, false, true)).isEqualTo(0b0001_1100_1101);
  }

  @Test
  void requests() throws ProtocolException {
    byte[] bytes =
        HexFormat.of()
            .parseHex(
                "25609513"
                    + "0001"
                    + "0006"
                    + "0102030405060708"
                    + "0000000000000200"
                    + "ffffffff");
    NbdRequest request = NbdRequest.parse(bytes);
    assertThat(request).isEqualTo(new NbdRequest(1, 6, 0x0102030405060708L, 512, 0xffffffffL));
    bytes[0] = 0;
    assertThatThrownBy(() -> NbdRequest.parse(bytes)).isInstanceOf(ProtocolException.class);
  }
}
