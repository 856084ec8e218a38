package io.github.roram.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.intake.ClientConnection.Phase;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who is too slow, by a clock that the test sets. */
final class TimeoutsTest implements Phase {

  private static final long SECOND = 1_000_000_000L;
  private static final int SENDER_SECONDS = 30;
  private static final Duration ANY = Duration.ofMinutes(1);

  private final Timeouts timeouts =
      new Timeouts(
          new IntakeLimits(
              8,
              8,
              1 << 20,
              1 << 20,
              HandshakeLimits.defaults(),
              ANY,
              Duration.ofSeconds(SENDER_SECONDS),
              ANY,
              ANY),
          0);

  private long unfinished = -1;
  private long whole;

  @Override
  public boolean step(Input in) {
    return false;
  }

  @Override
  public boolean waits() {
    return false;
  }

  @Override
  public boolean handshakes() {
    return false;
  }

  @Override
  public long unfinished() {
    return unfinished;
  }

  @Override
  public long whole() {
    return whole;
  }

  private @Nullable String lostAfter(int seconds) {
    return timeouts.lostWith(this, 0, 0, false, seconds * SECOND);
  }

  /** Over a slow line there is part of a request at whatever moment one looks. */
  @Test
  void eachRequestHasItsOwnTime() {
    for (int second = 1; second < 4 * SENDER_SECONDS; second++) {
      unfinished = second * 1000L;
      whole = second / (SENDER_SECONDS - 1);
      assertThat(lostAfter(second)).as("after %d s", second).isNull();
    }
  }

  @Test
  void aRequestThatKeepsArrivingMustEnd() {
    for (int second = 1; second <= SENDER_SECONDS + 1; second++) {
      unfinished = second;
      assertThat(lostAfter(second)).isNull();
    }
    unfinished++;
    assertThat(lostAfter(SENDER_SECONDS + 2)).contains("did not arrive whole within PT30S");
  }
}
