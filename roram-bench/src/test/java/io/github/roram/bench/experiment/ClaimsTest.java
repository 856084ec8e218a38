package io.github.roram.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.roram.bench.experiment.Statistics.Estimate;
import io.github.roram.bench.figure.Series;
import io.github.roram.bench.figure.Table;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Verdicts follow from the figures. */
class ClaimsTest {

  private final List<Series> fig6 = new ArrayList<>();
  private final List<Series> fig7 = new ArrayList<>();

  private static Series row(String series, String x, double mean, double arm) {
    return new Series("hdd", series, x, mean, mean - arm, mean + arm, 5);
  }

  private static String cell(Table table, String claim, String column) {
    for (List<String> row : table.rows()) {
      if (row.get(0).startsWith(claim) && row.get(1).equals("hdd")) {
        return table.cell(row, column);
      }
    }
    throw new AssertionError(claim);
  }

  @Test
  void verdictMindsTheInterval() {
    assertThat(Claims.verdict(new Estimate(30.5, 0.4, 5), 30)).isEqualTo("reached");
    assertThat(Claims.verdict(new Estimate(30.5, 0.6, 5), 30)).isEqualTo("about");
    assertThat(Claims.verdict(new Estimate(29.5, 0.6, 5), 30)).isEqualTo("about");
    assertThat(Claims.verdict(new Estimate(29.5, 0.4, 5), 30)).isEqualTo("not reached");
    assertThat(Claims.verdict(new Estimate(31, Double.NaN, 1), 30)).isEqualTo("reached");
  }

  @Test
  void longRangesTakeTheWorst() {
    for (int x : List.of(0, 5, 10, 12)) {
      fig6.add(row("path-strong", Integer.toString(x), 0.5, 0));
    }
    fig6.add(row("roram", "0", 0.6, 0));
    fig6.add(row("roram", "5", 0.1, 0));
    fig6.add(row("roram", "10", 0.02, 0));
    fig6.add(row("roram", "12", 0.01, 0));
    Table table = Claims.of(fig6, fig7);
    assertThat(cell(table, "ranges of 2^10", "ours, against path-strong"))
        .isEqualTo("25.0x to 50.0x: not reached");
    assertThat(cell(table, "rORAM is faster from", "ours, against path-strong"))
        .isEqualTo("2^5: reached");
    assertThat(cell(table, "ranges of 2^10", "ours, against path-paper-like")).isEqualTo("not run");
  }

  @Test
  void crossingBeyondThePapersOrNeverIsNotReached() {
    for (int x : List.of(0, 5, 8)) {
      fig6.add(row("path-strong", Integer.toString(x), 0.5, 0));
      fig6.add(row("path-strong-treetop", Integer.toString(x), 0.01, 0));
      fig6.add(row("roram", Integer.toString(x), x < 8 ? 0.6 : 0.2, 0));
    }
    Table table = Claims.of(fig6, fig7);
    assertThat(cell(table, "rORAM is faster from", "ours, against path-strong"))
        .isEqualTo("2^8: not reached");
    assertThat(cell(table, "rORAM is faster from", "ours, against path-strong-treetop"))
        .isEqualTo("never: not reached");
  }

  @Test
  void throughputIsARatioOfQueries() {
    fig7.add(row("path-strong", "fileserver", 0.5, 0));
    fig7.add(row("roram", "fileserver", 3, 0.3));
    Table table = Claims.of(fig6, fig7);
    assertThat(cell(table, "file server", "ours, against path-strong"))
        .isEqualTo("6.00x [5.40, 6.60]: reached");
  }

  @Test
  void thisMachinesDiskHasRatiosAndNoVerdict() {
    fig6.add(measured("path-strong", "8", 0.5));
    fig6.add(measured("roram", "8", 0.1));
    fig7.add(measured("path-strong", "seq", 2));
    fig7.add(measured("roram", "seq", 5));
    Table table = Claims.of(fig6, fig7);
    assertThat(table.rows())
        .filteredOn(row -> row.get(1).equals("measured"))
        .extracting(row -> row.get(0), row -> table.cell(row, "ours, against path-strong"))
        .containsExactly(
            tuple("ranges of 2^8 blocks: rORAM is faster by", "5.00x [5.00, 5.00]"),
            tuple("sequential read: rORAM answers more queries by", "2.50x [2.50, 2.50]"));
  }

  private static Series measured(String series, String x, double mean) {
    return new Series("measured", series, x, mean, mean, mean, 5);
  }
}
