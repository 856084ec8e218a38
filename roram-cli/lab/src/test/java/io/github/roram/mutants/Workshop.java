package io.github.roram.mutants;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles mutants against what was built, and runs what is to find them in other processes. */
final class Workshop {

  /** Root of this repository. */
  static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

  private static final int SECONDS = 900;
  private static final int NOT_ENDED = -1;
  private static final String AUDIT = "audit ";

  private final Path directory;

  /** Of all modules, tests included. */
  private final List<Path> built = new ArrayList<>();

  private final List<String> libraries;

  /**
   * A workshop.
   *
   * @param directory for what is compiled and written
   */
  Workshop(Path directory) throws IOException {
    this.directory = directory;
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path found, BasicFileAttributes attributes) {
            String name = found.getFileName().toString();
            if (name.equals("target") && Files.exists(found.resolveSibling("pom.xml"))) {
              Stream.of("test-classes", "classes")
                  .map(found::resolve)
                  .filter(Files::isDirectory)
                  .forEach(built::add);
            }
            boolean isSource = name.equals("target") || name.equals("src") || name.startsWith(".");
            return isSource ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }
        });
    libraries =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(path -> path.endsWith(".jar") && !Path.of(path).startsWith(ROOT))
            .toList();
  }

  /** What a process said at its end. */
  record Outcome(int exitCode, String output) {}

  /** Compiles a mutant; returns the directory of its classes. */
  Path compile(Mutant mutant) {
    try {
      return compile(mutant, mutant.source(ROOT), Files.createTempDirectory(directory, "classes"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path compile(Mutant mutant, String source, Path classes) {
    JavaFileObject unit =
        new SimpleJavaFileObject(
            URI.create("mutant:///" + mutant.file().getFileName()), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    List<String> options = new ArrayList<>(List.of("-proc:none", "-nowarn", "-implicit:none"));
    options.addAll(List.of("-d", classes.toString(), "-cp", classPath(Stream.empty())));
    if (!compiler.getTask(said, null, null, options, null, List.of(unit)).call()) {
      throw new AssertionError(mutant.id() + " does not compile:\n" + said);
    }
    return classes;
  }

  private String classPath(Stream<Path> first) {
    return Stream.of(
            first.map(Path::toString), built.stream().map(Path::toString), libraries.stream())
        .flatMap(paths -> paths)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Whether a name of {@link Mutant#caughtBy} is no test. */
  static boolean isCommand(String name) {
    return name.startsWith(AUDIT);
  }

  /** The module that a name of {@link Mutant#caughtBy} belongs to, built: its tests' classes. */
  Path module(String name) {
    if (isCommand(name)) {
      return Path.of("target").toAbsolutePath();
    }
    String file = name.replaceFirst("#.*", "").replace('.', '/') + ".class";
    return built.stream()
        .filter(classes -> Files.exists(classes.resolve(file)))
        .findFirst()
        .map(Path::getParent)
        .orElseThrow(() -> new AssertionError("there is no test " + name));
  }

  /**
   * Runs tests of one module, or an audit, in a process.
   *
   * @param first classes that come before all others
   */
  Outcome run(List<String> names, Stream<Path> first) {
    try {
      return run(command(names, first), Objects.requireNonNull(module(names.get(0)).getParent()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + names + " ran", e);
    }
  }

  private List<String> command(List<String> names, Stream<Path> first) {
    Path target = module(names.get(0));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Compiles as tests do, which is most of the time of short ones.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-XX:"))
        .forEach(command::add);
    command.addAll(List.of("-Xmx1g", "-cp"));
    Stream<Path> own = Stream.of(target.resolve("test-classes"), target.resolve("classes"));
    command.add(classPath(Stream.concat(first, own)));
    if (isCommand(names.get(0))) {
      command.add("io.github.roram.cli.RoramCommand");
      command.addAll(List.of(names.get(0).split(" ", -1)));
    } else {
      command.add(Tests.class.getName());
      command.addAll(names);
    }
    return command;
  }

  private Outcome run(List<String> command, Path where) throws IOException, InterruptedException {
    Path output = Files.createTempFile(directory, "output", "");
    Process process =
        new ProcessBuilder(command)
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
      return new Outcome(ended ? process.exitValue() : NOT_ENDED, Files.readString(output));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
