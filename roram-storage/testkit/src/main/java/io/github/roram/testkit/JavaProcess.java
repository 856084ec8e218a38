package io.github.roram.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts processes for tests, which often kill them: small ones, with the class path of the test,
 * and without the C2 compiler, which does not pay in their short life.
 */
public final class JavaProcess {

  private static final int MEGABYTES = 256;

  private JavaProcess() {}

  /** Returns a process that runs a class with arguments; it is not started yet. */
  public static ProcessBuilder of(Class<?> main, List<String> arguments) {
    return of(MEGABYTES, System.getProperty("java.class.path"), main, arguments);
  }

  /**
   * Returns a process with {@code megabytes} MB of heap. Further options of Java can be inserted
   * after the first word of the command.
   */
  public static ProcessBuilder of(
      int megabytes, String classPath, Class<?> main, List<String> arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + megabytes + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                main.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }
}
