package io.github.roram.nbd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs of other projects, where this machine has them. */
final class Programs {

  private static final String PATH = "/usr/sbin:/usr/bin:/sbin:/bin";
  private static final int MINUTES = 5;

  private Programs() {}

  /** Skips the test, and says so, where a program is missing. */
  static void need(String... programs) {
    for (String program : programs) {
      boolean there = false;
      for (String directory : PATH.split(":", -1)) {
        there |= Files.isExecutable(Path.of(directory, program));
      }
      assumeTrue(
          there,
          "SKIPPED: there is no "
              + program
              + "; apt-get install nbdkit libnbd-bin python3-libnbd fio qemu-utils e2fsprogs fuse3"
              + " sqlite3");
    }
  }

  /** Skips the test where file systems cannot be mounted. */
  static void needMounts() {
    need("nbdfuse", "fusermount3", "losetup", "mount", "mkfs.ext4", "fsck.ext4");
    assumeTrue(
        "root".equals(System.getProperty("user.name"))
            && Files.isReadable(Path.of("/dev/fuse"))
            && Files.exists(Path.of("/dev/loop-control")),
        "SKIPPED: mounting needs root, /dev/fuse and loop devices");
  }

  static ProcessBuilder builder(String... command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PATH", PATH);
    return builder;
  }

  /** What a program printed and how it ended. */
  record Ended(int code, String output) {}

  static Ended end(String... command) throws IOException, InterruptedException {
    return endIn(Path.of("."), command);
  }

  private static Ended endIn(Path directory, String... command)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("program", ".out");
    Process process =
        builder(command)
            .directory(directory.toFile())
            .redirectOutput(output.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .start();
    boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
    process.destroyForcibly().waitFor();
    String printed = Files.readString(output);
    Files.delete(output);
    assertThat(ended).as("%s ended: %s", List.of(command), printed).isTrue();
    return new Ended(process.exitValue(), printed);
  }

  /** Runs a program that must succeed; returns what it printed. */
  static String run(String... command) throws IOException, InterruptedException {
    return run(Path.of("."), command);
  }

  /** The same with a working directory. */
  static String run(Path directory, String... command) throws IOException, InterruptedException {
    Ended ended = endIn(directory, command);
    assertThat(ended.code()).as("%s: %s", List.of(command), ended.output()).isZero();
    return ended.output();
  }

  /** Waits for a file that a program makes. */
  static void await(Path file, Process process) throws InterruptedException {
    while (!Files.exists(file)) {
      assertThat(process.isAlive()).as("the program that makes %s runs", file).isTrue();
      Thread.sleep(10);
    }
  }
}
