package io.github.roram.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The test vectors of RFC 5869, appendix A, that use SHA-256. */
class HkdfTest {

  @ParameterizedTest
  @CsvSource({
    "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b, 000102030405060708090a0b0c,"
        + " f0f1f2f3f4f5f6f7f8f9, 3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
        + "34007208d5b887185865",
    "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b, '', '',"
        + " 8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
  })
  void vectors(String secret, String salt, String info, String expected) {
    assertThat(derive(secret, salt, info, expected.length() / 2)).isEqualTo(expected);
  }

  /** Test case 2: inputs of 80 bytes that count up from 00, 60 and b0. */
  @Test
  void longInputs() {
    assertThat(derive(counting(0x00), counting(0x60), counting(0xb0), 82))
        .isEqualTo(
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c6"
                + "5e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87");
  }

  @Test
  void moreThanItCanGiveIsRefused() {
    assertThat(Hkdf.derive(new byte[1], new byte[1], new byte[1], 8160)).hasSize(8160);
    assertThatThrownBy(() -> Hkdf.derive(new byte[1], new byte[1], new byte[1], 8161))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("8160");
  }

  private static String derive(String secret, String salt, String info, int bytes) {
    HexFormat hex = HexFormat.of();
    return hex.formatHex(
        Hkdf.derive(hex.parseHex(secret), hex.parseHex(salt), hex.parseHex(info), bytes));
  }

  private static String counting(int from) {
    byte[] bytes = new byte[80];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (from + i);
    }
    return HexFormat.of().formatHex(bytes);
  }
}
