package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.remote.protocol.LeaseToken;
import io.github.roram.store.ClientVault;
import io.github.roram.store.StoreDamagedException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The server's record of a volume: the bytes of both versions, and nothing else. */
final class VolumeRecordDescriptorTest {

  private static final VolumeRecordDescriptor RECORD =
      new VolumeRecordDescriptor(1, 2, new LeaseToken(3, 4), "me", "alice", 5);
  private static final String NUMBERS =
      "0000000000000001" + "0000000000000002" + "0000000000000003" + "0000000000000004";
  private static final String VERSION_1 =
      "524f52414d564f4c" + "00000001" + NUMBERS + "00026d65" + "2d5deb9c";
  private static final String VERSION_2 =
      "524f52414d564f4c"
          + "00000002"
          + NUMBERS
          + "00026d65"
          + "0005616c696365"
          + "0000000000000005"
          + "c48dadf9";

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  @Test
  void bytesAreThoseOfTheDocument() throws IOException {
    assertThat(HexFormat.of().formatHex(RECORD.encode())).isEqualTo(VERSION_2);
    assertThat(VolumeRecordDescriptor.decode(bytes(VERSION_2), "v")).isEqualTo(RECORD);
  }

  @Test
  void recordsOfEarlierServersAreRead() throws IOException {
    assertThat(VolumeRecordDescriptor.decode(bytes(VERSION_1), "v"))
        .isEqualTo(new VolumeRecordDescriptor(1, 2, new LeaseToken(3, 4), "me", "", 0));
  }

  @Test
  void whatIsDamagedOrTooNewIsToldApart() {
    byte[] whole = RECORD.encode();
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> VolumeRecordDescriptor.decode(flipped, "v"))
          .isInstanceOf(StoreDamagedException.class)
          .hasMessageContaining("corrupt");
    }
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> VolumeRecordDescriptor.decode(cut, "v"))
          .isInstanceOf(StoreDamagedException.class);
    }
    assertThatThrownBy(
            () ->
                VolumeRecordDescriptor.decode(
                    bytes("524f52414d564f4c" + "00000003" + "4d82d042"), "v"))
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContaining("version 3");
  }

  @Test
  void aVolumeWithoutARecordIsNobodys() throws IOException {
    assertThat(VolumeRecordDescriptor.load(ClientVault.inMemory(), "v"))
        .isEqualTo(VolumeRecordDescriptor.NONE);
  }
}
