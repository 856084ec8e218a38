package io.github.roram.bench.report;

import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Drawing.Anchor;
import io.github.roram.bench.report.Drawing.Stroke;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * A panel of a figure: groups of bars over names, or curves over numbers, with the confidence
 * intervals of the means. A contender has its colour in all figures. Not thread safe.
 */
public final class Chart {

  private static final int WIDTH = 640;
  private static final int PLOT_HEIGHT = 250;
  private static final int LEFT = 76;
  private static final int RIGHT = 24;
  private static final int BELOW = 44;
  private static final int LEGEND_ROW = 17;
  private static final int LETTER = 7;

  /** Share of a group's width that its bars take. */
  private static final double GROUP_FILL = 0.8;

  /** Narrower bars have their values written upwards. */
  private static final int LEVEL_TEXT = 36;

  /** Curves of more points have no marks. */
  private static final int MOST_MARKS = 30;

  private static final int INTERVAL = 0x555555;
  private static final double MARK = 5;
  private static final int MOST_TICKS = 8;

  /** Lengths of the interval's arms stay below the value, which a logarithmic axis needs. */
  private static final double MOST_OF_VALUE = 0.95;

  /** For series that are no contenders; told apart by the colour-blind too. */
  private static final int[] OTHERS = {
    0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00, 0x332288, 0x888888, 0xaa44cc,
    0x7f1d1d, 0xf0e442, 0x00553d
  };

  private final FigureStyle style;
  private final List<Series> rows;
  private final List<String> names;
  private final int[] colours;
  private final double top;
  private final Drawing drawing;
  private final Axis vertical;

  /**
   * Values along an axis.
   *
   * @param low where it begins; of a logarithmic one, the power of ten
   * @param high where it ends, likewise
   * @param step from tick to tick, likewise
   */
  private record Axis(double low, double high, double step, boolean logarithmic) {

    static Axis logarithmic(double[] values) {
      double least = Arrays.stream(values).filter(v -> v > 0).min().orElse(1);
      double most = Arrays.stream(values).filter(v -> v > 0).max().orElse(1);
      double low = Math.ceil(Math.log10(least)) - 1;
      double high = Math.max(low + 1, Math.ceil(Math.log10(most)));
      return new Axis(low, high, Math.ceil((high - low) / MOST_TICKS), true);
    }

    /** From 0 on, or from below it. */
    static Axis linear(double[] values) {
      double low = Math.min(0, Arrays.stream(values).min().orElse(0));
      double high = Math.max(0, Arrays.stream(values).max().orElse(1));
      double rough = (high > low ? high - low : 1) / MOST_TICKS;
      double power = Math.pow(10, Math.floor(Math.log10(rough)));
      double step = rough <= 2 * power ? 2 * power : rough <= 5 * power ? 5 * power : 10 * power;
      double end = Math.max(low + step, Math.ceil(high / step) * step);
      return new Axis(Math.floor(low / step) * step, end, step, false);
    }

    /** Where a value stands, from 0 at the beginning to 1 at the end. */
    double share(double value) {
      return ((logarithmic ? Math.log10(value) : value) - low) / (high - low);
    }

    /** Values with a label. */
    double[] ticks() {
      int count = (int) Math.floor((high - low) / step + 1e-9) + 1;
      double[] ticks = new double[count];
      Arrays.setAll(ticks, i -> logarithmic ? Math.pow(10, low + i * step) : low + i * step);
      return ticks;
    }

    /** Written out as far as that is short. */
    String label(double tick) {
      double size = Math.abs(tick);
      if (size != 0 && (size < 1e-3 || size >= 1e6)) {
        return String.format(Locale.ROOT, "%.0e", tick).replaceAll("e([+-])0*(\\d)", "e$1$2");
      }
      int decimals = (int) Math.max(0, -Math.floor(Math.log10(logarithmic ? size : step) + 1e-9));
      return String.format(Locale.ROOT, "%,." + decimals + "f", tick);
    }
  }

