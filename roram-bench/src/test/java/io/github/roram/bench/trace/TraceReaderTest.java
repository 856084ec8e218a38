package io.github.roram.bench.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.bench.trace.Trace.BundledTraces;
import io.github.roram.bench.trace.Trace.TraceReader;
import io.github.roram.bench.trace.Trace.TraceRequest;
import io.github.roram.bench.trace.TraceFormat.CsvLine;
import io.github.roram.bench.trace.TraceFormat.MsrLine;
import io.github.roram.bench.trace.TraceFormat.TraceFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TraceReaderTest {

  private static final String CSV = CsvLine.HEADER + "\n0,R,4096,8192\n17,W,0,512\n";
  private static final List<TraceRequest> CSV_REQUESTS =
      List.of(new TraceRequest(0, false, 4096, 8192), new TraceRequest(17, true, 0, 512));

  @TempDir private Path directory;

  @Test
  void readsCsv() throws IOException {
    assertThat(read(CSV)).isEqualTo(CSV_REQUESTS);
  }

  @Test
  void readsGzipWhateverTheName() throws IOException {
    assertThat(readAll(Trace.of(file(gzip(CSV))))).isEqualTo(CSV_REQUESTS);
  }

  @Test
  void acceptsWindowsLineEndsBlankLinesAndByteOrderMark() throws IOException {
    assertThat(read("\uFEFF" + CSV.replace("\n", "\r\n\r\n"))).isEqualTo(CSV_REQUESTS);
  }

  /** Digits may be missing: nothing tells a whole number from the start of one. */
  @Test
  void aTraceCutAnywhereInALineIsRefused() throws IOException {
    for (int kept = CsvLine.HEADER.length(); kept < CSV.length(); kept++) {
      String text = CSV.substring(0, kept);
      if (!text.endsWith("\n")) {
        assertMalformed(text, 1 + (int) text.lines().count() - 1, "a line feed");
      }
    }
    assertMalformed("fio version 2 iolog\n/dev/sdb read 0 4096", 2, "a line feed");
    assertMalformed("1,usr,0,Read,0,512,7\n2,usr,0,Read,0,512,7", 2, "a line feed");
  }

  /** The length and the checksum at the end of a gzip included. */
  @Test
  void aGzipCutAnywhereIsRefused() throws IOException {
    byte[] whole = gzip(CSV);
    for (int kept = 2; kept < whole.length; kept++) {
      Path file = file(Arrays.copyOf(whole, kept));
      assertThatThrownBy(() -> readAll(Trace.of(file)))
          .as("%d bytes", kept)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(file.toString());
    }
  }

  @Test
  void passesOverRequestsOfNoBytes() throws IOException {
    assertThat(read(CsvLine.HEADER + "\n0,R,4096,0\n1,W,5,1\n"))
        .containsExactly(new TraceRequest(1, true, 5, 1));
  }

  @Test
  void canBeReadAgain() throws IOException {
    Trace trace = Trace.of(file(CSV));
    assertThat(readAll(trace)).isEqualTo(readAll(trace));
  }

  @Test
  void readsFioVersion2() throws IOException {
    assertThat(
            read(
                """
                fio version 2 iolog
                /dev/sdb add
                /dev/sdb open
                /dev/sdb read 0 4096
                /dev/sdb wait 1000 0
                /dev/sdb write 8192 65536
                /dev/sdb sync 0 0
                /dev/sdb datasync 0 0
                /dev/sdb trim 0 4096
                /dev/sdb close
                """))
        .containsExactly(
            new TraceRequest(0, false, 0, 4096), new TraceRequest(0, true, 8192, 65536));
  }

  @Test
  void readsFioVersion3() throws IOException {
    assertThat(
            read(
                """
                fio version 3 iolog
                0 /dev/sdb add
                2 /dev/sdb open
                150 /dev/sdb write 4096 4096
                151 /dev/sdb sync 0 0
                312 /dev/sdb read 0 512
                400 /dev/sdb close
                """))
        .containsExactly(
            new TraceRequest(150, true, 4096, 4096), new TraceRequest(312, false, 0, 512));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readsMsrCambridge(boolean header) throws IOException {
    String lines =
        """
        128166372003061629,usr,0,Read,7014609920,24576,41286
        128166372003061729,usr,0,Write,2517696512,4096,703
        128166372003061529,usr,1,read,512,1024,703
        """;
    assertThat(read((header ? MsrLine.HEADER + "\n" : "") + lines))
        .containsExactly(
            new TraceRequest(0, false, 7014609920L, 24576),
            new TraceRequest(10, true, 2517696512L, 4096),
            new TraceRequest(0, false, 512, 1024));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0,R,4096 | 4 fields",
        "0,R,4096,1,2 | 4 fields",
        "x,R,4096,1 | timestamp_us",
        "0,D,4096,1 | R or W",
        "0,R,-1,1 | offset_bytes",
        "0,R,9223372036854775808,1 | offset_bytes",
        "0,R,9223372036854775807,1 | below 2^63",
        "0,R,0,ten | length_bytes"
      })
  void malformedCsvNamesFileAndLine(String line, String expected) throws IOException {
    assertMalformed(CSV + line + "\n", 4, expected);
  }

  @ParameterizedTest
  @CsvSource({
    "fio version 2 iolog,  /dev/sdb,                filename action",
    "fio version 2 iolog,  /dev/sdb read 0,         offset length",
    "fio version 2 iolog,  /dev/sdb erase 0 1,      read or write",
    "fio version 3 iolog,  /dev/sdb read 0 4096,    timestamp",
    "fio version 3 iolog,  5 /dev/sdb read 0,       offset length"
  })
  void malformedFioNamesFileAndLine(String header, String line, String expected)
      throws IOException {
    assertMalformed(header + "\n\n" + line + "\n", 3, expected);
  }

  @Test
  void malformedMsrNamesFileAndLine() throws IOException {
    assertMalformed(MsrLine.HEADER + "\n1,usr,0,Read,0\n", 2, "7 fields");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "time,op\n", "fio version 1 iolog\n", "0,R,4096,4096\n"})
  void unknownFormatIsRefused(String text) throws IOException {
    assertMalformed(text, 1, "fio version 2 iolog");
  }

  @Test
  void fileWithoutLineEndsIsRefused() throws IOException {
    assertMalformed(CsvLine.HEADER + "\n" + "7".repeat(100_000), 2, "at most");
  }

  @Test
  void truncatedGzipNamesFile() throws IOException {
    byte[] whole = gzip(CSV + "5,R,1,1\n".repeat(10_000));
    Path file = file(Arrays.copyOf(whole, whole.length - 20));
    assertThatThrownBy(() -> readAll(Trace.of(file)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void unknownNameListsBundledTraces() {
    assertThatThrownBy(() -> Trace.find("no-such-trace"))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("no-such-trace")
        .hasMessageContaining("fileserver-1g");
  }

  @ParameterizedTest
  @CsvSource({"fileserver-1g,12731,7403", "videoserver-1g,10000,251", "seq-1g,6000,194"})
  void bundledTracesAreWhole(String name, int requests, int writes) throws IOException {
    List<TraceRequest> all = readAll(Trace.find(name));
    assertThat(all).hasSize(requests);
    assertThat(all.stream().filter(TraceRequest::write)).hasSize(writes);
    assertThat(all)
        .allMatch(r -> r.offsetBytes() % 4096 == 0 && r.lengthBytes() % 4096 == 0)
        .allMatch(r -> r.endBytes() <= BundledTraces.DEVICE_BYTES);
  }

  @Test
  void lineIsThatOfTheLastRequest() throws IOException {
    try (TraceReader reader = Trace.of(file(CSV)).reader()) {
      assertThat(reader.line()).isZero();
      reader.next();
      assertThat(reader.line()).isEqualTo(2);
      reader.next();
      assertThat(reader.line()).isEqualTo(3);
    }
  }

  private void assertMalformed(String text, int line, String expected) throws IOException {
    Path file = file(text);
    assertThatThrownBy(() -> readAll(Trace.of(file)))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining(file + ", line " + line + ": found '")
        .hasMessageContaining(expected);
  }

  private List<TraceRequest> read(String text) throws IOException {
    return readAll(Trace.of(file(text)));
  }

  private Path file(String text) throws IOException {
    return file(text.getBytes(StandardCharsets.UTF_8));
  }

  private Path file(byte[] bytes) throws IOException {
    return Files.write(directory.resolve("trace.txt"), bytes);
  }

  private static List<TraceRequest> readAll(Trace trace) throws IOException {
    List<TraceRequest> requests = new ArrayList<>();
    try (TraceReader reader = trace.reader()) {
      for (TraceRequest r = reader.next(); r != null; r = reader.next()) {
        requests.add(r);
      }
    }
    return requests;
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }
}
