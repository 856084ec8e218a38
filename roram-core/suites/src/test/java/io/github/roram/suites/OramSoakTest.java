package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Preset;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * As {@link OramModelPropertyTest}, for hours if need be, with the histogram of the largest
 * stashes. Not part of the normal build:
 *
 * <pre>
 * mvn verify -pl roram-core/suites -am -Dgroups=soak -DexcludedGroups= -Droram.soak.operations=3000000
 * </pre>
 *
 * {@code roram.soak.operations} counts the operations of each scheme, by default a million; {@code
 * roram.soak.seed} repeats a run.
 */
@Tag("soak")
class OramSoakTest {

  private static final Logger LOG = LoggerFactory.getLogger(OramSoakTest.class);
  private static final List<Preset> PRESETS = List.of(Preset.values());
  private static final int OPERATIONS_OF_A_STORE = 5000;

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao"})
  void isAnArray(String scheme) throws IOException {
    long operations = Long.getLong("roram.soak.operations", 1_000_000);
    long seed = Long.getLong("roram.soak.seed", new Random().nextLong());
    LOG.info("{} operations of {} from seed {}", operations, scheme, seed);
    Random random = new Random(seed);
    SortedMap<Integer, Integer> storesByStash = new TreeMap<>();
    for (long done = 0; done < operations; done += OPERATIONS_OF_A_STORE) {
      Preset preset = PRESETS.get(random.nextInt(PRESETS.size()));
      Scenario scenario = Scenarios.of(scheme, preset, random.nextLong());
      int stash = scenario.run(OPERATIONS_OF_A_STORE);
      storesByStash.merge(stash, 1, Integer::sum);
      assertThat(stash)
          .as("stash of %s", scenario)
          .isLessThanOrEqualTo(OramModelPropertyTest.STASH_BOUND_BLOCKS);
    }
    LOG.info("{}: stores by their largest stash in blocks: {}", scheme, storesByStash);
  }
}