  private Chart(FigureStyle style, String title, List<Series> rows) {
    this.style = style;
    this.rows = rows.stream().filter(row -> !style.isLogarithmic() || row.mean() > 0).toList();
    names = rows.stream().map(Series::series).distinct().toList();
    colours = colours(names);
    int columns = legendColumns();
    int legendRows = (names.size() + columns - 1) / columns;
    top = 18 + LEGEND_ROW * legendRows + (style.isBars() ? 34 : 8);
    drawing = new Drawing(WIDTH, (int) top + PLOT_HEIGHT + BELOW, title);
    double[] values =
        this.rows.stream()
            .flatMapToDouble(row -> DoubleStream.of(row.mean() - arm(row), row.mean() + arm(row)))
            .toArray();
    vertical = style.isLogarithmic() ? Axis.logarithmic(values) : Axis.linear(values);
  }

  /**
   * Draws a panel.
   *
   * @param title what it shows, and whether that is measured or modelled
   * @param rows its series; on a logarithmic axis what is not above 0 is left out
   */
  public static Chart of(FigureStyle style, String title, List<Series> rows) {
    Chart chart = new Chart(style, title, rows);
    chart.frame(title);
    if (style.isBars()) {
      chart.bars();
    } else {
      chart.curves();
    }
    return chart;
  }

  /** As SVG that stands in a page. */
  String svg() {
    return drawing.svg();
  }

  /** As a picture for elsewhere. */
  byte[] png() throws IOException {
    return drawing.png();
  }

  /** Writes {@code name.svg} and {@code name.png}. */
  void write(Path directory, String name) throws IOException {
    Files.writeString(directory.resolve(name + ".svg"), drawing.svgFile());
    Files.write(directory.resolve(name + ".png"), png());
  }

  private int legendColumns() {
    int longest = names.stream().mapToInt(String::length).max().orElse(1);
    return Math.max(1, (WIDTH - LEFT) / (longest * LETTER + 30));
  }

  private void frame(String title) {
    drawing.text(LEFT, 13, Anchor.START, title);
    int columns = legendColumns();
    double columnWidth = (double) (WIDTH - LEFT) / columns;
    for (int i = 0; i < names.size(); i++) {
      double x = LEFT + i % columns * columnWidth;
      double y = 20 + LEGEND_ROW * (i / columns);
      drawing.bar(x, y, 11, 11, colours[i], names.get(i));
      drawing.text(x + 16, y + 10, Anchor.START, names.get(i));
    }
    for (double tick : vertical.ticks()) {
      drawing.line(LEFT, y(tick), WIDTH - RIGHT, y(tick), Drawing.GRID, Stroke.THIN);
      drawing.text(LEFT - 6, y(tick) + 4, Anchor.END, vertical.label(tick));
    }
    drawing.textUpwards(14, top + PLOT_HEIGHT / 2.0, Anchor.MIDDLE, style.yAxis());
    drawing.text(
        LEFT + plotWidth() / 2, top + PLOT_HEIGHT + BELOW - 8, Anchor.MIDDLE, style.xAxis());
  }

  private void bars() {
    List<String> places = rows.stream().map(Series::x).distinct().toList();
    double groupWidth = plotWidth() / Math.max(1, places.size());
    double barWidth = groupWidth * GROUP_FILL / Math.max(1, names.size());
    for (int place = 0; place < places.size(); place++) {
      double left = LEFT + place * groupWidth;
      xLabel(left + groupWidth / 2, places.get(place));
      for (Series row : rows) {
        if (row.x().equals(places.get(place))) {
          int series = names.indexOf(row.series());
          bar(row, left + groupWidth * (1 - GROUP_FILL) / 2 + series * barWidth, barWidth, series);
        }
      }
    }
  }

  private void bar(Series row, double x, double width, int series) {
    double foot = style.isLogarithmic() ? top + PLOT_HEIGHT : y(0);
    double head = y(row.mean());
    String value = Units.number(row.mean());
    double inner = Math.max(1, width - 2);
    drawing.bar(x + 1, Math.min(head, foot), inner, Math.abs(foot - head), colours[series], value);
    double above = interval(row, x + width / 2) - 3;
    if (width < LEVEL_TEXT) {
      drawing.textUpwards(x + width / 2 + 4, above, Anchor.START, value);
    } else {
      drawing.text(x + width / 2, above, Anchor.MIDDLE, value);
    }
  }

