package io.github.roram.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What accesses are taken to need follows their median. */
final class AccessTimeTest {

  private final AccessTime time = new AccessTime();

  private void took(long nanos, int times) {
    for (int i = 0; i < times; i++) {
      time.took(nanos);
    }
  }

  @Test
  void isNeitherShortNorLongAtFirst() {
    assertThat(time.isShort()).isFalse();
    assertThat(time.isLong()).isFalse();
  }

  /** Every third access loses its processor for ten milliseconds. */
  @Test
  void theSlowestThirdSaysNothing() {
    for (int i = 0; i < 1000; i++) {
      took(20_000, 2);
      took(10_000_000, 1);
    }
    assertThat(time.isShort()).isTrue();
  }

  @Test
  void oneSlowAccessOfAStoreAtTheEndOfALineIsEnough() {
    took(12_000_000, 1);
    assertThat(time.isLong()).isTrue();
  }

  /** A line that became fast is found out, and one that did not soon is long again. */
  @Test
  void whatIsLongIsTriedAgain() {
    took(12_000_000, 100);
    int avoided = 0;
    for (; time.isLong(); avoided++) {
      time.wasAvoided();
    }
    assertThat(avoided).isBetween(100, 1000);
    time.took(12_000_000);
    assertThat(time.isLong()).isTrue();
  }

  @Test
  void neverFallsBelowNothing() {
    took(0, 10_000);
    assertThat(time.isShort()).isTrue();
    took(1_000_000, 1000);
    assertThat(time.isShort()).isFalse();
  }
}
