package io.github.roram.storage;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Processes that tests start: small ones, which have the class path of the test. */
public final class JavaProcess {

  private JavaProcess() {}

  /** One that runs a class with arguments; it is not started yet. */
  public static ProcessBuilder of(Class<?> main, List<String> arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }
}
