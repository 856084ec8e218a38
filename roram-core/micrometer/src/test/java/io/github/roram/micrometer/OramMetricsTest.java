package io.github.roram.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramStats;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OramMetricsTest {

  @TempDir Path directory;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private Oram oram() throws IOException {
    return Roram.at("file:" + directory.resolve("store"))
        .key(Key.newFile(directory.resolve("key")))
        .create(config -> config.blocks(64).blockBytes(512));
  }

  private double counter(String name, String... tags) {
    return registry.get(name).tags(tags).functionCounter().count();
  }

  @Test
  void countsWhatTheOramDoesAndStaysWhenItIsClosed() throws IOException {
    OramStats stats;
    OramMetrics metrics;
    try (Oram oram = oram()) {
      metrics = new OramMetrics(oram, Tags.of("store", "s"));
      metrics.bindTo(registry);
      assertThat(counter("roram.accesses")).isZero();
      for (int i = 0; i < 20; i++) {
        oram.write(i, ByteBuffer.allocate(1024));
      }
      stats = oram.stats();
      assertThat(counter("roram.accesses", "store", "s")).isEqualTo(20);
      assertThat(counter("roram.accessed.blocks")).isEqualTo(40);
      for (int tree = 0; tree < stats.trees().size(); tree++) {
        assertThat(counter("roram.evictions", "tree", "" + tree))
            .isEqualTo(stats.trees().get(tree).evictions());
        assertThat(registry.get("roram.held.blocks").tag("tree", "" + tree).gauge().value())
            .isEqualTo(stats.trees().get(tree).heldBlocks());
      }
      assertThat(registry.get("roram.client.memory").gauge().value())
          .isEqualTo(oram.clientMemory().bytes())
          .isPositive();
    }
    assertThat(counter("roram.accesses")).isEqualTo(20);
    assertThat(registry.get("roram.client.memory").gauge().value()).isPositive();
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void twoOramsAreToldApartByTags() throws IOException {
    try (Oram oram = oram();
        OramMetrics two = new OramMetrics(oram, Tags.of("store", "two"))) {
      try (OramMetrics one = new OramMetrics(oram, Tags.of("store", "one"))) {
        one.bindTo(registry);
        two.bindTo(registry);
        oram.readBytes(0, 1);
        assertThat(counter("roram.accesses", "store", "one")).isEqualTo(1);
      }
      assertThat(registry.find("roram.accesses").tag("store", "one").meter()).isNull();
      assertThat(counter("roram.accesses", "store", "two")).isEqualTo(1);
    }
  }
}
