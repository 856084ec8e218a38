package io.github.roram.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.Directories;
import io.github.roram.storage.file.SegmentChannels.SegmentAccess;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreFullException;
import io.github.roram.store.StoreLockedException;
import io.github.roram.testkit.Batches;
import io.github.roram.testkit.JavaProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SegmentFileStoreTest {

  private static final int SEGMENT_BYTES = 16_384;
  private static final int CAPACITY_BYTES = 100_000;
  private static final FileOptions OPTIONS = FileOptions.defaults().withSegmentBytes(SEGMENT_BYTES);
  private static final ExtentBatch ALL = Batches.of(CAPACITY_BYTES, 0, 1);
  private static final byte[] CONTENT = Batches.noise(CAPACITY_BYTES, 1);

  @TempDir Path temporary;
  private Path directory;

  @BeforeEach
  void createFilled() throws IOException {
    directory = temporary.resolve("store");
    try (BlockStore store = SegmentFileStore.create(directory, CAPACITY_BYTES, OPTIONS)) {
      Batches.write(store, ALL, CONTENT);
    }
  }

  private Path segment(int number) {
    return StoreDirectory.segmentFile(directory, number);
  }

  private void setLength(int segment, long bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(segment(segment).toFile(), "rw")) {
      file.setLength(bytes);
    }
  }

  private SegmentFileStore open() throws IOException {
    return SegmentFileStore.open(directory, OPTIONS);
  }

  @Test
  void segmentsAreOfFullLengthAndTheLastOneOfWholeGranules() throws IOException {
    assertThat(segment(0).getFileName()).hasToString("segment-000000");
    for (int i = 0; i < 6; i++) {
      assertThat(Files.size(segment(i))).isEqualTo(SEGMENT_BYTES);
    }
    assertThat(Files.size(segment(6))).isEqualTo(4096);
    assertThat(segment(7)).doesNotExist();
  }

  @Test
  void hugeStoresAreCreatedSparse() throws IOException {
    Path huge = temporary.resolve("huge");
    long freeBefore = Files.getFileStore(temporary).getUnallocatedSpace();
    long capacityBytes = 320L << 30;
    try (BlockStore store = SegmentFileStore.create(huge, capacityBytes, FileOptions.defaults())) {
      ExtentBatch lastByte = Batches.of(1, capacityBytes - 1, 1);
      assertThat(Batches.read(store, lastByte)).containsExactly(0);
    }
    assertThat(freeBefore - Files.getFileStore(temporary).getUnallocatedSpace())
        .isLessThan(capacityBytes / 10); // others use the disk, too
    SegmentFileStore.delete(huge);
  }

  @Test
  void aTruncatedSegmentIsFoundWhenOpening() throws IOException {
    setLength(3, SEGMENT_BYTES - 1);
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContaining(segment(3) + " is truncated: 16384 bytes expected, 16383 found");
    setLength(3, SEGMENT_BYTES + 1);
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContaining("too long");
    assertThat(Files.size(segment(3))).isEqualTo(SEGMENT_BYTES + 1);
  }

  /** Extending is broken off after each of its steps; the next opener finishes it. */
  @Test
  void anExtensionThatWasBrokenOffIsFinished() throws IOException {
    SegmentStoreDescriptor longer = new SegmentStoreDescriptor(SEGMENT_BYTES, 150_000);
    for (int segments = 0; segments <= 3; segments++) {
      Files.write(directory.resolve(SegmentStoreDescriptor.NEXT_NAME), longer.encode());
      for (int i = 6; i < 6 + segments; i++) {
        setLength(i, SEGMENT_BYTES);
      }
      try (BlockStore store = open()) {
        assertThat(store.capacityBytes()).isEqualTo(150_000);
        assertThat(Batches.read(store, ALL)).isEqualTo(CONTENT);
        assertThat(Batches.read(store, Batches.of(50_000, CAPACITY_BYTES, 1)))
            .isEqualTo(new byte[50_000]);
      }
      assertThat(directory.resolve(SegmentStoreDescriptor.NEXT_NAME)).doesNotExist();
      SegmentFileStore.delete(directory);
      assertThat(directory).doesNotExist();
      createFilled();
    }
  }

  /** As on a full volume; then less is asked for. */
  @Test
  void afterAnExtensionThatFailedAShorterOneLeavesNothingTooLong() throws IOException {
    Path inTheWay = directory.resolve(SegmentStoreDescriptor.FILE_NAME + DurableFiles.ASIDE);
    try (BlockStore store = open()) {
      Path more = Files.createDirectories(inTheWay.resolve("x"));
      assertThatThrownBy(() -> store.extend(200_000)).isInstanceOf(IOException.class);
      Files.delete(more);
      Files.delete(inTheWay);
      assertThat(store.extend(110_000)).isTrue();
      Batches.write(store, Batches.of(10_000, 100_000, 1), Batches.noise(10_000, 2));
    }
    try (BlockStore store = open()) {
      assertThat(store.capacityBytes()).isEqualTo(110_000);
      assertThat(Batches.read(store, ALL)).isEqualTo(CONTENT);
      assertThat(Batches.read(store, Batches.of(10_000, 100_000, 1)))
          .isEqualTo(Batches.noise(10_000, 2));
      assertThat(store.extend(200_000)).isTrue();
      assertThat(Batches.read(store, Batches.of(90_000, 110_000, 1))).containsOnly(0);
    }
    open().close();
  }

  /** Else a file that someone puts there has the next opener cut the store. */
  @Test
  void anExtensionToLessIsRefused() throws IOException {
    Path next = directory.resolve(SegmentStoreDescriptor.NEXT_NAME);
    for (SegmentStoreDescriptor forged :
        List.of(
            new SegmentStoreDescriptor(SEGMENT_BYTES, CAPACITY_BYTES - 1),
            new SegmentStoreDescriptor(SEGMENT_BYTES / 2, CAPACITY_BYTES))) {
      Files.write(next, forged.encode());
      assertThatThrownBy(this::open)
          .isInstanceOf(StoreDamagedException.class)
          .hasMessageContaining(next + " is of another store");
    }
    Files.delete(next);
    try (BlockStore store = open()) {
      assertThat(Batches.read(store, ALL)).isEqualTo(CONTENT);
    }
  }

  @Test
  void aMissingSegmentIsFoundWhenOpening() throws IOException {
    Files.delete(segment(6));
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContaining(segment(6) + " is missing")
        .hasMessageContaining("4096 bytes");
    assertThat(segment(6)).doesNotExist();
  }

  @Test
  void aSegmentTruncatedWhileOpenIsFoundWhenRead() throws IOException {
    try (BlockStore store = open()) {
      setLength(2, 100);
      assertThatThrownBy(() -> Batches.read(store, ALL))
          .isInstanceOf(StoreDamagedException.class)
          .hasMessageContaining(segment(2).toString());
    }
  }

  @Test
  void aDescriptorCorruptOrOfAnotherVersionIsRefused() throws IOException {
    Path file = directory.resolve(SegmentStoreDescriptor.FILE_NAME);
    byte[] content = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(content, content.length - 1));
    assertThatThrownBy(this::open).isInstanceOf(StoreDamagedException.class);
    SegmentFileStore.delete(directory);
    assertThat(directory).doesNotExist();
  }

  /** However long it is, it takes no memory. */
  @Test
  void aDescriptorThatWasMadeLongIsDamaged() throws IOException {
    Path descriptor = directory.resolve(SegmentStoreDescriptor.FILE_NAME);
    try (RandomAccessFile file = new RandomAccessFile(descriptor.toFile(), "rw")) {
      file.setLength(3L << 30);
    }
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContaining(descriptor.toString());
  }

  @Test
  void aLostDescriptorIsNamed() throws IOException {
    Path descriptor = directory.resolve(SegmentStoreDescriptor.FILE_NAME);
    Files.delete(descriptor);
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContainingAll(descriptor + " is missing", "restore it from a copy");
    assertThat(segment(0)).exists();
  }

  @Test
  void aDirectoryInPlaceOfAFileIsNamed() throws IOException {
    Path descriptor = directory.resolve(SegmentStoreDescriptor.FILE_NAME);
    Files.delete(descriptor);
    Files.createDirectory(descriptor);
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContaining(descriptor + " is a directory");
  }

  private void plantLink(Path file, Path target) throws IOException {
    Files.delete(file);
    Files.createSymbolicLink(file, target);
  }

  private static void assertLinkRefused(Path file, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContainingAll(file + " is a symbolic link", "delete it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"segment-000003", "store.descriptor", "lock"})
  void aLinkInPlaceOfAFileIsNotFollowed(String name) throws IOException {
    Path other = Files.writeString(temporary.resolve("my.key"), "secret");
    Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rw-r--r--"));
    Path file = directory.resolve(name);
    Path descriptor = directory.resolve(SegmentStoreDescriptor.FILE_NAME);
    Path next = directory.resolve(SegmentStoreDescriptor.NEXT_NAME);
    byte[] content = Files.readAllBytes(descriptor);
    plantLink(file, other);
    assertLinkRefused(file, this::open);
    // As if the store was being made larger, which would give the file a segment's length.
    Files.write(next, content);
    if (name.startsWith("segment")) {
      assertLinkRefused(file, this::open);
    }
    assertThat(other).hasContent("secret");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(other)))
        .isEqualTo("rw-r--r--");
  }

  @Test
  void aLinkPlantedWhileItIsOpenIsNotFollowed() throws IOException {
    byte[] bytes = new byte[SEGMENT_BYTES];
    Path other = Files.write(temporary.resolve("my.key"), bytes);
    Path watermark = directory.resolve(WatermarkFile.FILE_NAME);
    try (BlockStore store = open()) {
      plantLink(segment(3), other);
      assertLinkRefused(segment(3), () -> Batches.write(store, ALL, CONTENT));
      plantLink(watermark, other);
      assertLinkRefused(watermark, store::watermarks);
      Files.delete(watermark);
      assertThat(store.watermarks()).isEmpty();
      Files.createSymbolicLink(watermark, other);
      assertLinkRefused(watermark, () -> store.keepWatermark(new byte[40], true));
      plantLink(watermark, temporary.resolve("absent"));
      assertLinkRefused(watermark, () -> store.keepWatermark(new byte[40], true));
    }
    assertThat(temporary.resolve("absent")).doesNotExist();
    assertThat(other).hasBinaryContent(bytes);
  }

  @Test
  void placesWithinAreKnown() throws IOException {
    Path link = Files.createSymbolicLink(temporary.resolve("link"), directory);
    try (BlockStore store = SegmentFileStore.open(link, OPTIONS)) {
      for (Path named : new Path[] {directory, link}) {
        assertThat(store.isBeside(named)).isTrue();
        assertThat(store.isBeside(named.resolve("to-be-made").resolve("map"))).isTrue();
        assertThat(store.isBeside(named.resolveSibling("map"))).isFalse();
      }
    }
  }

  @Test
  void leftoversWithoutDescriptorAreNotOverwritten() throws IOException {
    Files.delete(directory.resolve(SegmentStoreDescriptor.FILE_NAME));
    byte[] first = Files.readAllBytes(segment(0));
    assertThat(SegmentFileStore.exists(directory)).isFalse();
    assertThatThrownBy(() -> SegmentFileStore.create(directory, CAPACITY_BYTES, OPTIONS))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("segment-000000");
    assertThat(Files.readAllBytes(segment(0))).isEqualTo(first);
  }

  @Test
  void aCreationThatFailsLeavesNothing() throws IOException {
    Path other = Files.createDirectory(temporary.resolve("other"));
    Path foreign = Files.createDirectory(StoreDirectory.segmentFile(other, 2));
    assertThatThrownBy(() -> SegmentFileStore.create(other, CAPACITY_BYTES, OPTIONS))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(Directories.list(other))
        .containsExactlyInAnyOrder(foreign, other.resolve(StoreLock.FILE_NAME));
  }

  @Test
  void impossibleCapacitiesAreRefusedBeforeAnythingIsCreated() {
    Path other = temporary.resolve("other");
    assertThatThrownBy(() -> SegmentFileStore.create(other, 0, OPTIONS))
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> SegmentFileStore.create(other, 1L << 40, OPTIONS))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("make segments larger");
    assertThat(other).doesNotExist();
  }

  @Test
  void closingTwiceLeavesTheLockOfTheNextOpenerAlone() throws IOException {
    SegmentFileStore first = open();
    first.close();
    try (SegmentFileStore second = open()) {
      first.close();
      assertThatThrownBy(this::open).isInstanceOf(StoreLockedException.class);
      assertThat(Batches.read(second, ALL)).isEqualTo(CONTENT);
    }
  }

  @Test
  void anotherProcessIsKeptOutAndKeepsUsOut() throws Exception {
    Process other =
        JavaProcess.of(LockHolder.class, List.of(directory.toString()))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(other.getInputStream().read()).isEqualTo('L');
      assertThatThrownBy(this::open)
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("another process");
    } finally {
      other.destroyForcibly().waitFor();
    }
    open().close();
  }

  @Test
  void aFullVolumeFailsTheWriteWhichCanBeRepeated() throws IOException {
    AtomicLong roomBytes = new AtomicLong(SEGMENT_BYTES + 4113);
    try (BlockStore store =
        SegmentFileStore.open(directory, OPTIONS, faulty(new ArrayList<>(), roomBytes))) {
      byte[] next = Batches.noise(CAPACITY_BYTES, 2);
      assertThatThrownBy(() -> Batches.write(store, ALL, next))
          .isInstanceOf(StoreFullException.class)
          .hasMessageContaining("no room left on the volume of " + segment(1));
      roomBytes.set(Long.MAX_VALUE);
      Batches.write(store, ALL, next);
      assertThat(Batches.read(store, ALL)).isEqualTo(next);
      store.sync();
    }
  }

  @Test
  void aFailedSyncIsNeverForgotten() throws IOException {
    List<FaultyChannel> channels = new ArrayList<>();
    try (BlockStore store =
        SegmentFileStore.open(
            directory, OPTIONS, faulty(channels, new AtomicLong(Long.MAX_VALUE)))) {
      Batches.write(store, ALL, CONTENT);
      channels.get(2).failForce();
      assertThatThrownBy(store::sync)
          .hasMessageContainingAll("injected: force", "close the store and open it again");
      assertThatThrownBy(store::sync).hasMessageContaining("an earlier sync failed");
    }
    try (BlockStore store = open()) {
      store.sync();
    }
  }

  @Test
  void syncForcesWhatWasWrittenSinceTheLastOne() throws IOException {
    List<FaultyChannel> channels = new ArrayList<>();
    try (BlockStore store =
        SegmentFileStore.open(
            directory, OPTIONS, faulty(channels, new AtomicLong(Long.MAX_VALUE)))) {
      Batches.write(store, Batches.of(SEGMENT_BYTES, 100, 1), new byte[SEGMENT_BYTES]);
      Batches.read(store, ALL);
      store.sync(); // the process before may have written any of them
      assertThat(channels).extracting(FaultyChannel::forces).containsExactly(1, 1, 1, 1, 1, 1, 1);
      Batches.write(store, Batches.of(SEGMENT_BYTES, 100, 1), new byte[SEGMENT_BYTES]);
      store.sync();
      assertThat(channels).extracting(FaultyChannel::forces).containsExactly(2, 2, 1, 1, 1, 1, 1);
      store.sync();
      assertThat(channels).extracting(FaultyChannel::forces).containsExactly(2, 2, 1, 1, 1, 1, 1);
    }
  }

  @Test
  void aChannelThatAnInterruptClosedIsOpenedAgain() throws IOException {
    List<FaultyChannel> channels = new ArrayList<>();
    try (BlockStore store =
        SegmentFileStore.open(directory, OPTIONS, faulty(channels, new AtomicLong(1 << 20)))) {
      Batches.read(store, ALL);
      channels.get(2).interruptNext();
      assertThat(Batches.read(store, ALL)).isEqualTo(CONTENT);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(channels).hasSize(8);

      byte[] next = Batches.noise(CAPACITY_BYTES, 3);
      channels.get(4).interruptNext();
      Batches.write(store, ALL, next);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(Batches.read(store, ALL)).isEqualTo(next);
      assertThat(channels).hasSize(9);
    }
  }

  private static SegmentAccess.Factory faulty(List<FaultyChannel> channels, AtomicLong roomBytes) {
    return (directory, descriptor, directIo) -> {
      SegmentAccess real = SegmentAccess.of(directory, descriptor, directIo);
      return new SegmentAccess(
          real.alignmentBytes(),
          file -> {
            FileChannel opened = real.opener().open(file);
            FaultyChannel channel = new FaultyChannel(opened, roomBytes);
            channels.add(channel);
            return channel;
          });
    };
  }
}
