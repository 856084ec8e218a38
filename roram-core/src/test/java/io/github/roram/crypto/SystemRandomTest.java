package io.github.roram.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SystemRandomTest {

  @Test
  void fillsArraysWithOtherBytesEachTime() {
    byte[] first = new byte[32];
    byte[] second = new byte[32];
    SystemRandom.fill(first);
    SystemRandom.fill(second);
    assertThat(first).isNotEqualTo(second).isNotEqualTo(new byte[32]);
  }

  /** An interrupted thread still seals, and the device stays open for the others. */
  @Test
  void interruptsDoNoHarm() {
    Thread.currentThread().interrupt();
    SystemRandom.fill(new byte[12]);
    assertThat(Thread.interrupted()).isTrue();
    SystemRandom.fill(new byte[12]);
  }

  /**
   * Nothing is asked for ahead, or what is left over would be the same in copies of the process.
   */
  @Test
  void readsWhatIsAskedForAndNoMore() {
    AtomicInteger asked = new AtomicInteger();
    SystemRandom random =
        new SystemRandom(
            () ->
                SystemRandom.of(
                    new ByteArrayInputStream(new byte[100]) {
                      @Override
                      public synchronized int read(byte[] bytes, int offset, int length) {
                        asked.addAndGet(length);
                        return super.read(bytes, offset, length);
                      }
                    }));
    random.draw(new byte[12]);
    random.draw(new byte[4]);
    assertThat(asked).hasValue(16);
  }

  @Test
  void aDeviceThatEndsOrIsMissingSealsNothing() {
    SystemRandom ended =
        new SystemRandom(() -> SystemRandom.of(new ByteArrayInputStream(new byte[11])));
    assertThatThrownBy(() -> ended.draw(new byte[12]))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("11 of 12 bytes", "/dev/urandom");
    SystemRandom missing =
        new SystemRandom(
            () -> {
              throw new IOException("no such device");
            });
    assertThatThrownBy(() -> missing.draw(new byte[1])).hasMessageContaining("no such device");
  }
}
