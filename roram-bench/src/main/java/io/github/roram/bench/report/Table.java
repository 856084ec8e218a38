package io.github.roram.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;

/**
 * Rows of named columns, as CSV with a header line and as JSON.
 *
 * @param columns their names
 * @param rows a cell for each column
 */
public record Table(List<String> columns, List<List<String>> rows) {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setRecordSeparator('\n').get();

  /** Copies the lists. */
  public Table {
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
    for (List<String> row : rows) {
      if (row.size() != columns.size()) {
        throw new IllegalArgumentException(
            "the row " + row + " does not have the columns " + columns);
      }
    }
  }

  /** Returns the cell of a row, by the column's name. */
  public String cell(List<String> row, String column) {
    return row.get(columns.indexOf(column));
  }

  /** Writes {@code name.csv} and {@code name.json}, replacing them. */
  public void write(Path directory, String name) throws IOException {
    StringWriter csv = new StringWriter();
    try (CSVPrinter printer = new CSVPrinter(csv, FORMAT)) {
      printer.printRecord(columns);
      printer.printRecords(rows);
    }
    Report.replace(directory.resolve(name + ".csv"), csv.toString());
    List<Map<String, String>> objects = new ArrayList<>();
    for (List<String> row : rows) {
      Map<String, String> object = new LinkedHashMap<>();
      for (int i = 0; i < row.size(); i++) {
        object.put(columns.get(i), row.get(i));
      }
      objects.add(object);
    }
    Report.replace(directory.resolve(name + ".json"), JSON.writeValueAsString(objects));
  }

  /**
   * Reads {@code name.csv}; if there is none, a table without columns and rows.
   *
   * @throws IOException if it is malformed or lacks one of these columns
   */
  public static Table read(Path directory, String name, List<String> needed) throws IOException {
    Path file = directory.resolve(name + ".csv");
    if (!Files.exists(file)) {
      return new Table(needed, List.of());
    }
    List<List<String>> rows = new ArrayList<>();
    try (Reader in = Files.newBufferedReader(file);
        CSVParser parser = CSVParser.parse(in, FORMAT)) {
      for (CSVRecord line : parser) {
        rows.add(line.toList());
      }
      if (rows.isEmpty() || !rows.get(0).containsAll(needed)) {
        throw new IOException(file + " lacks the columns " + needed + "; delete it and run again");
      }
      return new Table(rows.get(0), rows.subList(1, rows.size()));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " is malformed: " + e.getMessage(), e);
    }
  }

  /** Rows as lines for a terminal: columns as wide as they need, two blanks apart. */
  public static final class TextTable {

    private static final String GAP = "  ";

    private TextTable() {}

    /**
     * Returns a line for each row, without its end.
     *
     * @param rows cells, equally many in each row; the first row may be headings
     * @param names number of left-aligned columns; the others are right-aligned
     */
    public static List<String> lines(List<List<String>> rows, int names) {
      int[] widths = widths(rows);
      return rows.stream().map(row -> line(row, widths, names)).toList();
    }

    /** Returns the line below headings: dashes as long as each column is wide. */
    public static String rule(List<List<String>> rows) {
      return IntStream.of(widths(rows)).mapToObj("-"::repeat).collect(Collectors.joining(GAP));
    }

    /** Returns a paragraph in lines of at most this many characters, but for longer words. */
    public static List<String> wrap(String paragraph, int most) {
      List<String> lines = new ArrayList<>();
      for (String word : paragraph.split(" ", -1)) {
        int last = lines.size() - 1;
        if (last >= 0 && lines.get(last).length() + 1 + word.length() <= most) {
          lines.set(last, lines.get(last) + " " + word);
        } else {
          lines.add(word);
        }
      }
      return lines;
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
}
