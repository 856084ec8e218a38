package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Preset;
import io.github.roram.netserver.WatchedVolumes.Transport;
import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A few of the scenarios of {@link OramModelPropertyTest} on volumes of a server. */
@Tag("gate")
@ResourceLock(RemoteTestStores.LOCK)
final class RemoteModelTest {

  private static final int OPERATIONS = 12;

  @ParameterizedTest
  @EnumSource
  void anOramOnAServerIsAnArray(Transport transport) throws IOException {
    RemoteTestStores.use(transport);
    for (String scheme : List.of("path", "path-batched", "roram")) {
      assertThat(smallOnServer(scheme, Preset.COMPACT).run(OPERATIONS))
          .isLessThanOrEqualTo(OramModelPropertyTest.STASH_BOUND_BLOCKS);
    }
  }

  private static Scenario smallOnServer(String scheme, Preset preset) {
    return LongStream.iterate(1, seed -> seed + 1)
        .mapToObj(seed -> Scenarios.of(scheme, preset, seed))
        .filter(scenario -> scenario.segments() == 0) // others are in files
        .filter(scenario -> scenario.config().blocks() >= 17 && scenario.config().blocks() <= 100)
        .findFirst()
        .orElseThrow();
  }
}
