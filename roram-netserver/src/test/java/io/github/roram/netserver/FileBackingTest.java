package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.netserver.VolumeBacking.FirstRecord;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.file.SegmentFileStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FileBackingTest {

  private static final FirstRecord NO_RECORD = vault -> {};

  @TempDir Path directory;

  /** Local users of a server must not watch which segments are read, nor copy them. */
  @Test
  void volumesAreTheirOwnersAlone() throws IOException {
    Assumptions.assumeTrue(
        directory.getFileSystem().supportedFileAttributeViews().contains("posix"));
    Path volumes = Files.createDirectory(directory.resolve("volumes"));
    Files.setPosixFilePermissions(volumes, PosixFilePermissions.fromString("rwxr-xr-x"));
    FileBacking backing = new FileBacking(directory, FileOptions.defaults());
    backing.create("v", 100_000, NO_RECORD).close();
    try (Stream<Path> paths = Files.walk(volumes)) {
      assertThat(paths)
          .hasSizeGreaterThan(3)
          .allSatisfy(
              path ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                      .endsWith("------"));
    }
  }

  /**
   * As when its server is killed: the rest of it is in nobody's way, and goes with the next one.
   */
  @Test
  void aVolumeThatWasDeletedInPartIsGone() throws IOException {
    FileBacking backing = new FileBacking(directory, FileOptions.defaults());
    backing.create("v", 100_000, NO_RECORD).close();
    Path obstacle = Files.createDirectory(directory.resolve("volumes/v/segment-000009"));
    Path inside = Files.createFile(obstacle.resolve("x"));
    backing.delete("v");
    assertThat(backing.exists("v")).isFalse();
    assertThat(backing.vaults()).isEmpty();
    backing.create("v", 200_000, NO_RECORD).close();
    Path left;
    try (Stream<Path> paths = Files.walk(directory)) {
      left = paths.filter(path -> path.endsWith("segment-000009")).findFirst().orElseThrow();
    }
    Files.delete(left.resolve(inside.getFileName()));
    FileBacking next = new FileBacking(directory, FileOptions.defaults());
    assertThat(next.vaults()).containsOnlyKeys("v");
    assertThat(left.getParent()).doesNotExist();
  }

  /** As when its server is killed, whatever was made until then: the next one begins anew. */
  @ParameterizedTest
  @ValueSource(strings = {"", "store.descriptor", "watermark", "segment-000000"})
  void aVolumeThatWasCreatedInPartIsNone(String missing) throws IOException {
    Path killed = directory.resolve("killed");
    FileBacking backing = new FileBacking(directory.resolve("server"), FileOptions.defaults());
    backing
        .create("v", 100_000, vault -> copy(directory.resolve("server"), killed, missing))
        .close();
    assertThat(backing.vaults()).containsOnlyKeys("v");
    FileBacking next = new FileBacking(killed, FileOptions.defaults());
    assertThat(killed.resolve("volumes")).isEmptyDirectory();
    assertThat(next.exists("v")).isFalse();
    next.create("v", 200_000, NO_RECORD).close();
    assertThat(next.vaults()).containsOnlyKeys("v");
  }

  /** What a creation has made that is broken off before it made something. */
  private static void copy(Path from, Path to, String missing) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : paths.toList()) {
        String name = path.getFileName().toString();
        if (!name.equals(missing)) {
          Files.copy(path, to.resolve(from.relativize(path).toString()));
        } else if (name.equals("store.descriptor")) {
          Files.copy(path, to.resolve(from.relativize(path) + ".aside"));
        }
      }
    }
  }

  /** Else there would be a volume that counts for nobody. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aVolumeWithoutARecordIsNotLeft(boolean prepared) throws IOException {
    FileBacking backing = new FileBacking(directory, FileOptions.defaults());
    Path volumes = directory.resolve("volumes");
    if (prepared) {
      Files.createSymbolicLink(
          volumes.resolve("v"), Files.createDirectory(directory.resolve("disk")));
    }
    assertThatThrownBy(
            () ->
                backing.create(
                    "v",
                    100_000,
                    vault -> {
                      throw new IOException("injected");
                    }))
        .hasMessage("injected");
    assertThat(backing.exists("v")).isFalse();
    assertThat(volumes).isEmptyDirectory();
    backing.create("v", 100_000, NO_RECORD).close();
    assertThat(backing.vaults()).containsOnlyKeys("v");
  }

  /** On another disk, say. */
  @Test
  void aVolumeIsWhereItsOperatorWantsIt() throws IOException {
    FileBacking backing = new FileBacking(directory, FileOptions.defaults());
    Path disk = Files.createDirectory(directory.resolve("disk"));
    Files.createSymbolicLink(directory.resolve("volumes/v"), disk);
    backing.create("v", 100_000, NO_RECORD).close();
    assertThat(SegmentFileStore.exists(disk)).isTrue();
    assertThatThrownBy(() -> backing.create("v", 100_000, NO_RECORD))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(backing.vaults()).containsOnlyKeys("v");
  }

  /** Whoever has the disk of the volumes plants it, and has another store deleted. */
  @Test
  void aLinkIsNotTakenForADeletedVolume() throws IOException {
    Path store = directory.resolve("store");
    SegmentFileStore.create(store, 100, FileOptions.defaults()).close();
    Path volumes = Files.createDirectory(directory.resolve("volumes"));
    Files.createSymbolicLink(volumes.resolve(".deleted-v-0"), store);
    Files.createSymbolicLink(volumes.resolve(".created-v-0"), store);
    assertThat(new FileBacking(directory, FileOptions.defaults()).vaults()).isEmpty();
    assertThat(SegmentFileStore.exists(store)).isTrue();
  }

  /** A client refuses a list with a name that no volume has. */
  @Test
  void whatIsNoVolumesNameIsLeftOut() throws IOException {
    FileBacking backing = new FileBacking(directory, FileOptions.defaults());
    backing.create("v", 100_000, NO_RECORD).close();
    SegmentFileStore.create(directory.resolve("volumes/V1 copy"), 100, FileOptions.defaults())
        .close();
    assertThat(backing.vaults()).containsOnlyKeys("v");
  }

  /** Who asks again does not wait for what was not begun. */
  @Test
  void aVolumeThatNoThreadCouldBeHadForIsOpenedForTheNextRequest() throws IOException {
    FileBacking backing = new FileBacking(directory, FileOptions.defaults());
    backing.create("v", 100_000, NO_RECORD).close();
    AtomicInteger refusals = new AtomicInteger(1);
    Executor threads =
        task -> {
          if (refusals.getAndDecrement() > 0) {
            throw new RejectedExecutionException("injected: no thread");
          }
          task.run();
        };
    Volumes volumes =
        new Volumes(
            backing,
            threads,
            threads,
            Duration.ZERO,
            System::nanoTime,
            ServerLimits.defaults().volumes(),
            ServerObserver.NONE);
    assertThat(volumes.get("v")).isCompletedExceptionally();
    assertThat(volumes.get("v")).isCompleted();
    assertThat(volumes.close(true)).isTrue();
  }
}
