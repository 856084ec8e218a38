package io.github.roram.bench.report;

/**
 * Where something was measured.
 *
 * @param cores processors that the JVM may use
 * @param heapBytes the most heap that the JVM takes
 * @param java name and version of the JVM
 * @param os operating system, version and architecture
 */
public record Machine(int cores, long heapBytes, String java, String os) {

  /** This one. */
  public static Machine current() {
    Runtime runtime = Runtime.getRuntime();
    return new Machine(
        runtime.availableProcessors(),
        runtime.maxMemory(),
        property("java.vm.name") + " " + property("java.runtime.version"),
        property("os.name") + " " + property("os.version") + " " + property("os.arch"));
  }

  private static String property(String name) {
    return System.getProperty(name, "");
  }
}
