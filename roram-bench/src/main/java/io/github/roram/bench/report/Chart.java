package io.github.roram.bench.report;

import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chart.Drawing.Anchor;
import io.github.roram.bench.report.Chart.Drawing.Look;
import io.github.roram.bench.report.Table.TextTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A panel of a figure: curves over numbers, or a row for each name, with the confidence intervals
 * of the means, as narrow as a phone. A contender looks the same in all figures; what was published
 * stands in it as marks alone. Not thread safe.
 */
public final class Chart {

  private static final int WIDTH = 420;
  private static final int RIGHT = WIDTH - 16;
  private static final int LEFT_OF_CURVES = 64;
  private static final int PLOT_HEIGHT = 230;
  private static final int LINE = 17;
  private static final double LETTER = 6.9;
  private static final int MOST_LETTERS = 58;

  /** Room for a value behind its bar. */
  private static final int VALUE = 46;

  private static final int SAMPLE = 30;

  /** Curves of more points have no marks. */
  private static final int MOST_MARKS = 30;

  /** Curves no further apart lie on one another. */
  private static final double SAME_PIXELS = 2;

  /** Shorter arms of intervals are hidden by the mark. */
  private static final double LEAST_ARM_PIXELS = 2;

  private static final double CAP = 3;

  /** On a logarithmic axis the arms of intervals stay below the value. */
  private static final double MOST_OF_VALUE = 0.95;

  private final FigureStyle style;
  private final String title;
  private final List<Series> rows;
  private final List<Series> published;
  private final List<String> places;
  private final List<String> names;
  private final List<Look> looks = new ArrayList<>();
  private final Axis axis;
  private final Drawing drawing = new Drawing();
  private boolean hasInterval;

  /** Where what was drawn ends below. */
  private double below;

  private Chart(FigureStyle style, String title, List<Series> given) {
    this.style = style;
    this.title = title;
    List<Series> shown =
        style.shown(given).stream()
            .filter(row -> !style.isLogarithmic() || row.mean() > 0)
            .toList();
    published =
        style.published().stream()
            .filter(row -> !given.isEmpty() && row.panel().equals(given.get(0).panel()))
            .toList();
    places = Stream.concat(shown.stream(), published.stream()).map(Series::x).distinct().toList();
    rows = style.isBars() ? shown : shown.stream().flatMap(this::across).toList();
    names = all().map(Series::series).distinct().toList();
    look();
    double[] values =
        Stream.concat(
                all().flatMap(row -> Stream.of(row.mean() - arm(row), row.mean() + arm(row))),
                style.isRatio() ? Stream.of(1.0) : Stream.of())
            .mapToDouble(Double::doubleValue)
            .toArray();
    axis = style.isLogarithmic() ? Axis.logarithmic(values) : Axis.linear(values);
  }

  /**
   * Draws a panel.
   *
   * @param title what it shows, and whether that is measured or modelled
   * @param rows its series; a logarithmic axis leaves out values that are not above 0
   */
  public static Chart of(FigureStyle style, String title, List<Series> rows) {
    Chart chart = new Chart(style, title, rows);
    chart.note(title);
    if (style.isBars()) {
      chart.bars();
    } else {
      chart.curves();
    }
    chart.intervals();
    return chart;
  }

  /** Returns the chart as SVG for a page. */
  String svg() {
    return drawing.svg(WIDTH, below + LINE / 2.0, title);
  }

  /** Writes {@code name.svg}. */
  void write(Path directory, String name) throws IOException {
    Report.replace(
        directory.resolve(name + ".svg"), drawing.svgFile(WIDTH, below + LINE / 2.0, title));
  }

  /** Returns the points of a series; a value without a number applies at all places. */
  private Stream<Series> across(Series row) {
    return row.isAtNumber()
        ? Stream.of(row)
        : places.stream().filter(Series::isNumber).map(row::at);
  }

  private Stream<Series> all() {
    return Stream.concat(rows.stream(), published.stream());
  }

  /** Contenders have their looks; the others take what these leave. */
  private void look() {
    List<Look> taken =
        names.stream().flatMap(name -> Contenders.look(name).stream()).map(Look::new).toList();
    Iterator<Look> free =
        IntStream.range(1, Look.COUNT)
            .mapToObj(Look::new)
            .filter(l -> !taken.contains(l))
            .iterator();
    for (String name : names) {
      Look look = Contenders.look(name).map(Look::new).orElseGet(free::next);
      looks.add(isPublished(name) ? Look.PUBLISHED : look);
    }
  }

