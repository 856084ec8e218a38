package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ProgressTest {

  private final AtomicLong nanos = new AtomicLong();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private Progress.InLines progress(String unit, long total) {
    PrintStream err = new PrintStream(out, true, StandardCharsets.UTF_8);
    return new Progress.InLines("load", unit, total, err, nanos::get);
  }

  @Test
  void shortWorkIsSilent() {
    Progress.InLines progress = progress(Progress.BYTES, 100);
    nanos.addAndGet(Progress.InLines.INTERVAL_NANOS - 1);
    progress.step(100);
    progress.close();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void longWorkTellsNowAndThen() {
    Progress.InLines progress = progress(Progress.BYTES, 4096);
    for (int i = 0; i < 4; i++) {
      nanos.addAndGet(Progress.InLines.INTERVAL_NANOS / 2);
      progress.step(1024);
    }
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("load: 2 KiB (50 %, 10 s left)", "load: 4 KiB (100 %)");
  }

  @Test
  void unknownTotalHasNoPercentage() {
    Progress.InLines progress = progress("queries", -1);
    nanos.addAndGet(Progress.InLines.INTERVAL_NANOS);
    progress.step(7);
    assertThat(out.toString(StandardCharsets.UTF_8).lines()).containsExactly("load: 7 queries");
  }
}
