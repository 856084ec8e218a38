package io.github.roram.storage.striped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.store.StoreDamagedException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class StripeDescriptorTest {

  private static final StripeDescriptor DESCRIPTOR =
      new StripeDescriptor(new UUID(0x0102030405060708L, 0x090a0b0c0d0e0f10L), 2, 5, 1L << 40, 0);

  /** What version 1 wrote, but for the zeros that follow: it must stay readable. */
  private static final String GOLDEN =
      "524f52414d535452"
          + "00000001"
          + "00000000"
          + "0102030405060708090a0b0c0d0e0f10"
          + "00000002"
          + "00000005"
          + "0000010000000000"
          + "83757de5";

  private static byte[] golden() {
    return Arrays.copyOf(HexFormat.of().parseHex(GOLDEN), StripeDescriptor.BYTES);
  }

  @Test
  void writesAndReadsTheGoldenBytes() throws IOException {
    assertThat(DESCRIPTOR.encode()).isEqualTo(golden());
    assertThat(StripeDescriptor.decode(golden(), "stripe")).isEqualTo(DESCRIPTOR);
  }

  @Test
  void theTopHasThePlaceOfAZero() throws IOException {
    StripeDescriptor most =
        new StripeDescriptor(DESCRIPTOR.storeId(), 1, 2, 1L << 40, StripeDescriptor.MOST_TOP_BYTES);
    assertThat(StripeDescriptor.decode(most.encode(), "stripe")).isEqualTo(most);
    byte[] encoded = most.encode();
    assertThat(Arrays.copyOfRange(encoded, 12, 16)).containsOnly(0xff);
  }

  @Test
  void everyFlippedBitIsFound() {
    for (int bit = 0; bit < 8 * 52; bit++) {
      byte[] flipped = golden();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> StripeDescriptor.decode(flipped, "stripe 1"))
          .isInstanceOf(StoreDamagedException.class)
          .hasMessageContaining("stripe 1");
    }
  }
}
