package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Preset;
import java.io.IOException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Whole ORAMs against a plain array: every scheme and preset, in memory and on segment files,
 * loaded in bulk or not, reopened on the way. About 1,200 operations; {@link OramSoakTest} does
 * millions.
 */
class OramModelPropertyTest {

  /** Simulated: at most 8 after a batch of evictions at half full trees (construction, 2.2). */
  static final int STASH_BOUND_BLOCKS = 40;

  private static final int OPERATIONS = 100;

  @Property(tries = 1, shrinking = ShrinkingMode.OFF)
  void pathIsAnArray(@ForAll long seed) throws IOException {
    check("path", seed);
  }

  @Property(tries = 1, shrinking = ShrinkingMode.OFF)
  void batchedPathIsAnArray(@ForAll long seed) throws IOException {
    check("path-batched", seed);
  }

  @Property(tries = 2, shrinking = ShrinkingMode.OFF)
  void roramIsAnArray(@ForAll long seed) throws IOException {
    check("roram", seed);
  }

  /** With each preset, a scenario of its own. */
  @SuppressWarnings("EnumOrdinal") // in turn
  private static void check(String scheme, long seed) throws IOException {
    for (Preset preset : Preset.values()) {
      Scenario scenario = Scenarios.of(scheme, preset, seed + preset.ordinal());
      assertThat(scenario.run(OPERATIONS))
          .as("stash of %s", scenario)
          .isLessThanOrEqualTo(STASH_BOUND_BLOCKS);
    }
  }
}
