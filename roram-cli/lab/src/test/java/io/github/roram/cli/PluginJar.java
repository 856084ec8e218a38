package io.github.roram.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Jars as others would ship them: the classes of one package, and the service that they are. */
final class PluginJar {

  private PluginJar() {}

  /** Packs the package of a provider as it was compiled, but for its tests. */
  static void pack(Path jar, String service, Class<?> provider)
      throws IOException, URISyntaxException {
    Path source = Path.of(provider.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      if (Files.isDirectory(source)) {
        addClasses(out, source, provider);
      } else {
        try (FileSystem zip = FileSystems.newFileSystem(source)) {
          addClasses(out, zip.getPath("/"), provider);
        }
      }
      out.putNextEntry(new JarEntry("META-INF/services/" + service));
      out.write((provider.getName() + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void addClasses(JarOutputStream out, Path root, Class<?> provider)
      throws IOException {
    String folder = provider.getPackageName().replace('.', '/');
    List<Path> classes;
    try (Stream<Path> files = Files.list(root.resolve(folder))) {
      classes = files.filter(PluginJar::isNoTest).sorted().collect(Collectors.toList());
    }
    for (Path file : classes) {
      out.putNextEntry(new JarEntry(folder + "/" + file.getFileName()));
      Files.copy(file, out);
    }
  }

  private static boolean isNoTest(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".class") && !name.contains("Test");
  }

  /** Whether an entry of a class path has a class. */
  static boolean holds(String entry, Class<?> type) throws IOException {
    String file = type.getName().replace('.', '/') + ".class";
    Path path = Path.of(entry);
    if (Files.isDirectory(path)) {
      return Files.exists(path.resolve(file));
    }
    if (!Files.isRegularFile(path)) {
      return false;
    }
    try (JarFile jar = new JarFile(path.toFile())) {
      return jar.getEntry(file) != null;
    }
  }
}
