package io.github.roram.auditor.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Findings.Finding;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.judge.Seen.Step;
import io.github.roram.auditor.judge.Workloads.Side;
import io.github.roram.cipher.LabelSource;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The judge finds schemes that leak on purpose. */
class LeakyViewsTest {

  private static final OramConfig CONFIG = Workloads.config("roram");

  private static void assertFound(Findings findings, Observer observer, String check) {
    assertThat(findings.toldApart())
        .extracting(Finding::observer, Finding::check)
        .contains(tuple(observer, check));
  }

  /** A source that gives the label again that it gave last, one time in some. */
  private static LabelSource reusing(int every) {
    Random random = new Random(5);
    int[] last = new int[1];
    return leaves -> {
      last[0] = random.nextInt(every) == 0 ? last[0] % leaves : random.nextInt(leaves);
      return last[0];
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram"})
  void labelsThatAreUsedAgain(String scheme) throws IOException {
    OramConfig config = Workloads.config(scheme);
    try (Run run = new Run(config, reusing(10))) {
      run.bulkLoad();
      for (int i = 0; i < 1500; i++) {
        run.read(5, 1);
      }
      assertFound(Judge.judgeView("view", run.view()), Observer.STORE, "labels shown once");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram"})
  void labelsThatAreNotUniform(String scheme) throws IOException {
    OramConfig config = Workloads.config(scheme);
    Random random = new Random(6);
    LabelSource skewed = leaves -> random.nextInt(random.nextInt(3) == 0 ? leaves / 2 : leaves);
    try (Run run = new Run(config, skewed)) {
      run.bulkLoad();
      for (int i = 0; i < 1500; i++) {
        run.read(i % 4, 1);
      }
      assertFound(Judge.judgeView("view", run.view()), Observer.STORE, "uniform labels");
    }
  }

  @Test
  void labelsThatFollowEachOther() throws IOException {
    OramConfig config = Workloads.config("path-batched");
    Random random = new Random(7);
    int[] last = new int[1];
    LabelSource walking =
        leaves -> {
          last[0] = (last[0] + 1 + random.nextInt(leaves / 4)) % leaves;
          return last[0];
        };
    try (Run run = new Run(config, walking)) {
      run.bulkLoad();
      for (int i = 0; i < 3000; i++) {
        run.read(5, 1);
      }
      assertFound(Judge.judgeView("view", run.view()), Observer.STORE, "independent labels");
    }
  }

  @Test
  void aSkippedDummyRead() throws IOException {
    View honest = Workloads.run(CONFIG, Side.READ_ONE, 1, 1500);
    View leaky = Leaks.skipOneRun(honest, 4, 3);
    assertFound(Judge.judgeView("view", leaky), Observer.STORE, "paths of a size class");
  }

  /** As if a block that the client holds need not be read, once all of the trees was written. */
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", Workloads.RECURSIVE})
  void readsThatAreLeftOut(String scheme) throws IOException {
    View honest = Workloads.run(Workloads.config(scheme), Side.READ_ONE, 1, 1500);
    assertThat(Judge.judgeView("view", honest).toldApart()).isEmpty();
    Map<Long, Long> firstReads =
        Seen.of(honest).steps().stream()
            .filter(step -> step.kind() == Step.Kind.PATHS && step.access() % 20 == 0)
            .collect(
                Collectors.toMap(
                    Step::access, step -> step.request().number(), (first, later) -> first));
    List<Sight> sights =
        honest.sights().stream()
            .filter(
                sight ->
                    sight.observer() != Observer.STORE
                        || firstReads.getOrDefault(sight.access(), -1L) != sight.request())
            .toList();
    assertFound(
        Judge.judgeView("view", new View(honest.config(), sights)),
        Observer.STORE,
        "paths of a size class");
  }

  /** What was read is read once more: a slot that is gone, or a place that was written since. */
  @ParameterizedTest
  @CsvSource({"ring,'slots read once, and uniform'", "tao,'whole paths, counted evictions'"})
  void anOldStoreIsReadWhereNothingIsAnyMore(String scheme, String check) throws IOException {
    View honest = Workloads.end(Workloads.run(Workloads.config(scheme), Side.READ_ONE, 7, 408));
    List<Sight> store =
        honest.sights().stream().filter(sight -> sight.observer() == Observer.STORE).toList();
    int write = store.size() - 1;
    while (store.get(write).action() != Action.WRITE) {
      write--;
    }
    List<Sight> part =
        scheme.equals("ring") ? store.subList(write, store.size()) : store.subList(0, write);
    LongStream reads =
        part.stream().filter(sight -> sight.action() == Action.READ).mapToLong(Sight::request);
    long stale = (scheme.equals("ring") ? reads.min() : reads.max()).orElseThrow();
    List<Sight> sights = new ArrayList<>(honest.sights());
    store.stream()
        .filter(sight -> sight.request() == stale)
        .map(s -> new Sight(1000, s.observer(), s.action(), 1 << 20, "", s.offset(), s.bytes()))
        .forEach(sights::add);
    assertFound(Judge.judgeView("view", new View(honest.config(), sights)), Observer.STORE, check);
  }

  /** As if buckets without blocks were left out. */
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram"})
  void aScanThatLeavesOutABucket(String scheme) throws IOException {
    OramConfig config = Workloads.config(scheme);
    try (Run run = new Run(config)) {
      run.bulkLoad();
      Workloads.access(run, config, Side.READ_ONE, 1, 50);
      run.scan();
      View view = run.view();
      assertThat(Judge.judgeView("view", view).toldApart()).isEmpty();
      assertFound(
          Judge.judgeView("view", Leaks.shortenScan(view)),
          Observer.STORE,
          "whole paths, counted evictions");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 100})
  void writesThatMakeOneMoreRequest(int every) throws IOException {
    List<View> reads = Workloads.runs(CONFIG, Side.READ_DISTINCT, 2, 400);
    List<View> writes =
        Workloads.runs(CONFIG, Side.WRITE_DISTINCT, 2, 400).stream()
            .map(view -> Leaks.oneMoreRequest(view, every))
            .toList();
    Findings findings = Workloads.judgePair(reads, writes);
    assertFound(findings, Observer.STORE, "requests");
    assertFound(findings, Observer.STORE, "whole paths, counted evictions");
  }

  @Test
  void journalsWithoutPadding() throws IOException {
    List<View> reads = Workloads.runs(CONFIG, Side.READ_DISTINCT, 2, 400);
    List<View> writes =
        reads.stream()
            .map(
                view ->
                    Leaks.change(
                        view,
                        Observer.VAULT,
                        Action.APPEND,
                        100,
                        sight -> Leaks.longer(sight, 512)))
            .toList();
    Findings findings = Workloads.judgePair(reads, writes);
    assertFound(findings, Observer.VAULT, "records and logs");
    assertFound(findings, Observer.VAULT, "lengths of appends");
  }

  @Test
  void savedStateWithoutPadding() throws IOException {
    List<View> reads = Workloads.runs(CONFIG, Side.READ_DISTINCT, 2, 100);
    List<View> writes =
        reads.stream()
            .map(
                view ->
                    Leaks.change(
                        view, Observer.VAULT, Action.SAVE, 1, sight -> Leaks.longer(sight, 4096)))
            .toList();
    assertFound(Workloads.judgePair(reads, writes), Observer.VAULT, "records and logs");
  }

  @Test
  void sidesThatDeclareOtherClassesAreNotCompared() throws IOException {
    View ones = Workloads.run(CONFIG, Side.READ_DISTINCT, 1, 20);
    View others = Workloads.run(CONFIG, Side.READ_DISTINCT, 2, 20);
    Findings findings = Workloads.judgePair(List.of(ones), List.of(others));
    assertThat(findings.list()).hasSize(1);
    assertThat(findings.list().get(0).verdict()).isEqualTo(Verdict.NOT_APPLICABLE);
  }
}
