package io.github.roram.auditor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.roram.OramConfig;
import io.github.roram.auditor.Audit.AuditReport;
import io.github.roram.auditor.Audit.Runs;
import io.github.roram.auditor.AuditText.AuditJson;
import io.github.roram.auditor.judge.Findings.Finding;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.judge.Seen;
import io.github.roram.bench.ProgressListener;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An audit of made-up runs, from the runs to the reports. */
class AuditTest {

  @TempDir Path directory;

  /** Runs that append to a journal; side B of pair "leaky" a byte more in every tenth access. */
  private static final class MadeUp implements Runs {
    private long accesses;

    @Override
    public List<String> names() {
      return List.of("honest", "impossible");
    }

    @Override
    public boolean isExact(String pair) {
      return pair.equals("exact");
    }

    @Override
    public List<String> subject() {
      return List.of("a made-up store");
    }

    @Override
    public String about(String pair) {
      return "whether <something> is so";
    }

    @Override
    public Optional<String> objection(String pair) {
      return pair.equals("impossible") ? Optional.of("it cannot be run") : Optional.empty();
    }

    @Override
    public Seen run(String pair, Side side, long seed, int accesses) {
      this.accesses += accesses;
      List<Sight> sights = new ArrayList<>();
      for (int access = 1; access <= accesses; access++) {
        boolean longer = pair.equals("leaky") && side == Side.B && access % 10 == 0;
        sights.add(new Sight(access, Observer.DECLARED, Action.ACCESS, 0, "", 0, 1));
        sights.add(
            new Sight(
                access, Observer.VAULT, Action.APPEND, 0, "journal-7", 0, longer ? 101 : 100));
      }
      return Seen.of(new View(OramConfig.builder(256).build(), sights));
    }
  }

  private static AuditReport audit(String... pairs) throws IOException {
    return audit(2000, pairs);
  }

  private static AuditReport audit(int accesses, String... pairs) throws IOException {
    return Audit.run(new MadeUp(), List.of(pairs), accesses, ProgressListener.NONE);
  }

  @Test
  void whatIsToldApartStandsInEveryReport() throws IOException {
    AuditReport report = audit("honest", "leaky", "impossible");
    assertThat(report.findings().isClean()).isFalse();
    assertThat(report.findings().toldApart()).allMatch(f -> f.pair().equals("leaky"));
    assertThat(AuditText.render(report))
        .contains("a made-up store", "TOLD APART: leaky, vault", "101 bytes", "it cannot be run");

    Path json = directory.resolve("audit.json");
    AuditJson.write(report, json);
    JsonNode root = new ObjectMapper().readTree(json.toFile());
    assertThat(root.get("clean").asBoolean()).isFalse();
    assertThat(root.get("pairs").get("leaky").asText()).contains("<something>");
    assertThat(root.get("findings").findValuesAsText("verdict"))
        .contains("told apart", "alike", "not applicable");

    Path html = Files.writeString(directory.resolve("audit.html"), "old");
    Path old = Files.createLink(directory.resolve("old"), html);
    AuditPage.write(report, html);
    assertThat(old).as("whoever reads it").hasContent("old");
    assertThat(html).content().contains("class=\"apart\"", "&lt;something&gt;", "<svg ", "</html>");
  }

  @Test
  void cleanAuditSaysSo() throws IOException {
    AuditReport report = audit("honest");
    assertThat(report.findings().isClean()).isTrue();
    assertThat(AuditText.render(report)).contains("Nothing was told apart");
  }

  /** What was asked for and not run, or not put to a distinguisher, is no success. */
  @Test
  void whatWasNotJudgedIsNoSuccess() throws IOException {
    assertThat(audit(2000).undecided()).isEmpty();
    assertThat(audit(2000, "honest", "impossible").undecided())
        .containsExactly("pair impossible was not run: it cannot be run");
    assertThat(audit(40, "honest").undecided())
        .singleElement()
        .asString()
        .contains("no distinguisher was tried on pair honest");
    AuditReport exact = audit(40, "exact");
    assertThat(exact.undecided()).isEmpty();
    assertThat(AuditText.render(audit(40, "honest")))
        .contains("UNDECIDED: ", "Not checked: honest");
  }

  /** Checks are those that were made, and what they could have seen is said. */
  @Test
  void checksAreCounted() throws IOException {
    AuditReport report = audit("honest");
    long made =
        report.findings().list().stream()
            .filter(f -> f.verdict() != Verdict.NOT_APPLICABLE)
            .count();
    assertThat(made).isPositive().isLessThan(report.findings().list().size());
    assertThat(AuditText.render(report))
        .contains("Nothing was told apart in " + made + " checks, ")
        .contains("would have shown");
    // 2 · 1500 held out: 0.01 + (5.73 + 1.65) / √3000.
    assertThat(report.findings().list())
        .filteredOn(f -> f.check().equals("distinguisher of accesses"))
        .map(Finding::advantage)
        .filteredOn(Objects::nonNull)
        .allMatch(a -> a != null && Math.abs(a.smallest() - 0.1447) < 0.001);
  }

  @Test
  void asManyAccessesAreMadeAsTheReportSays() throws IOException {
    for (int accesses : new int[] {43, 10_001}) {
      MadeUp runs = new MadeUp();
      AuditReport report = Audit.run(runs, List.of("honest"), accesses, ProgressListener.NONE);
      assertThat(runs.accesses).isEqualTo(2 * report.accesses()).isEqualTo(2L * accesses);
    }
  }

  @Test
  void tooFewAccessesAreRefused() {
    assertThatThrownBy(() -> audit(39, "honest"))
        .hasMessageContaining("accesses is 39, must be at least 40");
  }
}
