package io.github.roram.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.ExperimentOptions.Selection;
import io.github.roram.bench.experiment.TinyRun;
import io.github.roram.bench.peers.Peer.PeerTrace;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.trace.Trace;
import io.github.roram.bench.trace.Trace.BundledTraces;
import io.github.roram.bench.trace.Trace.TraceReader;
import io.github.roram.bench.trace.Trace.TraceRequest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is there is run and checked, and who is not is listed. */
final class PeersExperimentTest {

  @TempDir Path directory;

  private Table table(Map<String, Path> peers) throws IOException {
    ExperimentOptions options =
        TinyRun.options(
            "peers",
            ExperimentDevice.MEASURED,
            directory.resolve("out"),
            new Selection(Set.of(), Set.of(), 5L, peers));
    TinyRun.of(options);
    return Table.read(options.directory(), "peers", List.of("who", "what", "wrong blocks"));
  }

  /** A program that says what the driver of PyORAM would. */
  private Path program(String says) throws IOException {
    Path program = Files.writeString(directory.resolve("python"), "#!/bin/sh\n" + says + "\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program;
  }

  @Test
  void whoIsThereIsRunAndWhoIsNotIsListed() throws IOException {
    Path says = program("test -s \"$2\" && echo busy && echo '{\"seconds\": 0.5, \"wrong\": 3}'");
    Table table = table(Map.of("pyoram", says));
    assertThat(table.rows())
        .extracting(row -> table.cell(row, "who"))
        .startsWith("roram", "roram-one-tree");
    for (List<String> row : table.rows()) {
      assertThat(row).doesNotContain("");
      switch (table.cell(row, "who")) {
        case "pyoram" -> assertThat(row).contains("100", "3");
        case "roram", "roram-one-tree", "path" -> assertThat(row).endsWith("0");
        default -> assertThat(row).contains("not installed").anyMatch(c -> c.contains("--peer "));
      }
    }
    // Scratch directories are gone.
    try (var left = Files.list(directory.resolve("out"))) {
      assertThat(left).noneMatch(Files::isDirectory);
    }
  }

  @Test
  void aPeerThatFailsOrIsNotThereIsAnError() throws IOException {
    Path fails = program("echo no module named pyoram; exit 1");
    assertThatThrownBy(() -> table(Map.of("pyoram", fails)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no module named pyoram");
    Path nowhere = directory.resolve("nowhere");
    assertThatThrownBy(() -> table(Map.of("oramfs", nowhere)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("nowhere is not there; cargo install oramfs");
  }

  /** A file that forgets what was written is found out, one that does not is not. */
  @Test
  void whatAMountedFileAnswersIsCompared() throws IOException {
    Path mount = Files.createDirectory(Path.of("target").resolve("mounted-" + System.nanoTime()));
    try {
      Trace bundled = BundledTraces.open("fileserver-1g");
      PeerTrace trace = PeerTrace.of(bundled, 256, 200, directory.resolve("trace.csv"));
      assertThat(Peer.named("disk").run(mount, trace, directory).wrong()).isZero();
      assertThat(mount).isEmptyDirectory();
    } finally {
      Files.delete(mount);
    }
  }

  @Test
  void aWrongAnswerIsCounted() throws IOException {
    TraceRequest write = new TraceRequest(0, true, 0, 8192);
    TraceRequest read = new TraceRequest(0, false, 4096, 8192);
    PeerTrace both = new PeerTrace(directory, 4, List.of(write, read));
    PeerTrace readsAlone = new PeerTrace(directory, 4, List.of(read));
    try (FileChannel file =
        FileChannel.open(
            Files.write(directory.resolve("file"), new byte[4 * 4096]),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      assertThat(Peer.replay(file, both).wrong()).isZero();
      // Of the two blocks that are read one was written by nobody whom this trace knows.
      assertThat(Peer.replay(file, readsAlone).wrong()).isEqualTo(1);
    }
  }

  /** The file that drivers read says the same as what ours replays. */
  @Test
  void everybodyGetsTheSameRequests() throws IOException {
    Path file = directory.resolve("trace.csv");
    PeerTrace trace = PeerTrace.of(BundledTraces.open("fileserver-1g"), 64, 100, file);
    List<TraceRequest> read = new ArrayList<>();
    try (TraceReader reader = Trace.of(file).reader()) {
      for (TraceRequest next = reader.next(); next != null; next = reader.next()) {
        read.add(next);
      }
    }
    assertThat(read).isEqualTo(trace.requests()).hasSize(100);
    assertThat(read)
        .allSatisfy(
            request -> {
              assertThat(request.offsetBytes() % 4096).isZero();
              assertThat(request.lengthBytes() % 4096).isZero();
              assertThat(request.endBytes()).isLessThanOrEqualTo(64 * 4096);
            });
  }
}
