package io.github.roram.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.BitSet;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes of what a journal says of tombstones. */
class GoneTombstonesDescriptorTest {

  /** Of 11, numbers 0, 3 and 9; 26 at most. */
  private static final String BYTES = "0000000b" + "09020000";

  private static DataInputStream stream(String hex) {
    return new DataInputStream(new ByteArrayInputStream(HexFormat.of().parseHex(hex)));
  }

  @Test
  void golden() throws IOException {
    BitSet gone = new BitSet();
    gone.set(0);
    gone.set(3);
    gone.set(9);
    byte[] bytes = GoneTombstonesDescriptor.encode(new TombstoneLiveness.Gone(11, gone), 26);
    assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(BYTES);
    assertThat(GoneTombstonesDescriptor.read(stream(BYTES), 11)).isEqualTo(gone);
  }

  @Test
  void isAsLongWhateverLeft() {
    assertThat(GoneTombstonesDescriptor.encode(new TombstoneLiveness.Gone(0, new BitSet()), 26))
        .hasSize(8);
    assertThat(GoneTombstonesDescriptor.encode(new TombstoneLiveness.Gone(26, new BitSet()), 26))
        .hasSize(8);
  }

  @Test
  void anotherNumberIsRefused() {
    assertThatThrownBy(() -> GoneTombstonesDescriptor.read(stream(BYTES), 10))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("11 tombstones, not 10");
  }
}
