package io.github.roram.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.github.roram.ConfigurationException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.storage.Engines;
import io.github.roram.storage.StoreOptions;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.testkit.ObjectSpaceContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DirectoryObjectsTest extends ObjectSpaceContract {

  private static final int PUTS = 100;

  @TempDir Path directory;

  @Override
  protected ObjectSpace newSpace() throws IOException {
    return Engines.open("objects:" + directory.resolve("objects"), StoreOptions.defaults());
  }

  @Test
  void isForItsOwnerAlone() throws IOException {
    try (ObjectSpace space = newSpace()) {
      space.put("a/1", ByteBuffer.allocate(1));
      space.createOnce("a/2", ByteBuffer.allocate(1));
    }
    Path objects = directory.resolve("objects");
    try (Stream<Path> paths = Files.walk(objects)) {
      for (Path path : paths.toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
            .as(path.toString())
            .endsWith("------");
      }
    }
  }

  /** What a crash leaves aside is no object. */
  @Test
  void whatIsLeftAsideIsNoObject() throws IOException {
    Path objects = directory.resolve("objects");
    try (ObjectSpace space = newSpace()) {
      space.put("a/b/1", ByteBuffer.allocate(1));
      Files.write(objects.resolve(DirectoryObjects.ASIDE).resolve("left"), new byte[3]);
      assertThat(space.list("", "")).containsExactly("a/b/1");
    }
  }

  /**
   * The last object of a directory is deleted, and the directory with it, while one is put there.
   */
  @Test
  void deletesNextToPutsTakeNoDirectoryAway() throws Exception {
    try (ObjectSpace space = newSpace()) {
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      for (int client = 0; client < 4; client++) {
        String name = "a/b/" + client;
        clients.add(
            CompletableFuture.runAsync(
                () -> {
                  for (int i = 0; i < PUTS; i++) {
                    putAndDelete(space, name, i % 2 == 0);
                  }
                }));
      }
      for (CompletableFuture<Void> client : clients) {
        client.get();
      }
      assertThat(space.list("", "")).isEmpty();
    }
  }

  private static void putAndDelete(ObjectSpace space, String name, boolean once) {
    try {
      if (once) {
        assertThat(space.createOnce(name, ByteBuffer.allocate(1))).isTrue();
      } else {
        space.put(name, ByteBuffer.allocate(1));
      }
      space.delete(List.of(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As long as the directory of an object may be lost, so may the object. */
  @Test
  void noPutIsDoneBeforeItsDirectoryIsDurable() throws IOException {
    assumeFalse("root".equals(System.getProperty("user.name")), "root may do all");
    try (ObjectSpace space = newSpace()) {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("-wx------"));
      for (int again = 0; again < 3; again++) {
        assertThatThrownBy(() -> space.put("a/1", ByteBuffer.allocate(1)))
            .isInstanceOf(AccessDeniedException.class);
      }
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
      space.put("a/1", ByteBuffer.allocate(1));
    }
  }

  @Test
  void unknownEnginesAreNamed() {
    assertThatThrownBy(() -> Engines.open("nowhere:x", StoreOptions.defaults()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("\"nowhere:x\"")
        .hasMessageContaining("objects:DIR");
    assertThatThrownBy(() -> Engines.open("objects:", StoreOptions.defaults()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("without a directory");
  }

  /** Else whoever has the directory has its client list, read, replace and delete other files. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "a/b", "a/b/c"})
  void noLinkIsFollowed(String name, @TempDir Path parent) throws IOException {
    Path victim = Files.createDirectories(parent.resolve("victim/b"));
    Path file = Files.write(victim.resolve("c"), new byte[] {7});
    Path root = parent.resolve("root");
    try (DirectoryObjects objects = new DirectoryObjects(root)) {
      objects.put("z", ByteBuffer.wrap(new byte[] {1}));
      Path link = root.resolve(name);
      Files.createDirectories(link.getParent());
      Files.createSymbolicLink(link, parent.resolve("victim" + name.substring(1)));
      assertThat(objects.list("", "")).containsExactly("z");
      ByteBuffer one = ByteBuffer.allocate(1);
      assertLinkRefused(() -> objects.read("a/b/c", 0, one));
      assertLinkRefused(() -> objects.put("a/b/c", one));
      assertLinkRefused(() -> objects.createOnce("a/b/c", one));
      assertLinkRefused(() -> objects.delete(List.of("a/b/c")));
    }
    assertThat(file).hasBinaryContent(new byte[] {7});
  }

  private static void assertLinkRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContaining("symbolic link");
  }

  @Test
  void filesOfOtherNamesAreNoObjects(@TempDir Path root) throws IOException {
    try (DirectoryObjects objects = new DirectoryObjects(root)) {
      objects.put("pieces/x", ByteBuffer.wrap(new byte[] {1}));
      Files.createFile(root.resolve("pieces").resolve(".DS_Store"));
      assertThat(objects.list("pieces/", "")).containsExactly("pieces/x");
    }
  }
}
