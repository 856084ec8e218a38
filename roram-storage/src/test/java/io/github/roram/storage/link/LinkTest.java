package io.github.roram.storage.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.link.Link.LinkDirection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What links are written as, and when bytes arrive over them. */
class LinkTest {

  private static final long MS = 1_000_000;

  @Test
  void areReadAsPeopleWriteThem() {
    assertThat(Link.parse("12ms,11MB/s")).isEqualTo(new Link(12 * MS, 11_000_000, 11_000_000));
    assertThat(Link.parse("0.5MS, 1kb/s,1.25GB/s"))
        .isEqualTo(new Link(MS / 2, 1000, 1_250_000_000));
    for (Link link : new Link[] {new Link(0, 1, 1), new Link(1_500_000, 7, 9)}) {
      assertThat(Link.parse(link.toString())).isEqualTo(link);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "12ms", "12,11MB/s", "12ms,11MB", "1ms,1B/s,1B/s,1B/s", "-1ms,1B/s"})
  void othersAreRefused(String text) {
    assertThatThrownBy(() -> Link.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("12ms,11MB/s");
  }

  @Test
  void noBandwidthIsRefused() {
    assertThatThrownBy(() -> Link.parse("1ms,0.5B/s"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 1");
  }

  @Test
  void bytesWaitForThoseBeforeThem() {
    LinkDirection down = new Link(12 * MS, 1_000_000, 1_000_000).down();
    assertThat(down.send(0, 1000)).isEqualTo(MS + 6 * MS);
    assertThat(down.send(0, 3000)).isEqualTo(4 * MS + 6 * MS);
    assertThat(down.waitNanos(MS)).isEqualTo(3 * MS);
    assertThat(down.send(20 * MS, 1)).isEqualTo(20 * MS + 1000 + 6 * MS);
    assertThat(down.waitNanos(40 * MS)).isZero();
  }
}