  private Look look(Series row) {
    return looks.get(names.indexOf(row.series()));
  }

  /** Adds a sentence, in as many lines as it takes. */
  private void note(String text) {
    TextTable.wrap(text, MOST_LETTERS)
        .forEach(line -> drawing.text(8, below += LINE, Anchor.START, line));
  }

  /** Says of the intervals what cannot be seen. */
  private void intervals() {
    int runs = rows.stream().mapToInt(Series::runs).max().orElse(0);
    if (hasInterval) {
      note("Thin lines: 95 % confidence intervals" + (runs > 1 ? ", " + runs + " runs." : "."));
    } else if (runs > 1) {
      note("95 % confidence intervals of " + runs + " runs are within the marks.");
    }
  }

  private double arm(Series row) {
    double arm = Double.isNaN(row.low()) ? 0 : row.mean() - row.low();
    return style.isLogarithmic() ? Math.min(arm, MOST_OF_VALUE * row.mean()) : arm;
  }

  /** Draws an interval from one place to another, unless the mark hides it. */
  private void interval(double x1, double y1, double x2, double y2) {
    if (Math.hypot(x2 - x1, y2 - y1) > 2 * LEAST_ARM_PIXELS) {
      double capX = x1 == x2 ? CAP : 0;
      double capY = CAP - capX;
      drawing.line(Look.INK, x1, y1, x2, y2);
      drawing.line(Look.INK, x1 - capX, y1 - capY, x1 + capX, y1 + capY);
      drawing.line(Look.INK, x2 - capX, y2 - capY, x2 + capX, y2 + capY);
      hasInterval = true;
    }
  }

  /** Labels below the plot, without those for which there is no room. */
  private void labels(Axis of, double left, double right) {
    double free = 0;
    for (double tick : of.ticks()) {
      double x = left + (right - left) * of.share(tick);
      double half = Axis.label(tick).length() * LETTER / 2;
      if (x - half >= free) {
        drawing.text(x, below, Anchor.MIDDLE, Axis.label(tick));
        free = x + half + 2 * LETTER;
      }
    }
  }

  private void bars() {
    boolean grouped = names.size() > 1 && !places.equals(List.of(""));
    int longest =
        (names.size() > 1 ? names : places).stream().mapToInt(String::length).max().orElse(0);
    double left = Math.min(WIDTH / 2.0, 14 + longest * LETTER);
    double right = RIGHT - VALUE;
    double top = below + LINE / 2.0;
    double bottom = top + LINE * (all().count() + (grouped ? places.size() : 0)) + 4;
    for (double tick : axis.ticks()) {
      double x = left + (right - left) * axis.share(tick);
      drawing.line(Look.GRID, x, top, x, bottom);
    }
    below = top;
    for (String place : places) {
      if (grouped) {
        drawing.text(8, (below += LINE) - 4, Anchor.START, place);
      }
      all().filter(row -> row.x().equals(place)).forEach(row -> bar(row, left, right));
    }
    below = bottom + LINE - 3;
    labels(axis, left, right);
    drawing.text(RIGHT, below += LINE, Anchor.END, style.yAxis());
  }

  /**
   * Draws a bar from 0, or for ratios from 1; on other logarithmic axes, which have neither, a
   * mark.
   */
  private void bar(Series row, double left, double right) {
    DoubleUnaryOperator x = value -> left + (right - left) * axis.share(value);
    double middle = below + LINE / 2.0;
    double head = x.applyAsDouble(row.mean());
    String value = Units.number(row.mean());
    drawing.text(left - 6, middle + 4, Anchor.END, names.size() > 1 ? row.series() : row.x());
    if (published.contains(row) || (style.isLogarithmic() && !style.isRatio())) {
      drawing.mark(look(row), head, middle, value);
    } else {
      double foot = x.applyAsDouble(style.isRatio() ? 1 : 0);
      double length = Math.max(1, Math.abs(head - foot));
      drawing.bar(look(row), Math.min(head, foot), middle - 5, length, 10, value);
    }
    double end = x.applyAsDouble(row.mean() + arm(row));
    interval(x.applyAsDouble(row.mean() - arm(row)), middle, end, middle);
    double least = style.isRatio() ? x.applyAsDouble(1) : left;
    drawing.text(Math.max(end, least) + 7, middle + 4, Anchor.START, value);
    below += LINE;
  }

