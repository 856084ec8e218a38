package io.github.roram.bench.figure;

import io.github.roram.bench.contender.Contenders;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws the panels of a figure as SVG and PNG. */
final class Charts {

  /**
   * A panel as it stands in the report.
   *
   * @param title what it shows
   * @param base64 a PNG
   */
  record Picture(String title, String base64) {}

  private static final int WIDTH = 720;
  private static final int HEIGHT = 480;
  private static final int PRINT_DPI = 200;

  /** Pixels of the report's pictures for each unit of the drawing: sharp on most screens. */
  private static final double REPORT_SCALE = 1.5;

  private static final int LABEL_DIGITS = 3;

  /** Lengths of the interval's arms stay below the value, which a logarithmic axis needs. */
  private static final double MOST_OF_VALUE = 0.95;

  private static final Pattern DIGITS = Pattern.compile("(\\.\\d{2})\\d+");

  private Charts() {}

  /** Draws a panel to {@code figure-panel.svg} and {@code .png}, and once more for the report. */
  @SuppressWarnings("deprecation") // XChart 4.0.3 offers no other way to SVG.
  static Picture draw(FigureStyle style, String panel, List<Series> rows, Path directory)
      throws IOException {
    List<Series> own = rows.stream().filter(row -> row.panel().equals(panel)).toList();
    Chart<?, ?> chart = style.isBars() ? bars(style, panel, own) : curves(style, panel, own);
    String name = style.id() + "-" + panel;
    String file = directory.resolve(name).toString();
    ByteArrayOutputStream svg = new ByteArrayOutputStream();
    VectorGraphicsEncoder.saveVectorGraphic(
        chart, svg, VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
    // It writes text as outlines, with many more digits than one can see.
    String drawn = DIGITS.matcher(svg.toString(StandardCharsets.UTF_8)).replaceAll("$1");
    Files.writeString(directory.resolve(name + ".svg"), drawn);
    BitmapEncoder.saveBitmapWithDPI(chart, file, BitmapEncoder.BitmapFormat.PNG, PRINT_DPI);
    return new Picture(title(style, panel), Base64.getEncoder().encodeToString(smallPng(chart)));
  }

  private static String title(FigureStyle style, String panel) {
    return style.title() + ": " + panel;
  }

  private static byte[] smallPng(Chart<?, ?> chart) throws IOException {
    BufferedImage image =
        new BufferedImage(
            (int) (WIDTH * REPORT_SCALE),
            (int) (HEIGHT * REPORT_SCALE),
            BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.scale(REPORT_SCALE, REPORT_SCALE);
    chart.paint(graphics, WIDTH, HEIGHT);
    graphics.dispose();
    return SmallPng.encode(image);
  }

  private static XYChart curves(FigureStyle style, String panel, List<Series> rows) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .xAxisTitle(style.xAxis())
            .yAxisTitle(style.yAxis())
            .build();
    frame(chart, style, panel);
    List<Double> places = numbers(rows).stream().map(row -> Double.valueOf(row.x())).toList();
    for (String name : names(rows)) {
      List<Series> curve = of(rows, name, row -> isNumber(row.x()) && isDrawable(style, row));
      if (curve.isEmpty()) {
        // A figure that does not depend on x: a line across.
        of(rows, name, row -> !isNumber(row.x())).forEach(row -> across(chart, name, row, places));
        continue;
      }
      var series =
          chart.addSeries(
              name,
              curve.stream().mapToDouble(row -> Double.parseDouble(row.x())).toArray(),
              curve.stream().mapToDouble(Series::mean).toArray(),
              curve.stream().mapToDouble(Charts::error).toArray());
      series.setLineColor(colour(name, series.getLineColor()));
      series.setMarkerColor(colour(name, series.getMarkerColor()));
      series.setMarker(curve.size() > 30 ? SeriesMarkers.NONE : SeriesMarkers.CIRCLE);
    }
    return chart;
  }

  private static void across(XYChart chart, String name, Series row, List<Double> places) {
    double left = places.stream().min(Double::compare).orElse(0.0);
    double right = places.stream().max(Double::compare).orElse(1.0);
    var series =
        chart.addSeries(name, new double[] {left, right}, new double[] {row.mean(), row.mean()});
    series.setLineColor(colour(name, series.getLineColor()));
    series.setLineStyle(
        new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 1, new float[] {5}, 0));
    series.setMarker(SeriesMarkers.NONE);
  }

  private static CategoryChart bars(FigureStyle style, String panel, List<Series> rows) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .xAxisTitle(style.xAxis())
            .yAxisTitle(style.yAxis())
            .build();
    frame(chart, style, panel);
    // The colour of a series of bars is that of their outline, which they do not have.
    chart.getStyler().setErrorBarsColorSeriesColor(false);
    chart.getStyler().setErrorBarsColor(Color.DARK_GRAY);
    chart.getStyler().setLabelsVisible(true);
    chart.getStyler().setLabelsPosition(1.1);
    chart.getStyler().setLabelsRotation(90);
    for (String name : names(rows)) {
      List<Series> group = of(rows, name, row -> isDrawable(style, row));
      var series =
          chart.addSeries(
              name,
              group.stream().map(Series::x).toList(),
              group.stream().map(row -> rounded(row.mean())).toList(),
              group.stream().map(Charts::error).toList());
      series.setFillColor(colour(name, series.getFillColor()));
    }
    return chart;
  }

  private static void frame(
      Chart<? extends AxesChartStyler, ?> chart, FigureStyle style, String panel) {
    chart.setTitle(title(style, panel));
    AxesChartStyler styler = chart.getStyler();
    styler.setYAxisLogarithmic(style.isLogarithmic());
    styler.setLegendPosition(Styler.LegendPosition.OutsideE);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotGridLinesColor(new Color(0xdd, 0xdd, 0xdd));
    styler.setErrorBarsColorSeriesColor(true);
  }

  private static boolean isDrawable(FigureStyle style, Series row) {
    return !style.isLogarithmic() || row.mean() > 0;
  }

  private static double error(Series row) {
    double arm = Double.isNaN(row.low()) ? 0 : row.mean() - row.low();
    return Math.min(arm, MOST_OF_VALUE * row.mean());
  }

  /** As bars are labelled with their values. */
  private static Double rounded(double value) {
    return new BigDecimal(value).round(new MathContext(LABEL_DIGITS)).doubleValue();
  }

  /** A contender has its colour in all figures. */
  private static Color colour(String name, Color otherwise) {
    return Contenders.find(name).map(contender -> new Color(contender.rgb())).orElse(otherwise);
  }

  private static List<String> names(List<Series> rows) {
    return rows.stream().map(Series::series).distinct().toList();
  }

  private static List<Series> numbers(List<Series> rows) {
    return rows.stream().filter(row -> isNumber(row.x())).toList();
  }

  private static List<Series> of(List<Series> rows, String name, Predicate<Series> wanted) {
    List<Series> found = new ArrayList<>();
    for (Series row : rows) {
      if (row.series().equals(name) && wanted.test(row)) {
        found.add(row);
      }
    }
    return found;
  }

  private static boolean isNumber(String x) {
    return !x.isEmpty() && (Character.isDigit(x.charAt(0)) || x.charAt(0) == '-');
  }
}
