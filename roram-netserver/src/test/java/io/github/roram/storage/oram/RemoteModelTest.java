package io.github.roram.storage.oram;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Preset;
import io.github.roram.Scheme;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A few of the scenarios of {@link OramModelPropertyTest} on volumes of a server. */
final class RemoteModelTest {

  @ParameterizedTest
  @EnumSource
  void anOramOnAServerIsAnArray(Scheme scheme) throws IOException {
    for (Preset preset : Preset.values()) {
      assertThat(Scenarios.of(scheme, preset, 7).run(60))
          .isLessThanOrEqualTo(OramModelPropertyTest.STASH_BOUND_BLOCKS);
    }
  }
}
