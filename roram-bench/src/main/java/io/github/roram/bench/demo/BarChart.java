package io.github.roram.bench.demo;

import io.github.roram.bench.replay.ReplayResult;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A group of bars for each trace, a bar for each scheme, on a logarithmic scale, as SVG that stands
 * in HTML. Drawn by hand and not by a chart library since those go through AWT: they turn text into
 * outlines that nobody can select, search or hear, fix the colours, and need fonts on the machine.
 * Here colours come from the page (classes {@code s0}, {@code s1} … for the schemes, {@code grid}),
 * text stays text.
 */
final class BarChart {

  private static final int WIDTH = 560;
  private static final int HEIGHT = 300;
  private static final int LEFT = 64;
  private static final int RIGHT = 8;
  private static final int TOP = 30;
  private static final int BOTTOM = 26;
  private static final int PLOT_WIDTH = WIDTH - LEFT - RIGHT;
  private static final int PLOT_HEIGHT = HEIGHT - TOP - BOTTOM;

  /** Share of a group's width that its bars take. */
  private static final double GROUP_FILL = 0.8;

  private final String title;
  private final DemoReport report;
  private final ToDoubleFunction<ReplayResult> value;
  private final int lowestDecade;
  private final int highestDecade;
  private final StringBuilder svg = new StringBuilder();

  private BarChart(String title, DemoReport report, ToDoubleFunction<ReplayResult> value) {
    this.title = title;
    this.report = report;
    this.value = value;
    double[] drawn =
        report.results().stream().mapToDouble(value).filter(v -> v > 0).sorted().toArray();
    double least = drawn.length == 0 ? 1 : drawn[0];
    double most = drawn.length == 0 ? 1 : drawn[drawn.length - 1];
    lowestDecade = (int) Math.ceil(Math.log10(least)) - 1;
    highestDecade = Math.max(lowestDecade + 1, (int) Math.ceil(Math.log10(most)));
  }

  /**
   * Draws a chart.
   *
   * @param title what the figures are, and whether measured or modelled
   * @param value the figure; one that is not above 0 has no bar
   */
  static String svg(String title, DemoReport report, ToDoubleFunction<ReplayResult> value) {
    return new BarChart(title, report, value).draw();
  }

  private String draw() {
    add(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
        WIDTH, HEIGHT, Html.escape(title));
    legend();
    for (int decade = lowestDecade; decade <= highestDecade; decade++) {
      grid(decade);
    }
    List<String> traces = report.traces();
    double groupWidth = (double) PLOT_WIDTH / traces.size();
    for (int i = 0; i < traces.size(); i++) {
      double left = LEFT + i * groupWidth;
      add(
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
          left + groupWidth / 2, HEIGHT - 8, Html.escape(traces.get(i)));
      bars(traces.get(i), left + groupWidth * (1 - GROUP_FILL) / 2, groupWidth * GROUP_FILL);
    }
    return svg.append("</svg>\n").toString();
  }

  private void legend() {
    int x = LEFT;
    for (int i = 0; i < report.schemes().size(); i++) {
      String scheme = report.schemes().get(i).scheme().id();
      add("<rect class=\"s%d\" x=\"%d\" y=\"4\" width=\"11\" height=\"11\"/>", i, x);
      add("<text x=\"%d\" y=\"14\">%s</text>%n", x + 16, scheme);
      x += 120;
    }
  }

  private void grid(int decade) {
    double y = y(Math.pow(10, decade));
    add(
        "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>",
        LEFT, y, WIDTH - RIGHT, y);
    add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n", LEFT - 6, y + 4, tick(decade));
  }

  private void bars(String trace, double left, double width) {
    double barWidth = width / report.schemes().size();
    double foot = TOP + PLOT_HEIGHT;
    for (int i = 0; i < report.schemes().size(); i++) {
      double figure = value.applyAsDouble(report.result(trace, report.schemes().get(i)));
      if (figure <= 0) {
        continue;
      }
      double x = left + i * barWidth;
      double y = y(figure);
      String label = Units.number(figure);
      add(
          "<rect class=\"s%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">",
          i, x + 1, y, barWidth - 2, foot - y);
      add("<title>%s</title></rect>", label);
      add(
          "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>%n",
          x + barWidth / 2, y - 3, label);
    }
  }

  private double y(double figure) {
    double share = (Math.log10(figure) - lowestDecade) / (highestDecade - lowestDecade);
    return TOP + PLOT_HEIGHT * (1 - share);
  }

  /** A power of ten, written out as far as that is short. */
  private static String tick(int decade) {
    if (decade < -3 || decade > 5) {
      return "1e" + decade;
    }
    return String.format(Locale.ROOT, "%,." + Math.max(0, -decade) + "f", Math.pow(10, decade));
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values));
  }
}
