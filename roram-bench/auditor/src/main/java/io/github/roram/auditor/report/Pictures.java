package io.github.roram.auditor.report;

import io.github.roram.auditor.judge.Advantage;
import io.github.roram.auditor.judge.Finding;
import io.github.roram.auditor.judge.PairSeries;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The pictures of the report, as PNG in base 64. */
final class Pictures {

  private static final int WIDTH = 640;
  private static final int HEIGHT = 300;
  private static final Color[] SIDES = {new Color(0x00, 0x72, 0xb2), new Color(0xd5, 0x5e, 0x00)};

  private Pictures() {}

  /** Bytes appended to the journal, access by access; empty if there were none. */
  static String appended(PairSeries series) throws IOException {
    return lines("Bytes appended to logs", "Access", series.appendedA(), series.appendedB());
  }

  /** Lengths of the records saved, one after another; empty if there were none. */
  static String saved(PairSeries series) throws IOException {
    return lines("Bytes of saved records", "Save", series.savedA(), series.savedB());
  }

  private static String lines(String title, String xAxis, List<Long> sideA, List<Long> sideB)
      throws IOException {
    if (sideA.stream().allMatch(value -> value == 0) && sideB.stream().allMatch(v -> v == 0)) {
      return "";
    }
    XYChart chart =
        new XYChartBuilder().width(WIDTH).height(HEIGHT).xAxisTitle(xAxis).title(title).build();
    frame(chart);
    add(chart, "side A", sideA, 0);
    add(chart, "side B", sideB, 1);
    return png(chart);
  }

  private static void add(XYChart chart, String name, List<Long> values, int side) {
    if (!values.isEmpty()) {
      var series =
          chart.addSeries(
              name,
              IntStream.rangeClosed(1, values.size()).mapToDouble(i -> i).toArray(),
              values.stream().mapToDouble(Long::doubleValue).toArray());
      series.setMarker(side == 0 ? SeriesMarkers.CIRCLE : SeriesMarkers.CROSS);
      series.setLineColor(SIDES[side]);
      series.setMarkerColor(SIDES[side]);
    }
  }

  /** Labels of tree 0; empty if none were shown. */
  static String labels(PairSeries series) throws IOException {
    if (series.labelsA().stream().allMatch(count -> count == 0)) {
      return "";
    }
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Labels shown, tree 0")
            .xAxisTitle("Label (32 bins)")
            .build();
    frame(chart);
    List<Integer> bins = IntStream.range(0, series.labelsA().size()).boxed().toList();
    chart.addSeries("side A", bins, series.labelsA()).setFillColor(SIDES[0]);
    chart.addSeries("side B", bins, series.labelsB()).setFillColor(SIDES[1]);
    return png(chart);
  }

  /** Advantages of one check of all pairs with their intervals; empty if there are none. */
  static String advantages(String title, List<Finding> findings) throws IOException {
    List<String> names = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    List<Double> arms = new ArrayList<>();
    for (Finding finding : findings) {
      Advantage advantage = finding.advantage();
      if (advantage != null) {
        names.add(finding.pair());
        values.add(advantage.value());
        arms.add((advantage.high() - advantage.low()) / 2);
      }
    }
    if (names.isEmpty()) {
      return "";
    }
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(2 * WIDTH)
            .height(HEIGHT)
            .title(title)
            .yAxisTitle("Advantage")
            .build();
    frame(chart);
    chart.getStyler().setLegendVisible(false);
    chart.getStyler().setErrorBarsColorSeriesColor(false);
    chart.getStyler().setErrorBarsColor(Color.DARK_GRAY);
    chart.getStyler().setXAxisLabelRotation(30);
    chart.addSeries("advantage", names, values, arms).setFillColor(SIDES[0]);
    return png(chart);
  }

  private static void frame(Chart<? extends AxesChartStyler, ?> chart) {
    AxesChartStyler styler = chart.getStyler();
    styler.setLegendPosition(Styler.LegendPosition.OutsideE);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotGridLinesColor(new Color(0xdd, 0xdd, 0xdd));
  }

  private static String png(Chart<?, ?> chart) throws IOException {
    BufferedImage image =
        new BufferedImage(chart.getWidth(), chart.getHeight(), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    chart.paint(graphics, chart.getWidth(), chart.getHeight());
    graphics.dispose();
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    ImageIO.write(image, "png", png);
    return Base64.getEncoder().encodeToString(png.toByteArray());
  }
}
