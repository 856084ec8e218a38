package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * To the store, importing a file is exporting one of its length by accesses, wherever it ends: to
 * standard output, since to a file all is scanned.
 */
final class TransferViewTest {

  private static final int[] LENGTHS = {1, 1024, 1025, 5000, 16 * 1024 + 1, 100_001, 300 * 1024};

  @TempDir Path directory;

  @Test
  void importedBytesLookLikeExportedOnes() throws IOException {
    List<String> imports = new ArrayList<>();
    List<String> exports = new ArrayList<>();
    TestStore imported = create("imported");
    TestStore exported = create("exported");
    for (int length : LENGTHS) {
      Path file = directory.resolve("file");
      Files.write(file, new byte[length]);
      imports.add(requests(imported, "import", length, "--in", file.toString()));
      exports.add(
          requests(exported, "export", length, "--out", "-", "--length", Integer.toString(length)));
    }
    assertThat(imports).isEqualTo(exports);
  }

  /** A full one, which is not loaded in bulk again. */
  private TestStore create(String name) throws IOException {
    Path parent = Files.createDirectory(directory.resolve(name));
    TestStore store = TestStore.create(parent, "--treetop", "0", "--window", "20");
    Path full = Files.write(parent.resolve("full"), new byte[300 * 1024]);
    CommandRun loaded = store.run("import", "--in", full.toString());
    assertThat(loaded.messages()).startsWith("Bulk-loaded");
    return store;
  }

  /** How many requests a command made, and what it wrote to the store. */
  private String requests(TestStore store, String command, int length, String... options)
      throws IOException {
    Path json = directory.resolve("json");
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--json", json.toString()));
    CommandRun run = store.run(command, all.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.messages()).isZero();
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.get("method").asText()).isEqualTo("accesses");
    assertThat(report.get("requests").asLong()).isPositive();
    return "%d bytes: %s requests, %s bytes written"
        .formatted(length, report.get("requests"), report.get("bytesWritten"));
  }
}
