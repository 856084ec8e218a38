package io.github.roram.auditor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a watcher of the line learns, from views made up. */
class NetworkShapesTest {

  /**
   * Requests of one length, answers whose lengths depend on random labels unless {@code spread} is
   * 1.
   */
  private static View line(String scheme, long seed, int spread, int extraEvery) {
    Random random = new Random(seed);
    List<Sight> sights = new ArrayList<>();
    for (int access = 1; access <= 5000; access++) {
      sights.add(new Sight(access, Observer.DECLARED, Action.ACCESS, 0, "", 0, 1));
      sights.add(new Sight(access, Observer.NETWORK, Action.SEND, 1, "", 0, 100));
      long answer = 5000 + 100L * random.nextInt(spread);
      sights.add(new Sight(access, Observer.NETWORK, Action.RECEIVE, 1, "", 0, answer));
      if (extraEvery > 0 && access % extraEvery == 0) {
        sights.add(new Sight(access, Observer.NETWORK, Action.SEND, 1, "", 0, 60));
      }
    }
    return new View(Workloads.config(scheme), sights);
  }

  private static Verdict verdict(View a, View b) {
    NetworkShapes shapes = new NetworkShapes();
    shapes.add(Seen.of(a), Seen.of(b));
    return shapes.outcome().verdict();
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram"})
  void equalLinesAreAlike(String scheme) {
    assertThat(verdict(line(scheme, 1, 1, 0), line(scheme, 2, 1, 0))).isEqualTo(Verdict.ALIKE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram"})
  void lengthsThatVaryAreComparedTogether(String scheme) {
    for (int seed = 0; seed < 40; seed += 2) {
      View a = line(scheme, seed, 20, 0);
      assertThat(verdict(a, line(scheme, seed + 1, 20, 0))).isEqualTo(Verdict.ALIKE);
    }
    assertThat(verdict(line(scheme, 1, 20, 0), line(scheme, 2, 24, 0)))
        .isEqualTo(Verdict.TOLD_APART);
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram"})
  void oneMoreFrameInAHundredAccessesIsFound(String scheme) {
    assertThat(verdict(line(scheme, 1, 1, 0), line(scheme, 1, 1, 100)))
        .isEqualTo(Verdict.TOLD_APART);
    assertThat(verdict(line(scheme, 1, 20, 0), line(scheme, 2, 20, 100)))
        .isEqualTo(Verdict.TOLD_APART);
  }
}
