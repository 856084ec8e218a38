package io.github.roram.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Table I as numbers: its formulas by hand at one place, and its cells. */
final class TableOneExperimentTest {

  private static List<String> row(String scheme, String place) {
    return TableOneExperiment.rows().stream()
        .filter(row -> row.get(0).contains(scheme) && row.get(1).equals(place))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void formulasAreThoseOfTheTable() {
    // log N = 16 + 2; r = 2^8: log^2 N, r log^2 N; cube root of 2^18 is 64.
    assertThat(row("formula: rORAM", "2^18, 256")).contains("324", "82,944", "256");
    assertThat(row("local map", "2^18, 256")).contains("4,608", "256");
    assertThat(row("recursive map", "2^18, 1")).contains("324", "0");
    assertThat(row("Demertzis", "2^18, 1")).contains("1", "20,736");
    // log^3 N (log log N)^2 seeks, log^3 N blocks.
    assertThat(row("Asharov", "2^18, 1")).contains("101,408", "5,832");
  }

  @Test
  void noCellIsEmptyAndEverythingIsThere() {
    assertThat(TableOneExperiment.rows())
        .hasSize(3 * 2 * 8)
        .allSatisfy(row -> assertThat(row).doesNotContain("").noneMatch(c -> c.contains("NaN")));
  }
}