  private void curves() {
    Axis across = Axis.between(all().mapToDouble(Series::place).distinct().sorted().toArray());
    legend();
    drawing.text(8, below += LINE + 4, Anchor.START, style.yAxis() + ":");
    double top = below + LINE;
    for (double tick : axis.ticks()) {
      drawing.line(Look.GRID, LEFT_OF_CURVES, top + up(tick), RIGHT, top + up(tick));
      drawing.text(LEFT_OF_CURVES - 6, top + up(tick) + 4, Anchor.END, Axis.label(tick));
    }
    names.forEach(name -> curve(name, across, top));
    below = top + PLOT_HEIGHT + LINE;
    labels(across, LEFT_OF_CURVES, RIGHT);
    below += LINE;
    drawing.text((LEFT_OF_CURVES + RIGHT) / 2.0, below, Anchor.MIDDLE, style.xAxis());
    hidden();
  }

  private double up(double value) {
    return PLOT_HEIGHT * (1 - axis.share(value));
  }

  /** Returns the rows of a series in the order of their places. */
  private List<Series> own(String name) {
    return all()
        .filter(row -> row.series().equals(name))
        .sorted(Comparator.comparingDouble(Series::place))
        .toList();
  }

  /** Draws the look of each series, in two columns if names are short. */
  private void legend() {
    int longest = names.stream().mapToInt(String::length).max().orElse(0);
    int columns = SAMPLE + longest * LETTER < WIDTH / 2.0 - 20 ? 2 : 1;
    for (int i = 0; i < names.size(); i++) {
      double x = 8 + i % columns * WIDTH / 2.0;
      below += i % columns == 0 ? LINE : 0;
      if (!isPublished(names.get(i))) {
        drawing.curve(
            looks.get(i),
            List.of(new double[] {x, below - 4}, new double[] {x + SAMPLE, below - 4}));
      }
      drawing.mark(looks.get(i), x + SAMPLE / 2.0, below - 4, names.get(i));
      drawing.text(x + SAMPLE + 6, below, Anchor.START, names.get(i));
    }
  }

  /** Says which curves hide others. */
  private void hidden() {
    for (String name : names) {
      names.stream()
          .takeWhile(other -> !other.equals(name))
          .filter(other -> isSame(own(name), own(other)))
          .forEach(other -> note(name + " lies on " + other + "."));
    }
  }

  private boolean isPublished(String name) {
    return published.stream().anyMatch(row -> row.series().equals(name));
  }

  private boolean isSame(List<Series> one, List<Series> other) {
    return one.size() == other.size()
        && IntStream.range(0, one.size())
            .allMatch(
                i ->
                    one.get(i).x().equals(other.get(i).x())
                        && Math.abs(up(one.get(i).mean()) - up(other.get(i).mean()))
                            <= SAME_PIXELS);
  }

  private void curve(String name, Axis across, double top) {
    Look look = looks.get(names.indexOf(name));
    List<Series> own = own(name);
    List<double[]> points = new ArrayList<>();
    for (Series row : own) {
      double x = LEFT_OF_CURVES + (RIGHT - LEFT_OF_CURVES) * across.share(row.place());
      points.add(new double[] {x, top + up(row.mean())});
      if (own.size() <= MOST_MARKS) {
        drawing.mark(look, x, top + up(row.mean()), name + ": " + Units.number(row.mean()));
        interval(x, top + up(row.mean() + arm(row)), x, top + up(row.mean() - arm(row)));
      }
    }
    if (!isPublished(name)) {
      drawing.curve(look, points);
    }
  }

  /**
   * Lines, bars, marks and text as SVG. Text stays text, which can be selected, searched and heard.
   * Colours are classes of {@code chart.css}, which has them for light and dark pages. Not thread
   * safe.
   */
  static final class Drawing {

    /** Where text stands from: its left end, its middle or its right end. */
    enum Anchor {
      START,
      MIDDLE,
      END
    }

