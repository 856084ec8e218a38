package io.github.roram.bench.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows as lines for a terminal: columns as wide as they need, two blanks apart. */
public final class TextTable {

  private static final String GAP = "  ";

  private TextTable() {}

  /**
   * A line for each row, without its end.
   *
   * @param rows cells, as many in each; the first may be headings
   * @param names columns at the left that stand at their left, others at their right
   */
  public static List<String> lines(List<List<String>> rows, int names) {
    int[] widths = widths(rows);
    return rows.stream().map(row -> line(row, widths, names)).toList();
  }

  /** Below headings: a line of dashes as long as each column is wide. */
  public static String rule(List<List<String>> rows) {
    return IntStream.of(widths(rows)).mapToObj("-"::repeat).collect(Collectors.joining(GAP));
  }

  private static int[] widths(List<List<String>> rows) {
    return IntStream.range(0, rows.get(0).size())
        .map(i -> rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
        .toArray();
  }

  private static String line(List<String> row, int[] widths, int names) {
    return IntStream.range(0, widths.length)
        .mapToObj(i -> padded(row.get(i), widths[i], i < names))
        .collect(Collectors.joining(GAP))
        .stripTrailing();
  }

  private static String padded(String cell, int width, boolean left) {
    String blanks = " ".repeat(width - cell.length());
    return left ? cell + blanks : blanks + cell;
  }
}
