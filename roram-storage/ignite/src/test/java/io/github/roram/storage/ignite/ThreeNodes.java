package io.github.roram.storage.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.object.ObjectSpace;
import io.github.roram.storage.StoreOptions;
import io.github.roram.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three nodes in processes of their own, each killed and started again with what it had. */
final class ThreeNodes implements AutoCloseable {

  static final int NODES = 3;

  private static final int POLL_MILLIS = 50;
  private static final int MOST_POLLS = 1800;

  private final Path directory;
  private final int ports = TestNode.freePorts();
  private final Process[] processes = new Process[NODES];
  private final String[] seen = new String[NODES];

  ThreeNodes(Path directory) throws Exception {
    this.directory = directory;
    IntStream.range(0, NODES).forEach(this::start);
    awaitWhole();
  }

  void start(int node) {
    ProcessBuilder builder =
        JavaProcess.of(
            384,
            System.getProperty("java.class.path"),
            TestNode.class,
            List.of(
                Integer.toString(node),
                Integer.toString(NODES),
                Integer.toString(ports),
                directory.toString()));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(argument -> builder.command().add(1, argument));
    try {
      seen[node] = "";
      Process process =
          builder.redirectError(directory.resolve("node-" + node + ".log").toFile()).start();
      processes[node] = process;
      Thread reader = new Thread(() -> follow(node, process), "node-" + node);
      reader.setDaemon(true);
      reader.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void follow(int node, Process process) {
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("node sees ") && processes[node] == process) {
          seen[node] = line.substring("node sees ".length());
        }
      }
    } catch (IOException e) {
      // it was killed
    }
  }

  /** As SIGKILL does. */
  void kill(int node) throws InterruptedException {
    processes[node].destroyForcibly();
    processes[node].waitFor();
  }

  /** Waits until all are there, and each has all that it keeps. */
  void awaitWhole() throws InterruptedException {
    awaitSeen(List.of(0, 1, 2), "3 whole");
  }

  /** Waits until some nodes see what they must. */
  void awaitSeen(List<Integer> nodes, String expected) throws InterruptedException {
    for (int poll = 0; poll < MOST_POLLS; poll++) {
      if (nodes.stream().allMatch(node -> expected.equals(seen[node]))) {
        return;
      }
      assertThat(nodes).as("logs in " + directory).allMatch(node -> processes[node].isAlive());
      Thread.sleep(POLL_MILLIS);
    }
    assertThat(nodes.stream().map(node -> seen[node]))
        .as("logs in " + directory)
        .containsOnly(expected);
  }

  /** As STOP and CONT do. */
  void signal(int node, String name) throws IOException, InterruptedException {
    String pid = Long.toString(processes[node].pid());
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
  }

  StoreOptions options() {
    return TestNode.options(
        IntStream.range(0, NODES)
            .mapToObj(node -> TestNode.address(node, ports))
            .collect(Collectors.joining(",")));
  }

  ObjectSpace objects(String location, Duration retry) throws IOException {
    return IgniteObjects.open(
        IgniteObjectsProvider.PLACES.read(location), options().with(IgniteOptions.RETRY, retry));
  }

  /** Of a client that reaches one node alone. */
  ObjectSpace objectsOf(int node, String location, Duration retry) throws IOException {
    return IgniteObjects.open(
        IgniteObjectsProvider.PLACES.read(location),
        TestNode.options(TestNode.address(node, ports)).with(IgniteOptions.RETRY, retry));
  }

  @Override
  public void close() {
    for (Process process : processes) {
      process.destroyForcibly();
    }
  }
}
