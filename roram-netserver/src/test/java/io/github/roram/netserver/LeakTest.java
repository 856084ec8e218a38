package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.testkit.Batches;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Servers that come and go and reads that fail lose no buffer; and {@link LeakCheck} would know.
 */
@Isolated("loses a buffer on purpose, which would look lost by others")
final class LeakTest extends ServerTest {

  @Test
  void noBufferIsLost() throws Exception {
    assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
    try (RemoteStore store = open(OPTIONS)) {
      for (int round = 0; round < 5; round++) {
        byte[] content = Batches.noise(300 * UNIT_BYTES, round);
        Batches.write(store, units(0, 300), content);
        assertThat(Batches.read(store, units(0, 300))).isEqualTo(content);
        assertThatThrownBy(
                () ->
                    store.read(
                        units(0, 300),
                        (unit, bytes) -> {
                          throw new IOException("mine");
                        }))
            .hasMessage("mine");
        restart();
      }
    }
    assertThat(LeakCheck.leaks(20)).isEmpty();
    loseOne();
    assertThat(LeakCheck.leaks(20))
        .as("the detector finds one that was lost on purpose")
        .isNotEmpty();
    RecordedLeaks.FOUND.clear();
  }

  private static void loseOne() {
    ByteBuf lost = ByteBufAllocator.DEFAULT.directBuffer(100);
    assertThat(lost.refCnt()).isEqualTo(1);
  }
}
