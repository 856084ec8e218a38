package io.github.roram.maptree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.journal.Intent;
import io.github.roram.stash.Stash;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes of a look-up in a journal. */
class LookUpDescriptorTest {

  private static final Intent PART =
      new Intent(7, 2, new int[] {5, -1}, new int[] {2, 1}, new int[] {3, 0});

  /** Map block 5, and none. */
  private static final String BYTES = "00000005" + "01020304" + "ffffffff" + "00000000";

  private final Stash stash = new Stash(4);

  @Test
  void golden() throws IOException {
    stash.put(5, 2, new byte[] {1, 2, 3, 4}, 0);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    LookUpDescriptor.write(PART, stash, out);
    assertThat(HexFormat.of().formatHex(bytes.toByteArray())).isEqualTo(BYTES);
  }

  @Test
  void readsWhatWasWritten() throws IOException {
    DataInputStream in = in(BYTES);
    LookUpDescriptor.read(PART, stash, in);
    assertThat(in.available()).isZero();
    int slot = stash.find(5);
    assertThat(stash.label(slot)).isEqualTo(2);
    assertThat(stash.array(slot)[stash.offset(slot) + 3]).isEqualTo((byte) 4);
    assertThat(stash.size()).isEqualTo(1);
  }

  @Test
  void anotherMapBlockIsRefused() {
    assertThatThrownBy(() -> LookUpDescriptor.read(PART, stash, in("00000004")))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContainingAll("map block 4 of tree 2", "in place of 5");
  }

  private static DataInputStream in(String hex) {
    return new DataInputStream(new ByteArrayInputStream(HexFormat.of().parseHex(hex)));
  }
}
