package io.github.roram.cli;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The files of this repository. */
final class SourceTree {

  /** Where tests run is a module's folder. */
  static final Path ROOT = root(Path.of("").toAbsolutePath());

  private SourceTree() {}

  private static Path root(Path folder) {
    return Files.exists(folder.resolve("CONTRIBUTING.md"))
        ? folder
        : root(Objects.requireNonNull(folder.getParent()));
  }

  /** All that is neither built nor hidden, in no certain order. */
  static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            String name = directory.getFileName().toString();
            boolean ours = !name.equals("target") && !name.startsWith(".");
            return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files.add(file);
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}
