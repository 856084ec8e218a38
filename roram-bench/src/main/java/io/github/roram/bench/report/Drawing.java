package io.github.roram.bench.report;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Lines, bars, marks and text as SVG. Text stays text, which can be selected, searched and heard.
 * Colours are classes of {@code chart.css}, which has them for light and dark pages. Not thread
 * safe.
 */
final class Drawing {

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

    /** What is behind all series. */
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

    /** That of what others published. */
    static final Look PUBLISHED = new Look(-1);

    /** So many do not repeat. */
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

  /** A bar, which tells its {@code tip} where it is pointed at. */
  void bar(Look look, double x, double y, double width, double height, String tip) {
    add(
        "<rect class=\"%s fill\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">"
            + "<title>%s</title></rect>",
        look.colour(), x, y, width, height, Html.escape(tip));
  }

  /** A straight line of a class. */
  void line(String styleClass, double x1, double y1, double x2, double y2) {
    add(
        "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
        styleClass, x1, y1, x2, y2);
  }

  /** A curve through points, each x and y; of those at the same place, one. */
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

  /** A mark at a point, which tells its {@code tip} where it is pointed at. */
  void mark(Look look, double x, double y, String tip) {
    add(
        "<path class=\"%s mark\" d=\"M%.1f,%.1f%s\"><title>%s</title></path>",
        look.colour(), x, y, look.mark(), Html.escape(tip));
  }

  /** Text from left to right. */
  void text(double x, double y, Anchor anchor, String text) {
    add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
        x, y, anchor.name().toLowerCase(Locale.ROOT), Html.escape(text));
  }

  private void add(String shape, Object... values) {
    shapes.append(format(shape, values)).append('\n');
  }

  /**
   * As an element of a page that has the colours.
   *
   * @param title for those who do not see it
   */
  String svg(int width, double height, String title) {
    return svg("", "", width, height, title);
  }

  /** As a file, which has its own colours. */
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
