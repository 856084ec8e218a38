package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ReadPlaceTest {

  private static final int FRAME_BYTES = 256 << 10;
  private static final long FAST_NANOS = 60_000;
  private static final long DISK_NANOS = 400_000;
  private static final int EXTENTS = 20;

  private long now = Long.MAX_VALUE - 1000; // nanoTime may overflow
  private final ReadPlace place = new ReadPlace(now);

  private void read(long nanos) {
    now += nanos;
    place.add(FRAME_BYTES, nanos, now);
  }

  private void readFast(int times) {
    for (int i = 0; i < times; i++) {
      read(FAST_NANOS);
    }
  }

  private boolean isOnLoop() {
    return place.isOnLoop(EXTENTS, now);
  }

  @BeforeEach
  void startsBesideTheLoop() {
    assertThat(isOnLoop()).isFalse();
    readFast(ReadPlace.FAST_FOR_SLOW - 1);
    assertThat(isOnLoop()).isFalse();
    readFast(1);
    assertThat(isOnLoop()).isTrue();
  }

  @Test
  void oneReadThatWaitsForTheMediumSendsThoseAfterItAway() {
    read(DISK_NANOS);
    assertThat(isOnLoop()).isFalse();
    readFast(ReadPlace.FAST_FOR_SLOW);
    assertThat(isOnLoop()).isTrue();
  }

  @Test
  void longWaitsTakeAHundredthOfTheLoopsTime() {
    long wait = 2 * ReadPlace.LONG_NANOS;
    long start = now;
    int waits = 0;
    for (int i = 0; i < 100_000; i++) {
      if (isOnLoop()) {
        read(wait);
        waits++;
      } else {
        read(FAST_NANOS);
      }
    }
    assertThat(waits).isBetween(3, (int) ((now - start) / ReadPlace.REST / wait) + 1);
  }

  @Test
  void aShorterWaitDoesNotEndTheRestAfterALongerOne() {
    read(100 * ReadPlace.LONG_NANOS);
    long end = now + ReadPlace.REST * 100 * ReadPlace.LONG_NANOS;
    read(ReadPlace.LONG_NANOS);
    readFast(4 * ReadPlace.FAST_FOR_SLOW);
    now = end - 1;
    assertThat(isOnLoop()).isFalse();
    now = end;
    assertThat(isOnLoop()).isTrue();
  }

  @Test
  void requestsOfVeryManyExtentsAreLeftToOtherThreads() {
    assertThat(place.isOnLoop(ReadPlace.MOST_EXTENTS, now)).isTrue();
    assertThat(place.isOnLoop(ReadPlace.MOST_EXTENTS + 1, now)).isFalse();
  }
}
