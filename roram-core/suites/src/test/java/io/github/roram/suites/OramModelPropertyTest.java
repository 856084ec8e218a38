package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Preset;
import java.io.IOException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Whole ORAMs against a plain array: every scheme and preset, in memory and on segment files,
 * loaded in bulk or not, reopened on the way. About 10,000 operations; {@link OramSoakTest} does
 * millions.
 */
class OramModelPropertyTest {

  /** Simulated: at most 8 after a batch of evictions at half full trees (construction, 2.2). */
  static final int STASH_BOUND_BLOCKS = 40;

  private static final int OPERATIONS = 300;

  @Property(tries = 4, shrinking = ShrinkingMode.OFF)
  void pathIsAnArray(@ForAll Preset preset, @ForAll long seed) throws IOException {
    check("path", preset, seed);
  }

  @Property(tries = 6, shrinking = ShrinkingMode.OFF)
  void batchedPathIsAnArray(@ForAll Preset preset, @ForAll long seed) throws IOException {
    check("path-batched", preset, seed);
  }

  @Property(tries = 9, shrinking = ShrinkingMode.OFF)
  void roramIsAnArray(@ForAll Preset preset, @ForAll long seed) throws IOException {
    check("roram", preset, seed);
  }

  private static void check(String scheme, Preset preset, long seed) throws IOException {
    Scenario scenario = Scenarios.of(scheme, preset, seed);
    assertThat(scenario.run(OPERATIONS))
        .as("stash of %s", scenario)
        .isLessThanOrEqualTo(STASH_BOUND_BLOCKS);
  }
}
