package io.github.roram.cli;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The mounts of this machine that matter to {@code roram mount}: those at its target, and those
 * that a killed process left.
 *
 * @param all all mounts, in the order in which they were made
 */
record Mounts(List<Mount> all) {

  private static final Path TABLE = Path.of("/proc/self/mountinfo");

  /** Fields of a line: mount point, and the first that may be the separator. */
  private static final int POINT = 4;

  private static final int FIRST_OPTIONAL = 6;

  /**
   * One of them.
   *
   * @param point where it is mounted
   * @param type of the file system
   * @param source of it, as in {@code /dev/loop0}
   */
  record Mount(Path point, String type, String source) {

    /** Returns whether this is the folder of nbdfuse that {@code roram mount} creates. */
    private boolean isOurFuse() {
      Path parent = point.getParent();
      return type.startsWith("fuse")
          && point.endsWith("f")
          && parent != null
          && parent.getFileName() != null
          && parent.getFileName().toString().startsWith(MountCommand.DIRECTORY_PREFIX);
    }
  }

  /** Returns the present mounts; none if the system does not tell. */
  static Mounts now() throws IOException {
    return Files.isReadable(TABLE)
        ? parse(Files.readAllLines(TABLE, StandardCharsets.UTF_8))
        : new Mounts(List.of());
  }

  /** Takes lines as Linux has them in {@code mountinfo}. */
  static Mounts parse(List<String> lines) {
    return new Mounts(lines.stream().flatMap(Mounts::mount).toList());
  }

  private static Stream<Mount> mount(String line) {
    List<String> fields = List.of(line.split(" ", -1));
    int separator =
        fields.subList(Math.min(FIRST_OPTIONAL, fields.size()), fields.size()).indexOf("-");
    int type = FIRST_OPTIONAL + separator + 1;
    if (separator < 0 || fields.size() < type + 2) {
      return Stream.empty();
    }
    return Stream.of(
        new Mount(Path.of(unescaped(fields.get(POINT))), fields.get(type), fields.get(type + 1)));
  }

  private static String unescaped(String field) {
    return field
        .replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }

  /** Returns the mount at a path. */
  Optional<Mount> at(Path point) {
    return all.stream().filter(mount -> mount.point().equals(point)).reduce((one, next) -> next);
  }

  /** Folders of nbdfuse whose server is gone. */
  List<Path> orphans(Predicate<Path> isServed) {
    return all.stream()
        .filter(Mount::isOurFuse)
        .map(Mount::point)
        .filter(folder -> !isServed.test(folder.resolveSibling("s")))
        .toList();
  }

  /** Returns whether a server answers at a socket. */
  static boolean isServed(Path socket) {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      return channel.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the commands that undo what a killed {@code roram mount} left. */
  static String remedy(Path target, List<Path> orphans) {
    StringBuilder commands = new StringBuilder("umount -l ").append(target);
    for (Path folder : orphans) {
      commands.append(" && fusermount3 -uz ").append(folder);
      commands.append(" && rm -r ").append(folder.getParent());
    }
    return commands.toString();
  }
}
