package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** docs/architecture.md lists what the modules export to everybody, as they were compiled. */
final class ExportedPackagesTest {

  private static final Path ROOT = Path.of("..");
  private static final List<String> MODULES =
      List.of(
          "roram-core",
          "roram-core/passphrase",
          "roram-storage",
          "roram-storage/testkit",
          "roram-storage/protocol",
          "roram-storage/remote",
          "roram-netserver");

  @Test
  void theDocumentListsThemAndNoInternalOneBesideThem() throws IOException {
    Set<String> exported = new TreeSet<>();
    Set<String> internal = new TreeSet<>();
    for (String module : MODULES) {
      Path compiled = ROOT.resolve(module).resolve("target/classes/module-info.class");
      Assumptions.assumeTrue(Files.exists(compiled), compiled + " is not compiled");
      try (InputStream in = Files.newInputStream(compiled)) {
        ModuleDescriptor descriptor =
            ModuleDescriptor.read(in, () -> Packages.under(compiled.resolveSibling("")));
        internal.addAll(descriptor.packages());
        for (ModuleDescriptor.Exports exports : descriptor.exports()) {
          if (!exports.isQualified()) {
            exported.add(exports.source());
          }
        }
      }
    }
    internal.removeAll(exported);
    assertThat(exported).isNotEmpty();
    assertThat(internal).isNotEmpty();
    String document = Files.readString(ROOT.resolve("docs/architecture.md"));
    for (String name : exported) {
      assertThat(document).contains("`" + name + "`");
    }
    List<String> rows = document.lines().filter(line -> line.startsWith("| exported")).toList();
    for (String name : internal) {
      assertThat(rows).noneMatch(row -> row.contains("`" + name + "`"));
    }
  }
}
