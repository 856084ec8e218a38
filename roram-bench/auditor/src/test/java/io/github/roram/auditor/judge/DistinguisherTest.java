package io.github.roram.auditor.judge;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Findings.Advantage;
import io.github.roram.auditor.judge.Findings.Finding;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.judge.Workloads.Side;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.View;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a trained distinguisher makes of leaks, and of none. */
class DistinguisherTest {

  private static final OramConfig CONFIG = Workloads.config("path-batched");

  private static Advantage advantage(
      Observer observer, List<View> sideA, List<View> sideB, Verdict expected) {
    Finding finding = judge(observer, sideA, sideB);
    assertThat(finding.verdict()).as(finding.evidence()).isEqualTo(expected);
    return requireNonNull(finding.advantage());
  }

  private static Finding judge(Observer observer, List<View> sideA, List<View> sideB) {
    Distinguisher distinguisher = new Distinguisher(observer, 1);
    for (int run = 0; run < sideA.size(); run++) {
      distinguisher.add(Seen.of(sideA.get(run)), Seen.of(sideB.get(run)), run == 0);
    }
    return distinguisher.finding("pair");
  }

  @Test
  void honestSidesGiveNoAdvantage() throws IOException {
    List<View> reads = Workloads.runs(CONFIG, Side.READ_DISTINCT, 3, 1000);
    List<View> writes = Workloads.runs(CONFIG, Side.WRITE_DISTINCT, 3, 1000);
    for (Observer observer : List.of(Observer.STORE, Observer.VAULT)) {
      Advantage found = advantage(observer, reads, writes, Verdict.ALIKE);
      assertThat(found.samples()).isEqualTo(4000);
      assertThat(found.low()).isLessThan(0.06);
      assertThat(found.high()).isGreaterThan(-0.06);
    }
  }

  @Test
  void aByteMoreInOneOfFiveAccessesGivesAnAdvantage() throws IOException {
    List<View> distinct = Workloads.runs(CONFIG, Side.READ_DISTINCT, 3, 600);
    List<View> lengths =
        distinct.stream()
            .map(
                view ->
                    Leaks.change(
                        view, Observer.VAULT, Action.APPEND, 5, sight -> Leaks.longer(sight, 1)))
            .toList();
    Advantage found = advantage(Observer.VAULT, distinct, lengths, Verdict.TOLD_APART);
    assertThat(found.value()).isBetween(0.1, 0.3);
    assertThat(found.low()).isLessThan(found.value());
  }

  @Test
  void oneRunIsTooFew() throws IOException {
    List<View> one = Workloads.runs(CONFIG, Side.READ_DISTINCT, 1, 300);
    assertThat(judge(Observer.STORE, one, one).verdict()).isEqualTo(Verdict.NOT_APPLICABLE);
  }
}
