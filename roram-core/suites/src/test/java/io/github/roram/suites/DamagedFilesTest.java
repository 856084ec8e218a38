package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreLockedException;
import io.github.roram.testkit.ArrayChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ORAMs on segment files that someone opens twice, cuts, deletes or changes. */
final class DamagedFilesTest {

  private static final int BLOCKS = 200;
  private static final StoreOptions OPTIONS =
      FileOptions.defaults().withSegmentBytes(128 * 1024).storeOptions();

  @TempDir Path parent;
  private final MasterKey key = MasterKey.generate();
  private final byte[] content = new byte[BLOCKS * 512];
  private String uri = "";

  @BeforeEach
  void createLoadedAndClosed() throws IOException {
    new Random(1).nextBytes(content);
    uri = "file:" + parent.resolve("store");
    OramConfig config =
        OramConfig.builder(BLOCKS)
            .scheme("roram")
            .blockBytes(512)
            .maxRangeBlocks(8)
            .treetopBytes(0)
            .chunkPaths(8)
            .build();
    try (OpenedStore opened = Stores.create(uri, Orams.storeBytes(config), OPTIONS);
        Oram oram = Orams.create(opened.store(), opened.vault(), config, key)) {
      oram.bulkLoad(new ArrayChannel(content), content.length, bytes -> {});
    }
  }

  @AfterEach
  void wipe() {
    key.close();
  }

  private void assertIntact() throws IOException {
    try (OpenedStore opened = Stores.open(uri, OPTIONS);
        Oram oram = Orams.open(opened.store(), opened.vault(), key)) {
      ByteBuffer found = ByteBuffer.allocate(content.length);
      oram.channel().read(found);
      assertThat(found.array()).isEqualTo(content);
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(parent)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private List<Path> segments() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path file : files()) {
      if (file.getFileName().toString().startsWith("segment-")) {
        found.add(file);
      }
    }
    assertThat(found).hasSizeGreaterThan(5);
    return found;
  }

  @Test
  void aSecondOpener() throws IOException {
    try (OpenedStore first = Stores.open(uri, OPTIONS);
        Oram oram = Orams.open(first.store(), first.vault(), key)) {
      assertThatThrownBy(() -> Stores.open(uri, OPTIONS))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("store");
      assertThatThrownBy(() -> Stores.delete(uri)).isInstanceOf(StoreLockedException.class);
      assertThat(oram.read(0, 1).remaining()).isEqualTo(512);
    }
    assertIntact();
  }

  @Test
  void aSecondCreator() throws IOException {
    assertThatThrownBy(() -> Stores.create(uri, 1 << 20, OPTIONS))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertIntact();
  }

  @Test
  void aTruncatedSegment() throws IOException {
    for (Path segment : segments()) {
      byte[] whole = Files.readAllBytes(segment);
      try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
        file.truncate(whole.length - 1000);
      }
      assertThatThrownBy(() -> Stores.open(uri, OPTIONS))
          .isInstanceOf(StoreDamagedException.class)
          .hasMessageContaining(segment + " is truncated")
          .hasMessageContaining(whole.length - 1000 + " found");
      Files.write(segment, whole);
    }
    assertIntact();
  }

  @Test
  void aMissingSegment() throws IOException {
    Path segment = segments().get(3);
    byte[] whole = Files.readAllBytes(segment);
    Files.delete(segment);
    assertThatThrownBy(() -> Stores.open(uri, OPTIONS))
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContaining(segment + " is missing");
    Files.write(segment, whole);
    assertIntact();
  }

  /**
   * Truncated, then filled up again with zeros, as a file system may after a crash. The client
   * could not close; once the segment is back, it recovers.
   */
  @Test
  void anErasedSegment() throws IOException {
    List<Path> segments = segments();
    for (Path segment : List.of(segments.get(1), segments.get(4))) {
      byte[] whole = Files.readAllBytes(segment);
      Files.write(segment, new byte[whole.length]);
      assertThatThrownBy(this::assertIntact)
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("bucket at tree");
      Files.write(segment, whole);
      assertIntact();
    }
  }

  @Test
  void anErasedSuperblock() throws IOException {
    Path segment = segments().get(0);
    byte[] whole = Files.readAllBytes(segment);
    Files.write(segment, new byte[whole.length]);
    assertThatThrownBy(this::assertIntact)
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("no superblock");
    Files.write(segment, whole);
    assertIntact();
  }

  @Test
  void damagedClientRecords() throws IOException {
    for (Path file : files()) {
      if (file.getFileName().toString().endsWith(".record")) {
        byte[] whole = Files.readAllBytes(file);
        byte[] damaged = whole.clone();
        damaged[whole.length - 1] ^= 4;
        Files.write(file, damaged);
        assertThatThrownBy(this::assertIntact).isInstanceOf(IntegrityException.class);
        Files.write(file, whole);
        assertIntact();
      }
    }
  }
}
