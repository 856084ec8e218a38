package io.github.roram.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.cipher.SivCipher;
import io.github.roram.crypto.MasterKey;
import io.github.roram.journal.JournalPosition;
import io.github.roram.store.BlockStore;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class WatermarkTest {

  private static final Watermark WATERMARK = new Watermark(3, new JournalPosition(5, 0x1234));

  private static SivCipher cipher(int salt) {
    try (MasterKey key = MasterKey.copyOf(new byte[MasterKey.BYTES])) {
      return new SivCipher(key, "roram watermark", new byte[] {(byte) salt});
    }
  }

  /** The bytes that stores have: changing them makes every store refuse its client. */
  @Test
  void golden() {
    byte[] plain = WATERMARK.encode(7);
    assertThat(HexFormat.of().formatHex(plain))
        .isEqualTo(
            "0000000000000007" + "0000000000000003" + "0000000000000005" + "0000000000001234");
    assertThat(Watermark.decode(plain)).isEqualTo(WATERMARK);
    assertThat(HexFormat.of().formatHex(cipher(1).seal(plain)))
        .isEqualTo(
            "7663dcab795f2778d76241c235ad53971e67b19a95327a3e2e104a62145e6900"
                + "69e2a4a63fd6e36be3c50987a36ad253f1e2bd084c22f27fc0b21b45779f6cc7");
  }

  @Test
  void opensAsItWasSealedAndNothingElseDoes() {
    byte[] plain = WATERMARK.encode(7);
    byte[] sealed = cipher(1).seal(plain);
    assertThat(sealed).hasSize(BlockStore.WATERMARK_BYTES);
    assertThat(cipher(1).open(sealed)).hasValue(plain);
    assertThat(cipher(2).open(sealed)).isEmpty();
    assertThat(cipher(1).open(new byte[BlockStore.WATERMARK_BYTES])).isEmpty();
    for (int bit = 0; bit < 8 * sealed.length; bit++) {
      byte[] changed = sealed.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(cipher(1).open(changed)).isEmpty();
    }
  }

  /** Two seals share nothing, whatever they have in common. */
  @Test
  void twoOfTheSameLookDifferent() {
    byte[] first = cipher(1).seal(WATERMARK.encode(7));
    byte[] second = cipher(1).seal(WATERMARK.encode(8));
    int same = 0;
    for (int i = 0; i < first.length; i++) {
      same += first[i] == second[i] ? 1 : 0;
    }
    assertThat(same).isLessThan(8);
  }

  @Test
  void recordsHoldAWatermarkIfTheyHoldAllOfIt() {
    assertThat(WATERMARK.isWithin(WATERMARK)).isTrue();
    assertThat(WATERMARK.isWithin(new Watermark(4, new JournalPosition(6, 0)))).isTrue();
    assertThat(WATERMARK.isWithin(new Watermark(2, new JournalPosition(6, 0)))).isFalse();
    assertThat(WATERMARK.isWithin(new Watermark(4, new JournalPosition(5, 0x1233)))).isFalse();
    assertThat(WATERMARK.isWithin(new Watermark(4, new JournalPosition(4, 0x9999)))).isFalse();
  }
}
