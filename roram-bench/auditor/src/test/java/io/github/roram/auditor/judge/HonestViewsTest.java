package io.github.roram.auditor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Findings.Finding;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.judge.Seen.Step;
import io.github.roram.auditor.judge.Workloads.Side;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The judge does not cry wolf. */
class HonestViewsTest {

  /** What several tests judge, by its parameters. */
  private static final Map<List<Object>, View> VIEWS = new HashMap<>();

  private static View view(String scheme, Side side, long seed, int accesses) throws IOException {
    List<Object> key = List.of(scheme, side, seed, accesses);
    View made = VIEWS.get(key);
    if (made == null) {
      made = Workloads.run(Workloads.config(scheme), side, seed, accesses);
      VIEWS.put(key, made);
    }
    return made;
  }

  private static List<View> views(String scheme, Side side) throws IOException {
    List<View> views = new ArrayList<>();
    for (int seed = 0; seed < 3; seed++) {
      views.add(view(scheme, side, seed, 400));
    }
    return views;
  }

  @ParameterizedTest
  @CsvSource({
    "roram,WRITE_DISTINCT", "roram,READ_ONE",
    "path-batched,WRITE_DISTINCT", "path-batched,READ_ONE",
    "path,WRITE_DISTINCT", "path,READ_ONE",
    "tao,WRITE_DISTINCT", "tao,READ_ONE"
  })
  void sidesOfAnHonestSchemeAreAlikeAtTheStore(String scheme, Side side) throws IOException {
    List<View> reads = views(scheme, Side.READ_DISTINCT);
    List<View> others = views(scheme, side);
    Findings findings = Workloads.judgePair(reads, others);
    assertThat(findings.toldApart())
        .filteredOn(finding -> finding.observer() == Observer.STORE)
        .isEmpty();
    assertThat(findings.list())
        .filteredOn(finding -> finding.verdict() == Verdict.ALIKE)
        .extracting(Finding::check)
        .contains("requests", "uniform labels", "independent labels", "labels shown once");
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao", Workloads.RECURSIVE})
  void oneViewOfAnHonestSchemeIsClean(String scheme) throws IOException {
    View view = view(scheme, Side.READ_ONE, 7, 1000);
    assertThat(Judge.judgeView("view", view).toldApart()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao", Workloads.RECURSIVE})
  void firstAccessesToAnEmptyStoreAreClean(String scheme) throws IOException {
    OramConfig config = Workloads.config(scheme);
    try (Run run = new Run(config)) {
      Workloads.access(run, config, Side.WRITE_DISTINCT, 3, 400);
      assertThat(Judge.judgeView("view", run.view()).toldApart()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"path-batched", "roram", "tao", Workloads.RECURSIVE})
  void crashesAreExplained(String scheme) throws IOException {
    OramConfig config = Workloads.config(scheme);
    try (Run run = new Run(config)) {
      run.bulkLoad();
      for (int life = 0; life < 5; life++) {
        Workloads.access(run, config, Side.READ_ONE, life, 30);
        run.crash();
      }
      Workloads.access(run, config, Side.READ_ONE, 99, 200);
      assertThat(Judge.judgeView("view", run.view()).toldApart()).isEmpty();
    }
  }

  private static View scans(String scheme, boolean loaded) throws IOException {
    OramConfig config = Workloads.config(scheme);
    try (Run run = new Run(config)) {
      if (loaded) {
        run.bulkLoad();
      }
      for (int scan = 0; scan < 5; scan++) {
        run.scan();
        Workloads.access(run, config, Side.READ_ONE, scan, 30);
      }
      run.scan();
      if (!"path".equals(scheme)) {
        run.crash();
        run.scan();
      }
      return run.view();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "roram,true", "roram,false",
    "path-batched,true", "path-batched,false",
    "path,true", "path,false",
    "tao,true", "tao,false"
  })
  void scansAreExplained(String scheme, boolean loaded) throws IOException {
    View view = scans(scheme, loaded);
    assertThat(Judge.judgeView("view", view).toldApart()).isEmpty();
    assertThat(Seen.of(view).steps()).anyMatch(step -> step.kind() == Step.Kind.SCAN_READ);
  }

  /** As of a command that only exports. */
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao"})
  void aScanOfAnOldStoreIsExplained(String scheme) throws IOException {
    View whole = scans(scheme, true);
    int last = 0;
    for (int i = 0; i < whole.sights().size(); i++) {
      last = whole.sights().get(i).action() == Action.SCAN ? i : last;
    }
    View scan = new View(whole.config(), whole.sights().subList(last, whole.sights().size()));
    assertThat(Judge.judgeView("view", scan).toldApart()).isEmpty();
    assertThat(Seen.of(scan).steps())
        .extracting(Step::kind)
        .contains(Step.Kind.SCAN_READ)
        .doesNotContain(Step.Kind.PATHS, Step.Kind.UNEXPLAINED);
  }

  private static OramConfig growing(String scheme, String map) {
    OramConfig config = Workloads.config(scheme);
    return map.equals("local")
        ? config
        : config.toBuilder()
            .positionMap(map)
            .set("blocksPerMapBlock", 4)
            .set("clientLabels", config.blocks() / 16)
            .build();
  }

  /** The levels of the beginning are not written all over either, nor from their first bucket. */
  @ParameterizedTest
  @CsvSource({"path-batched,local", "roram,local", "path-batched,recursive"})
  void aStoreThatGrowsBeforeItEvictsIsExplained(String scheme, String map) throws IOException {
    OramConfig config = growing(scheme, map);
    try (Run run = new Run(config)) {
      run.grow();
      run.grow();
      Workloads.access(run, config, Side.WRITE_DISTINCT, 9, 300);
      assertThat(Judge.judgeView("view", run.view()).toldApart()).isEmpty();
    }
  }

  /** Levels that it got are written from then on, and labels have bits that nobody saw. */
  @ParameterizedTest
  @CsvSource({
    "path-batched,local,true", "path-batched,local,false",
    "roram,local,true", "roram,local,false",
    "path-batched,recursive,true", "roram,recursive,false"
  })
  void aStoreThatGrowsIsExplained(String scheme, String map, boolean loaded) throws IOException {
    OramConfig config = growing(scheme, map);
    try (Run run = new Run(config)) {
      if (loaded) {
        run.bulkLoad();
      }
      for (int growth = 0; growth < 3; growth++) {
        Workloads.access(run, config, Side.READ_ONE, growth, 100);
        run.grow();
        run.scan();
        Workloads.access(run, config, Side.WRITE_DISTINCT, growth, 80);
        run.crash();
      }
      Workloads.access(run, config, Side.WRITE_DISTINCT, 9, 200);
      Findings findings = Judge.judgeView("view", run.view());
      assertThat(findings.toldApart()).isEmpty();
      assertThat(findings.list())
          .filteredOn(finding -> finding.verdict() == Verdict.ALIKE)
          .extracting(Finding::check)
          .contains("whole paths, counted evictions", "uniform labels", "labels shown once");
      View grown = run.viewFrom(550);
      assertThat(Judge.judgeView("of a store that had grown", grown).toldApart()).isEmpty();
      assertThat(Seen.of(grown).steps()).anyMatch(step -> step.shown() != null);
      List<Sight> sights = run.view().sights();
      int first = 0;
      while (sights.get(first).action() != Action.GROW) {
        first++;
      }
      View unknown = new View(config, sights.subList(first, sights.size()));
      assertThat(Judge.judgeView("from the growth on", unknown).toldApart()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "path-batched,'whole paths, counted evictions'",
    "roram,'whole paths, counted evictions'",
    "tao,'whole paths, counted evictions'",
    "ring,'slots read once, and uniform'"
  })
  void viewMayBeginWithAnOldStore(String scheme, String check) throws IOException {
    Findings findings =
        Judge.judgeView("view", Workloads.end(view(scheme, Side.READ_ONE, 7, 1000)));
    assertThat(findings.toldApart()).isEmpty();
    assertThat(findings.list())
        .filteredOn(finding -> finding.check().equals(check))
        .allSatisfy(finding -> assertThat(finding.verdict()).isEqualTo(Verdict.ALIKE));
  }

  /** As of a command that only reads: a client that opens fetches what it had not written. */
  @Test
  void anOldTaoStoreMayBeOpened() throws IOException {
    OramConfig config = Workloads.config("tao");
    try (Run run = new Run(config)) {
      run.bulkLoad();
      Workloads.access(run, config, Side.READ_ONE, 1, 230);
      run.crash();
      Workloads.access(run, config, Side.READ_ONE, 2, 200);
      View view = run.viewFrom(230);
      assertThat(Judge.judgeView("view", view).toldApart()).isEmpty();
      assertThat(Seen.of(view).steps())
          .extracting(Step::kind)
          .contains(Step.Kind.EVICTION_READ, Step.Kind.PATHS, Step.Kind.EVICTION_WRITE);
    }
  }
}
