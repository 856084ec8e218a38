package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.crypto.MasterKey;
import org.junit.jupiter.api.Test;

final class PassphraseParametersTest {

  @Test
  void passphrasesDependOnSalt() {
    PassphraseParameters parameters =
        new PassphraseParameters(8 * 1024, 1, 1, "00112233445566778899aabbccddeeff");
    byte[] first = secret(parameters, "correct horse");
    assertThat(secret(parameters, "correct horse")).isEqualTo(first);
    assertThat(secret(parameters, "correct horsf")).isNotEqualTo(first);
    assertThat(
            secret(
                new PassphraseParameters(8 * 1024, 1, 1, "ff112233445566778899aabbccddeeff"),
                "correct horse"))
        .isNotEqualTo(first);
  }

  private static byte[] secret(PassphraseParameters parameters, String passphrase) {
    try (MasterKey key = parameters.derive(passphrase.toCharArray())) {
      byte[] secret = new byte[MasterKey.BYTES];
      key.copyTo(secret);
      return secret;
    }
  }

  /** Before anything is taken: the record that has them may be forged. */
  @Test
  void moreMemoryThanTheHeapHasIsRefused() {
    PassphraseParameters parameters =
        new PassphraseParameters(64 * 1024, 1, 1, "00112233445566778899aabbccddeeff");
    assertThatThrownBy(() -> parameters.derive("x".toCharArray(), 63 << 20))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("64 MiB", "63 MiB", "-Xmx", "restore the record");
  }

  @Test
  void hostileParametersAreRefused() {
    String salt = "00112233445566778899aabbccddeeff";
    assertThatThrownBy(() -> new PassphraseParameters(2_000_000_000, 1, 1, salt))
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> new PassphraseParameters(8192, 1000, 1, salt))
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> new PassphraseParameters(8192, 1, 1, "00"))
        .isInstanceOf(ConfigurationException.class);
  }
}
