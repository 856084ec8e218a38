package io.github.roram.cli;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The commands that mount a file system from an NBD server, printed before they run, and those that
 * undo them, last first.
 *
 * <p>Not thread safe, but {@link #undo} may run on another thread once mounting ended.
 */
final class MountSteps {

  private static final int PATIENCE_SECONDS = 30;

  /** Where any file system has something, up to the superblock of btrfs at 64 KiB. */
  private static final int LOOKED_AT_BYTES = 128 << 10;

  private final Environment environment;
  private final Path target;
  private final String type;
  private final @Nullable Path device;
  private final Deque<List<String>> undo = new ArrayDeque<>();
  private @Nullable Process fuse;

  MountSteps(Environment environment, Path target, String type, @Nullable Path device) {
    this.environment = environment;
    this.target = target;
    this.type = type;
    this.device = device;
  }

  /** Says what is missing, before anything is done. */
  void check(boolean make) throws IOException {
    List<String> programs = new ArrayList<>(List.of("mount", "umount"));
    programs.addAll(
        device == null ? List.of("nbdfuse", "fusermount3", "losetup") : List.of("nbd-client"));
    if (make) {
      programs.add("mkfs." + type);
    }
    List<String> missing = programs.stream().filter(program -> !isThere(program)).toList();
    if (!missing.isEmpty()) {
      throw new UsageException(
          "mounting needs "
              + String.join(", ", missing)
              + ", which this machine does not have; on Debian: apt-get install libnbd-bin fuse3"
              + " e2fsprogs, or nbd-client for --device");
    }
    checkTarget();
    Path needed = device == null ? Path.of("/dev/fuse") : device;
    if (!Files.isWritable(needed)) {
      throw new UsageException(
          needed
              + " cannot be used: run as root, and load its module (modprobe fuse, modprobe nbd)");
    }
  }

  /**
   * Checks the target, and names a mount that a killed process left there, which answers every
   * access with an error.
   */
  private void checkTarget() throws IOException {
    Mounts mounts = Mounts.now();
    List<Path> orphans = mounts.orphans(Mounts::isServed);
    Path absolute = target.toAbsolutePath().normalize();
    Optional<Mounts.Mount> there = mounts.at(absolute);
    if (there.isPresent()) {
      String left = orphans.isEmpty() ? "" : "; a roram mount that was killed leaves that";
      throw new UsageException(
          target
              + " has a file system already ("
              + there.get().type()
              + " from "
              + there.get().source()
              + ")"
              + left
              + ": "
              + Mounts.remedy(absolute, orphans)
              + ", then mount again");
    }
    if (!Files.isDirectory(target)) {
      throw new UsageException(target + " is no directory; make it first");
    }
    for (Path folder : orphans) {
      environment.tell(
          "roram: a roram mount that was killed left "
              + folder
              + " mounted: unmount what is on it, then fusermount3 -uz "
              + folder
              + " && rm -r "
              + folder.getParent());
    }
  }

  private static boolean isThere(String program) {
    String path = System.getenv().getOrDefault("PATH", "") + ":/usr/sbin:/sbin";
    for (String directory : path.split(":", -1)) {
      if (Files.isExecutable(Path.of(directory, program))) {
        return true;
      }
    }
    return false;
  }

  /** Mounts what is served at {@code s} in a directory. */
  void mount(Path directory, boolean make, String options) throws IOException {
    Path socket = directory.resolve("s");
    Path disk = device == null ? attachByFuse(directory, socket) : attachByKernel(device, socket);
    if (make) {
      refuseData(disk);
      run("mkfs." + type, "-q", disk.toString());
    }
    String loop = device == null ? "loop," : "";
    undo.push(List.of("umount", target.toString()));
    try {
      run("mount", "-t", type, "-o", loop + options, disk.toString(), target.toString());
    } catch (IOException e) {
      undo.pop();
      throw e;
    }
  }

  /**
   * Refuses a disk with data: without a terminal mkfs.ext4 replaces a file system without asking.
   */
  static void refuseData(Path disk) throws IOException {
    try (InputStream in = Files.newInputStream(disk)) {
      for (byte each : in.readNBytes(LOOKED_AT_BYTES)) {
        if (each != 0) {
          throw new UsageException(
              "the store has data already, and --make would replace it: leave it out to mount what"
                  + " is there, or make the file system in a new store");
        }
      }
    }
  }

  private Path attachByFuse(Path directory, Path socket) throws IOException {
    Path folder = Files.createDirectory(directory.resolve("f"));
    Path disk = folder.resolve("nbd");
    undo.push(List.of("fusermount3", "-u", folder.toString()));
    Process started = start("setsid", "nbdfuse", disk.toString(), "nbd+unix:///?socket=" + socket);
    fuse = started;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!Files.exists(disk)) {
      if (!started.isAlive() || System.nanoTime() > end) {
        undo.pop();
        started.destroy();
        throw new IOException("nbdfuse did not make " + disk + "; see what it printed");
      }
      sleep();
    }
    return disk;
  }

  private Path attachByKernel(Path kernelDevice, Path socket) throws IOException {
    run("nbd-client", "-unix", socket.toString(), kernelDevice.toString(), "-b", "4096");
    undo.push(List.of("nbd-client", "-d", kernelDevice.toString()));
    return kernelDevice;
  }

  /** Undoes the steps; returns whether all of them could be undone. */
  boolean undo() {
    boolean complete = true;
    while (!undo.isEmpty()) {
      complete &= tried(undo.pop());
    }
    if (!complete) {
      // Somebody uses it, and its device goes: what was written until now is to be there.
      tried(List.of("sync", "-f", target.toString()));
    }
    return complete && awaitFuse();
  }

  private boolean tried(List<String> command) {
    try {
      run(command.toArray(String[]::new));
      return true;
    } catch (IOException e) {
      environment.tell("roram: " + e.getMessage());
      return false;
    }
  }

  /**
   * Waits for nbdfuse, which ends after its last request was answered; returns whether it has
   * ended.
   */
  private boolean awaitFuse() {
    try {
      return fuse == null || fuse.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Process start(String... command) throws IOException {
    environment.tell("+ " + String.join(" ", command));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().merge("PATH", "/usr/sbin:/sbin", (mine, more) -> mine + ":" + more);
    return builder
        .redirectInput(new File("/dev/null"))
        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private void run(String... command) throws IOException {
    try {
      int code = start(command).waitFor();
      if (code != 0) {
        throw new IOException(String.join(" ", command) + " ended with exit code " + code);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + command[0] + " ran", e);
    }
  }

  private static void sleep() throws IOException {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
