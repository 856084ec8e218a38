package io.github.roram.cipher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NoncesTest {

  /** The sum is modulo 2^96: both carries. */
  @ParameterizedTest
  @CsvSource({
    "000000000000000000000000, 0, 000000000000000000000000",
    "000000070000000000000001, 5, 000000070000000000000006",
    "00000007ffffffffffffffff, 1, 000000080000000000000000",
    "00000007fffffffffffffff0, 32, 000000080000000000000010",
    "fffffffffffffffffffffffe, 2147483647, 00000000000000007ffffffd"
  })
  void messageHasBasePlusItsNumber(String base, int message, String nonce) {
    ByteBuffer target = ByteBuffer.allocate(14);
    Nonces.from(HexFormat.of().parseHex(base)).put(message, target, 1);
    assertThat(HexFormat.of().formatHex(target.array())).isEqualTo("00" + nonce + "00");
  }
}
