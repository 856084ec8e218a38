package io.github.roram.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.roram.bench.experiment.Claim.ClaimTables;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verdicts follow from the figures. */
class ClaimsTest {

  @TempDir Path directory;

  private final List<Series> fig6 = new ArrayList<>();
  private final List<Series> fig7 = new ArrayList<>();

  private static Series row(String series, String x, double mean, double arm) {
    return new Series("hdd", series, x, mean, mean - arm, mean + arm, 5);
  }

  /** The table of all comparisons, or that with a row for each claim and device. */
  private Table table(String name) throws IOException {
    Series.write(fig6, directory, "fig6");
    Series.write(fig7, directory, "fig7");
    List<Claim> claims = new ArrayList<>();
    for (Experiment experiment : Experiment.all()) {
      claims.addAll(experiment.claims(directory));
    }
    ClaimTables.write(claims, directory);
    return Table.read(directory, name, List.of("claim", "verdict"));
  }

  private static List<String> cells(Table table, String claim, String ours, String against) {
    return table.rows().stream()
        .filter(row -> row.get(0).startsWith(claim) && row.get(1).equals("hdd"))
        .filter(row -> table.cell(row, "ours").equals(ours))
        .filter(row -> table.cell(row, "against").equals(against))
        .map(row -> table.cell(row, "what came out") + ": " + table.cell(row, "verdict"))
        .toList();
  }

  @Test
  void longRangesTakeTheWorst() throws IOException {
    for (int x : List.of(0, 5, 10, 12)) {
      fig6.add(row("path-strong", Integer.toString(x), 0.5, 0));
    }
    fig6.add(row("roram", "0", 0.6, 0));
    fig6.add(row("roram", "5", 0.1, 0));
    fig6.add(row("roram", "10", 0.02, 0));
    fig6.add(row("roram", "12", 0.01, 0));
    Table table = table("claims-all");
    assertThat(cells(table, "ranges of 2^10", "roram", "path-strong"))
        .containsExactly("25.0x to 50.0x: not reached");
    assertThat(cells(table, "rORAM is faster from", "roram", "path-strong"))
        .containsExactly("2^5: reached");
    assertThat(cells(table, "ranges of 2^10", "roram", "path-paper-like")).isEmpty();
  }

  @Test
  void crossingBeyondThePapersOrNeverIsNotReached() throws IOException {
    for (int x : List.of(0, 5, 8)) {
      fig6.add(row("path-strong", Integer.toString(x), 0.5, 0));
      fig6.add(row("path-strong-treetop", Integer.toString(x), 0.01, 0));
      fig6.add(row("roram", Integer.toString(x), x < 8 ? 0.6 : 0.2, 0));
    }
    Table table = table("claims-all");
    assertThat(cells(table, "rORAM is faster from", "roram", "path-strong"))
        .containsExactly("2^8: not reached");
    assertThat(cells(table, "rORAM is faster from", "roram", "path-strong-treetop"))
        .containsExactly("never: not reached");
  }

  @Test
  void throughputIsARatioOfQueries() throws IOException {
    fig7.add(row("path-strong", "fileserver", 0.5, 0));
    fig7.add(row("roram", "fileserver", 3, 0.3));
    Table table = table("claims-all");
    assertThat(cells(table, "file server", "roram", "path-strong"))
        .containsExactly("6.00x [5.40, 6.60]: reached");
  }

  @Test
  void thisMachinesDiskHasRatiosAndNoVerdict() throws IOException {
    fig6.add(measured("path-strong", "8", 0.5));
    fig6.add(measured("roram", "8", 0.1));
    fig7.add(measured("path-strong", "seq", 2));
    fig7.add(measured("roram", "seq", 5));
    Table table = table("claims-all");
    assertThat(table.rows())
        .filteredOn(row -> row.get(1).equals("measured"))
        .filteredOn(row -> table.cell(row, "against").equals("path-strong"))
        .extracting(
            row -> row.get(0),
            row -> table.cell(row, "what came out"),
            row -> table.cell(row, "verdict"))
        .containsExactly(
            tuple("ranges of 2^8 blocks: rORAM is faster by", "5.00x [5.00, 5.00]", "–"),
            tuple("sequential read: rORAM answers more queries by", "2.50x [2.50, 2.50]", "–"));
  }

  /** The paper's text and its caption differ; a ratio between them reaches one of the two. */
  @Test
  void whatThePaperSaysInTwoPlacesIsQuotedAndJudgedTwice() throws IOException {
    fig7.add(row("path-strong", "seq", 1, 0));
    fig7.add(row("roram-two-trees", "seq", 15, 0));
    fig7.add(row("roram-one-tree", "seq", 25, 0));
    fig7.add(row("roram", "seq", 5, 0));
    Table table = table("claims-all");
    assertThat(table.rows())
        .extracting(row -> table.cell(row, "the paper says"))
        .containsOnly("almost 20x (text); 10x to 15x (figure 7's caption)");
    assertThat(cells(table, "sequential", "roram-two-trees", "path-strong"))
        .containsExactly("15.0x [15.0, 15.0]: not reached (text), reached (figure 7's caption)");
    assertThat(cells(table, "sequential", "roram-one-tree", "path-strong"))
        .containsExactly("25.0x [25.0, 25.0]: reached");
    assertThat(cells(table, "sequential", "roram", "path-strong"))
        .containsExactly("5.00x [5.00, 5.00]: not reached");
  }

  /** Trees chosen for the device; what was run, if those were not. */
  @Test
  void readerIsShownOneRowForAClaimAndDevice() throws IOException {
    fig7.add(row("path-strong", "videoserver", 1, 0));
    fig7.add(row("path-strong-treetop", "videoserver", 2, 0));
    fig7.add(row("roram", "videoserver", 5, 0));
    assertThat(table("claims").rows())
        .extracting(row -> row.get(1), row -> row.get(3), row -> row.get(5))
        .containsExactly(tuple("hdd", "5.00x [5.00, 5.00]", "roram against path-strong"));
    fig7.add(row("roram-one-tree", "videoserver", 9, 0));
    fig7.add(row("roram-two-trees", "videoserver", 12, 0));
    Table table = table("claims");
    assertThat(table.columns()).hasSizeLessThan(7);
    assertThat(table.rows())
        .extracting(row -> row.get(1), row -> row.get(3), row -> row.get(5))
        .containsExactly(tuple("hdd", "12.0x [12.0, 12.0]", "roram-two-trees against path-strong"));
  }

  private static Series measured(String series, String x, double mean) {
    return new Series("measured", series, x, mean, mean, mean, 5);
  }
}
