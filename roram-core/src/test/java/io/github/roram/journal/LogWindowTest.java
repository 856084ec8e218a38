package io.github.roram.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** However long a journal is, reading it takes no more memory than its longest record. */
class LogWindowTest {

  private static final int LONGEST = 200_000;

  private final ClientVault vault = ClientVault.inMemory();

  @Test
  void anyPieceIsFoundAndNoMoreIsHeld() throws IOException {
    byte[] content = new byte[3_000_000];
    Random random = new Random(1);
    random.nextBytes(content);
    AppendLog log = vault.openLog("journal-0");
    log.append(ByteBuffer.wrap(content));
    long position = 0;
    try (LogWindow window = new LogWindow(log)) {
      assertThat(window.length()).isEqualTo(content.length);
      for (int i = 0; i < 2000; i++) {
        // Mostly forward, as a journal is read; now and then anywhere.
        int count = 1 + random.nextInt(i % 50 == 0 ? LONGEST : 3000);
        position = i % 90 == 0 ? random.nextInt(content.length) : position + random.nextInt(2000);
        position = Math.min(position, content.length - count);
        int index = window.locate(position, count);
        int from = (int) position;
        assertThat(Arrays.equals(window.bytes(), index, index + count, content, from, from + count))
            .isTrue();
        assertThat(window.bytes().length).isLessThanOrEqualTo(LONGEST);
      }
    }
  }

  @Test
  void aLogThatBecameShorterIsAnError() throws IOException {
    AppendLog log = vault.openLog("journal-0");
    log.append(ByteBuffer.allocate(500));
    try (LogWindow window = new LogWindow(log)) {
      assertThatThrownBy(() -> window.locate(400, 200)).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void accessesThatNoRecordCouldHoldAreRefused() {
    OramConfig largest =
        OramConfig.builder(1 << 18).maxRangeBlocks(1 << 16).blockBytes(8192 - 512).build();
    Journal.checkRecordsFit(largest, 2 << 16);
    OramConfig larger =
        OramConfig.builder(1 << 18).maxRangeBlocks(1 << 16).blockBytes(8192).build();
    assertThatThrownBy(() -> Journal.checkRecordsFit(larger, 2 << 16))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("65536 blocks of 8192 bytes", "1073741824", "lower maxRange");
  }
}
