package io.github.roram.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.cipher.LabelPrf;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class MasterKeyTest {

  private static final int AES_OF_ONE_ONE = 298528446;

  @Test
  void derivesByHkdfOfRfc5869() throws Exception {
    byte[] secret = new byte[32];
    byte[] salt = {1, 2, 3};
    byte[] prk = hmac(salt, secret);
    byte[] info = "purpose".getBytes(StandardCharsets.UTF_8);
    byte[] input = Arrays.copyOf(info, info.length + 1);
    input[info.length] = 1;
    try (MasterKey key = MasterKey.copyOf(secret)) {
      assertThat(key.derive("purpose", salt, 32)).isEqualTo(hmac(prk, input));
      assertThat(key.derive("other", salt, 32)).isNotEqualTo(key.derive("purpose", salt, 32));
    }
  }

  private static byte[] hmac(byte[] key, byte[] data) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(data);
  }

  @Test
  void isOfNoUseOnceClosed() {
    MasterKey key = MasterKey.generate();
    MasterKey copy = key.duplicate();
    key.close();
    key.close();
    assertThatThrownBy(() -> key.derive("x", new byte[1], 32))
        .isInstanceOf(IllegalStateException.class);
    assertThat(copy.derive("x", new byte[1], 32)).hasSize(32);
    copy.close();
    assertThat(key.toString()).isEqualTo("MasterKey");
  }

  @Test
  void refusesOtherLengths() {
    assertThatThrownBy(() -> MasterKey.copyOf(new byte[31]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("31");
  }

  @Test
  void firstLabelsAreUniformAndOutliveTheProcess() throws IOException {
    LabelPrf prf = new LabelPrf();
    prf.readFrom(new DataInputStream(new ByteArrayInputStream(new byte[32])));
    int[] counts = new int[16];
    for (int range = 0; range < 16_000; range++) {
      counts[prf.label(3, range, 16)]++;
    }
    double chiSquared = 0;
    for (int count : counts) {
      chiSquared += (count - 1000.0) * (count - 1000.0) / 1000;
    }
    // 15 degrees of freedom: exceeded once in 10^6 keys, and the key is fixed.
    assertThat(chiSquared).isLessThan(56);
    assertThat(prf.label(1, 1, 1 << 30)).isEqualTo(AES_OF_ONE_ONE);
    assertThat(new LabelPrf().label(1, 1, 1 << 30)).isNotEqualTo(AES_OF_ONE_ONE);
  }
}
