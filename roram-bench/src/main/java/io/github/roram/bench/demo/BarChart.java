package io.github.roram.bench.demo;

import io.github.roram.Scheme;
import io.github.roram.bench.replay.ReplayResult;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.CategoryStyler;

/** A group of bars for each trace, a bar for each scheme, as SVG that stands inside of HTML. */
final class BarChart {

  private static final int WIDTH = 560;
  private static final int HEIGHT = 340;

  /** Stands for the colour of the page's text, which SVG calls currentColor and AWT cannot say. */
  private static final Color INK = new Color(1, 2, 3);

  private static final Color CLEAR = new Color(0, 0, 0, 0);

  private BarChart() {}

  /**
   * Draws a chart.
   *
   * @param id distinguishes the chart from others on the page
   * @param title heading, which says whether the figures are measured or modelled
   * @param value the figure, above 0, drawn on a logarithmic scale
   */
  static String svg(
      String id, String title, DemoReport report, ToDoubleFunction<ReplayResult> value)
      throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(title).build();
    CategoryStyler style = chart.getStyler();
    style.setAvailableSpaceFill(0.7);
    style.setYAxisLogarithmic(true);
    style.setPlotGridVerticalLinesVisible(false);
    style.setPlotBackgroundColor(CLEAR);
    style.setChartBackgroundColor(CLEAR);
    style.setChartFontColor(INK);
    List<String> traces = report.traces();
    for (DemoReport.SchemeRun run : report.schemes()) {
      Scheme scheme = run.config().scheme();
      List<Double> values =
          traces.stream().map(t -> value.applyAsDouble(report.result(t, scheme))).toList();
      chart.addSeries(scheme.id(), traces, values);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    VectorGraphicsEncoder.saveVectorGraphic(chart, out, VectorGraphicsFormat.SVG);
    return out.toString(StandardCharsets.UTF_8);
  }
}
