package io.github.roram.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.bench.demo.DemoTable.DemoColumns;
import io.github.roram.bench.demo.DemoTable.DemoPage;
import io.github.roram.bench.report.Html;
import io.github.roram.bench.report.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DemoReportFormatsTest {

  @Test
  void tableNamesEverySchemeAndKeepsMeasuredAndModelledApart() {
    String table = DemoTable.render(SampleReport.of(0));
    assertThat(table)
        .contains(DemoColumns.MEASURED_TITLE, DemoColumns.MODELLED_TITLE)
        .contains("fileserver-1g   path-batched")
        .contains("seq-1g          roram")
        .contains("20.0x")
        .contains("20.0 times faster", "20.0 times fewer", "20.0 times less")
        .contains("0 mismatches: every byte");
    assertThat(table.indexOf("queries/s")).isLessThan(table.indexOf(DemoColumns.MODELLED_TITLE));
    assertThat(table.indexOf("hdd s")).isGreaterThan(table.indexOf(DemoColumns.MODELLED_TITLE));
  }

  @Test
  void mismatchesAreNotHidden() throws IOException {
    assertThat(DemoTable.render(SampleReport.of(2))).contains("18 MISMATCHES");
    assertThat(DemoPage.render(SampleReport.of(2))).contains("class=\"wrong\">18 MISMATCHES");
  }

  @Test
  void htmlIsSelfContainedAndWhole() throws IOException {
    String html = DemoPage.render(SampleReport.of(0));
    assertThat(html)
        .doesNotContain("http:", "https:", "src=", "href=", "url(", "@import", "<script", "{{")
        .contains("prefers-color-scheme: dark", "fileserver-1g", "path-batched", "</html>");
    assertThat(html.split("<svg ", -1)).as("eight charts").hasSize(9);
    assertThat(html.split("<table>", -1)).as("two tables").hasSize(3);
    assertThat(html.split("<ul>", -1)).as("one list").hasSize(2);
    assertThat(html).doesNotContain("NaN", "Infinity");
  }

  /** Whoever reads the old one still reads all of it. */
  @Test
  void anOlderPageIsReplacedAsAWhole(@TempDir Path directory) throws IOException {
    Path page = Files.writeString(directory.resolve("page"), "old");
    Path old = Files.createLink(directory.resolve("old"), page);
    DemoPage.write(SampleReport.of(0), page);
    assertThat(page).content().contains("</html>");
    assertThat(old).hasContent("old");
  }

  @Test
  void htmlEscapes() {
    assertThat(Html.escape("<a b=\"c\"> & d")).isEqualTo("&lt;a b=&quot;c&quot;&gt; &amp; d");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0.00123456, 0.00123",
    "0.0655, 0.0655",
    "0.9999, 1.00",
    "1.5, 1.50",
    "9.996, 10.0",
    "99.96, 100",
    "12345.6, '12,346'"
  })
  void numbersHaveAboutThreeDigits(double value, String text) {
    assertThat(Units.number(value)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"999, 999 B", "1000, 1.00 KB", "2160000000, 2.16 GB"})
  void bytesHaveUnits(double bytes, String text) {
    assertThat(Units.bytes(bytes)).isEqualTo(text);
  }
}
