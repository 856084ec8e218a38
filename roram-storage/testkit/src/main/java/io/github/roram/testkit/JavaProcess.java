package io.github.roram.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Processes that tests start, and often kill: small ones, with the class path of the test. Nothing
 * that they do in their short life is worth C2.
 */
public final class JavaProcess {

  private static final int MEGABYTES = 256;

  private JavaProcess() {}

  /** One that runs a class with arguments; it is not started yet. */
  public static ProcessBuilder of(Class<?> main, List<String> arguments) {
    return of(MEGABYTES, System.getProperty("java.class.path"), main, arguments);
  }

  /**
   * As above, with so many MB of heap and this class path. Further options of Java can be added to
   * the command, behind its first word.
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
