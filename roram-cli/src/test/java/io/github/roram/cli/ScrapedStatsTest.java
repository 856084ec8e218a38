package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.AsyncOram;
import io.github.roram.OramStats;
import io.github.roram.OverlapStats;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The engine is asked once for all gauges that are read together. */
final class ScrapedStatsTest {

  private long nanos = -5;
  private int asked;

  private AsyncOram oram() {
    return (AsyncOram)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {AsyncOram.class},
            (proxy, method, arguments) -> {
              asked++;
              return method.getName().equals("stats")
                  ? new OramStats(asked, 0, 0, List.of())
                  : OverlapStats.NONE;
            });
  }

  @Test
  void oneScrapeAsksOnce() {
    ScrapedStats scraped = new ScrapedStats(oram(), () -> nanos);
    assertThat(asked).isZero();
    ScrapedStats.Snapshot first = scraped.get();
    nanos += ScrapedStats.FRESH_NANOS;
    assertThat(scraped.get()).isSameAs(first);
    assertThat(asked).isEqualTo(2);
    nanos++;
    assertThat(scraped.get()).isNotSameAs(first);
    assertThat(asked).isEqualTo(4);
  }
}