  private void curves() {
    double[] places =
        rows.stream()
            .filter(Series::isAtNumber)
            .mapToDouble(row -> Double.parseDouble(row.x()))
            .toArray();
    double[] distinct = Arrays.stream(places).distinct().sorted().toArray();
    double first = distinct.length == 0 ? 0 : distinct[0];
    double last = distinct.length == 0 ? 1 : distinct[distinct.length - 1];
    Axis across = new Axis(first, last > first ? last : first + 1, 1, false);
    double[] ticks = distinct.length <= 2 * MOST_TICKS ? distinct : Axis.linear(places).ticks();
    for (double tick : ticks) {
      if (tick >= first && tick <= last) {
        xLabel(
            x(across, tick),
            tick == Math.rint(tick) ? Units.count((long) tick) : Units.number(tick));
      }
    }
    for (int i = 0; i < names.size(); i++) {
      curve(names.get(i), across, colours[i]);
    }
  }

  private void curve(String name, Axis across, int rgb) {
    List<Series> own = rows.stream().filter(row -> row.series().equals(name)).toList();
    List<Series> points = own.stream().filter(Series::isAtNumber).toList();
    if (points.isEmpty()) {
      // A figure that does not depend on x: a line across.
      own.forEach(
          row ->
              drawing.line(LEFT, y(row.mean()), WIDTH - RIGHT, y(row.mean()), rgb, Stroke.DASHED));
      return;
    }
    List<Series> ordered = new ArrayList<>(points);
    ordered.sort(Comparator.comparingDouble(row -> Double.parseDouble(row.x())));
    for (int i = 0; i < ordered.size(); i++) {
      Series row = ordered.get(i);
      double x = x(across, Double.parseDouble(row.x()));
      if (i > 0) {
        Series before = ordered.get(i - 1);
        drawing.line(
            x(across, Double.parseDouble(before.x())),
            y(before.mean()),
            x,
            y(row.mean()),
            rgb,
            Stroke.THICK);
      }
      if (ordered.size() <= MOST_MARKS) {
        drawing.bar(
            x - MARK / 2,
            y(row.mean()) - MARK / 2,
            MARK,
            MARK,
            rgb,
            name + ": " + Units.number(row.mean()));
      }
      interval(row, x);
    }
  }

  /** Draws the confidence interval, and returns where it ends above. */
  private double interval(Series row, double x) {
    double arm = arm(row);
    if (arm > 0) {
      drawing.line(x, y(row.mean() - arm), x, y(row.mean() + arm), INTERVAL, Stroke.THIN);
    }
    return y(row.mean() + arm);
  }

  private static double arm(Series row) {
    double arm = Double.isNaN(row.low()) ? 0 : row.mean() - row.low();
    return Math.min(arm, MOST_OF_VALUE * Math.abs(row.mean()));
  }

  private void xLabel(double x, String label) {
    drawing.text(x, top + PLOT_HEIGHT + 16, Anchor.MIDDLE, label);
  }

  private static double plotWidth() {
    return WIDTH - LEFT - RIGHT;
  }

  private static double x(Axis across, double value) {
    return LEFT + plotWidth() * across.share(value);
  }

  private double y(double value) {
    return top + PLOT_HEIGHT * (1 - vertical.share(value));
  }

  /** Contenders have theirs; the others take what these leave. */
  private static int[] colours(List<String> names) {
    List<Integer> taken = names.stream().flatMap(name -> Contenders.rgb(name).stream()).toList();
    int[] free = Arrays.stream(OTHERS).filter(rgb -> !taken.contains(rgb)).toArray();
    int[] colours = new int[names.size()];
    int others = 0;
    for (int i = 0; i < colours.length; i++) {
      Optional<Integer> own = Contenders.rgb(names.get(i));
      colours[i] = own.isPresent() ? own.get() : free[others++ % free.length];
    }
    return colours;
  }
}
