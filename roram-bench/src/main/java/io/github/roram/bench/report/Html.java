package io.github.roram.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A page of HTML that needs no other file: style and charts are inside. Not thread safe.
 *
 * <p>What is given to it as text is escaped.
 */
public final class Html {

  private final String title;
  private final StringBuilder body = new StringBuilder();

  /** Creates a page that has only a title. */
  public Html(String title) {
    this.title = title;
  }

  /** Replaces the characters that mean something in HTML and in quoted attributes. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** Adds the heading of a section. */
  public Html heading(String text) {
    return element("h2", "", text);
  }

  /** Adds a paragraph. */
  public Html paragraph(String text) {
    return element("p", "", text);
  }

  /** Adds a paragraph of a class of the page's style, such as {@code wrong}. */
  public Html paragraph(String styleClass, String text) {
    return element("p", " class=\"" + styleClass + "\"", text);
  }

  private Html element(String name, String attributes, String text) {
    body.append(elementOf(name, attributes, text)).append('\n');
    return this;
  }

  private static String elementOf(String name, String attributes, String text) {
    return "<" + name + attributes + ">" + escape(text) + "</" + name + ">";
  }

  /** Adds a list of paragraphs. */
  public Html list(List<String> texts) {
    body.append("<ul>\n");
    texts.forEach(text -> element("li", "", text));
    body.append("</ul>\n");
    return this;
  }

  /** Adds a section that the reader can unfold: everything that {@code inner} adds. */
  public Html folded(String summary, Runnable inner) {
    body.append("<details>").append(elementOf("summary", "", summary)).append('\n');
    inner.run();
    body.append("</details>\n");
    return this;
  }

  /**
   * Adds a table of figures after two columns of names, with a group for all rows that begin alike.
   *
   * @param ours which rows stand out
   */
  public Html figures(List<String> columns, List<List<String>> rows, Predicate<List<String>> ours) {
    return table("<table>", columns, rows, row -> ours.test(row) ? "ours" : "");
  }

  /** Adds a table of texts. */
  public Html texts(List<String> columns, List<List<String>> rows) {
    return texts(columns, rows, row -> "");
  }

  /**
   * Adds a table of texts.
   *
   * @param styleClass returns the class of a row, such as {@code apart}; empty for none
   */
  public Html texts(
      List<String> columns, List<List<String>> rows, Function<List<String>, String> styleClass) {
    return table("<table class=\"texts\">", columns, rows, styleClass);
  }

  private Html table(
      String begin,
      List<String> columns,
      List<List<String>> rows,
      Function<List<String>, String> styleClass) {
    body.append("<div class=\"scroll\">\n").append(begin).append("\n<thead><tr>");
    columns.forEach(column -> body.append(elementOf("th", "", column)));
    body.append("</tr></thead>\n");
    String group = null;
    for (List<String> row : rows) {
      if (!row.get(0).equals(group)) {
        body.append(group == null ? "<tbody>\n" : "</tbody>\n<tbody>\n");
        group = row.get(0);
      }
      String ofRow = styleClass.apply(row);
      body.append(ofRow.isEmpty() ? "<tr>" : "<tr class=\"" + ofRow + "\">");
      row.forEach(cell -> body.append(elementOf("td", "", cell)));
      body.append("</tr>\n");
    }
    body.append(group == null ? "" : "</tbody>\n").append("</table></div>\n");
    return this;
  }

  /** Panels of a figure, side by side where there is room. */
  public Html charts(List<Chart> charts) {
    body.append("<div class=\"charts\">\n");
    charts.forEach(chart -> body.append("<figure>\n").append(chart.svg()).append("</figure>\n"));
    body.append("</div>\n");
    return this;
  }

  /**
   * Returns the whole page.
   *
   * @throws IOException if the jar lacks its frame
   */
  public String page() throws IOException {
    return resource("page.html")
        .replace("{{colours}}", resource("chart.css"))
        .replace("{{title}}", escape(title))
        .replace("{{body}}", body);
  }

  /** Returns a file next to this class. */
  static String resource(String name) throws IOException {
    try (InputStream in = Html.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("the jar lacks " + name + "; build it again");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