    /**
     * What sets a series apart from others: its colour, and without colours its mark and dashes.
     *
     * @param number from 0 on; up to {@link #COUNT} all differ
     */
    record Look(int number) {

      private static final int COLOURS = 8;

      /** Style class of what is behind all series. */
      static final String GRID = "grid";

      /** Lines in the colour of text. */
      static final String INK = "ink";

      /** Outlines around a point, none of which covers another. */
      private static final List<String> MARKS =
          List.of(
              "m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0",
              "m-3.5,-3.5h7v7h-7z",
              "m0,-4.5l4.5,8h-9z",
              "m0,-5.5l5,5.5l-5,5.5l-5,-5.5z",
              "m-4,-4l8,8m0,-8l-8,8",
              "m0,4.5l4.5,-8h-9z",
              "m0,-5v10m-5,-5h10");

      private static final String STAR = "m0,-6.5v13m-5.6,-9.75l11.2,6.5m0,-6.5l-11.2,6.5";

      private static final List<String> DASHES = List.of("", "14 6", "4 6", "18 6 4 6", "8 4");

      /** The look of published values. */
      static final Look PUBLISHED = new Look(-1);

      /** Number of different looks. */
      static final int COUNT = COLOURS * MARKS.size();

      String colour() {
        return equals(PUBLISHED) ? INK : "c" + number % COLOURS;
      }

      private String mark() {
        return equals(PUBLISHED) ? STAR : MARKS.get(number % MARKS.size());
      }

      private String dashes() {
        return DASHES.get(number % DASHES.size());
      }
    }

    private static final int FONT_PIXELS = 13;

    private final StringBuilder shapes = new StringBuilder();

    /** Draws a bar, which shows its {@code tip} when pointed at. */
    void bar(Look look, double x, double y, double width, double height, String tip) {
      add(
          "<rect class=\"%s fill\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">"
              + "<title>%s</title></rect>",
          look.colour(), x, y, width, height, Html.escape(tip));
    }

    /** Draws a straight line of a style class. */
    void line(String styleClass, double x1, double y1, double x2, double y2) {
      add(
          "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
          styleClass, x1, y1, x2, y2);
    }

    /** Draws a curve through points, each x and y; of points at the same place, one. */
    void curve(Look look, List<double[]> points) {
      add(
          "<polyline class=\"%s curve\" transform=\"scale(.5)\" stroke-dasharray=\"%s\" points=\"%s\"/>",
          look.colour(),
          look.dashes(),
          points.stream()
              .map(p -> format("%.0f,%.0f", 2 * p[0], 2 * p[1]))
              .distinct()
              .collect(Collectors.joining(" ")));
    }

    /** Draws a mark at a point, which shows its {@code tip} when pointed at. */
    void mark(Look look, double x, double y, String tip) {
      add(
          "<path class=\"%s mark\" d=\"M%.1f,%.1f%s\"><title>%s</title></path>",
          look.colour(), x, y, look.mark(), Html.escape(tip));
    }

    /** Draws text from left to right. */
    void text(double x, double y, Anchor anchor, String text) {
      add(
          "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
          x, y, anchor.name().toLowerCase(Locale.ROOT), Html.escape(text));
    }

    private void add(String shape, Object... values) {
      shapes.append(format(shape, values)).append('\n');
    }

    /**
     * Returns the drawing as an element of a page that has the colours.
     *
     * @param title text for readers who cannot see it
     */
    String svg(int width, double height, String title) {
      return svg("", "", width, height, title);
    }

    /** Returns the drawing as a file with its own colours. */
    String svgFile(int width, double height, String title) throws IOException {
      String style = "<style>" + Html.resource("chart.css") + "</style>\n";
      String page = "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n";
      return svg(" xmlns=\"http://www.w3.org/2000/svg\"", style + page, width, height, title);
    }

    private String svg(String attributes, String begin, int width, double height, String title) {
      return format(
              "<svg%s viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"%s\""
                  + " font-family=\"sans-serif\" font-size=\"%d\">\n",
              attributes, width, height, Html.escape(title), FONT_PIXELS)
          + begin
          + shapes
          + "</svg>\n";
    }

    private static String format(String format, Object... values) {
      return String.format(Locale.ROOT, format, values);
    }
  }
}
