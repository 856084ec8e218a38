package io.github.roram.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/**
 * Bars, lines and text, written as SVG or painted as PNG. As SVG, text stays text, which can be
 * selected, searched and heard, and a page around it may set the colours of text and of the lines
 * behind the figures (class {@code grid}). Not thread safe.
 */
final class Drawing {

  /** Where text stands from: its left end, its middle or its right end. */
  enum Anchor {
    START,
    MIDDLE,
    END
  }

  /** How a line is drawn. */
  enum Stroke {
    THIN(1, false),
    THICK(2, false),
    DASHED(1.5f, true);

    private final float width;
    private final boolean dashed;

    Stroke(float width, boolean dashed) {
      this.width = width;
      this.dashed = dashed;
    }

    private BasicStroke painted() {
      float[] dashes = dashed ? new float[] {5} : null;
      return new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 1, dashes, 0);
    }
  }

  /** Something that is drawn, above what was drawn before it. */
  private interface Shape {
    String svg();

    void paint(Graphics2D graphics);
  }

  /** The colour of lines behind figures, unless a page has one of its own. */
  static final int GRID = 0xd8dde4;

  private static final String FONT = "sans-serif";
  private static final int FONT_PIXELS = 12;
  private static final String HEADLESS = "java.awt.headless";
  private static final int TEXT = 0x1c2430;

  /** Pixels of a PNG for each unit of the drawing: sharp in print. */
  private static final int PNG_SCALE = 2;

  private final int width;
  private final int height;
  private final String title;
  private final List<Shape> shapes = new ArrayList<>();

  /**
   * Nothing is drawn yet.
   *
   * @param title for those who do not see it
   */
  Drawing(int width, int height, String title) {
    this.width = width;
    this.height = height;
    this.title = title;
  }

  private record Bar(double x, double y, double width, double height, int rgb, String tip)
      implements Shape {
    @Override
    public String svg() {
      return format(
          "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\">"
              + "<title>%s</title></rect>",
          x, y, width, height, rgb, Html.escape(tip));
    }

    @Override
    public void paint(Graphics2D graphics) {
      graphics.setColor(new Color(rgb));
      graphics.fill(new Rectangle2D.Double(x, y, width, height));
    }
  }

  private record Line(double x1, double y1, double x2, double y2, int rgb, Stroke stroke)
      implements Shape {
    @Override
    public String svg() {
      return format(
          "<line%s x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#%06x\""
              + " stroke-width=\"%.1f\"%s/>",
          rgb == GRID ? " class=\"grid\"" : "",
          x1,
          y1,
          x2,
          y2,
          rgb,
          stroke.width,
          stroke.dashed ? " stroke-dasharray=\"5\"" : "");
    }

    @Override
    public void paint(Graphics2D graphics) {
      graphics.setColor(new Color(rgb));
      graphics.setStroke(stroke.painted());
      graphics.draw(new Line2D.Double(x1, y1, x2, y2));
    }
  }

  private record Text(double x, double y, Anchor anchor, boolean upwards, String text)
      implements Shape {
    @Override
    public String svg() {
      return format(
          "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>",
          x,
          y,
          anchor.name().toLowerCase(Locale.ROOT),
          upwards ? format(" transform=\"rotate(-90 %.1f %.1f)\"", x, y) : "",
          Html.escape(text));
    }

    @Override
    public void paint(Graphics2D graphics) {
      graphics.setColor(new Color(TEXT));
      double length = graphics.getFontMetrics().stringWidth(text);
      double before = anchor == Anchor.START ? 0 : anchor == Anchor.END ? length : length / 2;
      Graphics2D turned = (Graphics2D) graphics.create();
      turned.translate(x, y);
      turned.rotate(upwards ? -Math.PI / 2 : 0);
      turned.drawString(text, (float) -before, 0);
      turned.dispose();
    }
  }

  /** A bar, which tells its {@code tip} where it is pointed at. */
  void bar(double x, double y, double barWidth, double barHeight, int rgb, String tip) {
    shapes.add(new Bar(x, y, barWidth, barHeight, rgb, tip));
  }

  /** A line of a colour; of {@link #GRID}, that of the page. */
  void line(double x1, double y1, double x2, double y2, int rgb, Stroke stroke) {
    shapes.add(new Line(x1, y1, x2, y2, rgb, stroke));
  }

  /** Text from left to right. */
  void text(double x, double y, Anchor anchor, String text) {
    shapes.add(new Text(x, y, anchor, false, text));
  }

  /** Text from below upwards. */
  void textUpwards(double x, double y, Anchor anchor, String text) {
    shapes.add(new Text(x, y, anchor, true, text));
  }

  /** As an element of a page. */
  String svg() {
    return svg("");
  }

  /** As a file. */
  String svgFile() {
    return svg(" xmlns=\"http://www.w3.org/2000/svg\" style=\"background: #fff\"");
  }

  private String svg(String attributes) {
    StringBuilder svg =
        new StringBuilder(
            format(
                "<svg%s viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\" font-family=\"%s\""
                    + " font-size=\"%d\">\n",
                attributes, width, height, Html.escape(title), FONT, FONT_PIXELS));
    shapes.forEach(shape -> svg.append(shape.svg()).append('\n'));
    return svg.append("</svg>\n").toString();
  }

  /** Paints it. */
  byte[] png() throws IOException {
    if (System.getProperty(HEADLESS) == null) {
      System.setProperty(HEADLESS, "true");
    }
    BufferedImage image =
        new BufferedImage(PNG_SCALE * width, PNG_SCALE * height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.scale(PNG_SCALE, PNG_SCALE);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, width, height);
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, FONT_PIXELS));
    shapes.forEach(shape -> shape.paint(graphics));
    graphics.dispose();
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    if (!ImageIO.write(image, "png", png)) {
      throw new IOException("this Java writes no PNG");
    }
    return png.toByteArray();
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
