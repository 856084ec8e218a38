package io.github.roram.storage.file;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.file.StateDirectory.StatePair;
import io.github.roram.store.StoreDamagedException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The files of a store, and when they are complete. All methods but {@link #exists} and {@link
 * #requireExists} need the store's lock.
 *
 * <pre>
 *  DIR/store.descriptor   written last at creation, deleted last: the store exists while this file does
 *  DIR/store.descriptor-next   written while the store is being made larger, which opening finishes
 *  DIR/segment-000000 …   sparse, at full length from the start, so that a lost tail is noticed
 *  DIR/watermark          how recent the client's records must be, see {@link WatermarkFile}
 *  DIR/lock
 *  DIR/vault/             the client's records, unless they are in a state directory
 *  DIR/state.pair         with a state directory only, see {@link StatePair}
 *  DIR/client-copy/       with a state directory only: a copy of its records, if one is kept
 * </pre>
 */
final class StoreDirectory {

  static final String VAULT = "vault";
  static final String COPY = "client-copy";

  private static final int MAX_SEGMENTS = 1_000_000;

  /** Most stores that an error names. */
  private static final int NEARBY = 5;

  /** Names of files to delete: segments, and descriptors that were not completely written. */
  private static final Pattern PARTS =
      Pattern.compile("segment-[0-9]{6}|store\\.descriptor(-next)?\\.aside");

  private StoreDirectory() {}

  static boolean exists(Path directory) {
    return Files.exists(descriptorFile(directory));
  }

  /**
   * Refuses a directory without a store.
   *
   * @throws NoSuchFileException if there is nothing of one
   * @throws StoreDamagedException if there are segments, and no descriptor
   */
  static void requireExists(Path directory) throws IOException {
    if (exists(directory)) {
      return;
    }
    if (Files.exists(segmentFile(directory, 0))) {
      throw new StoreDamagedException(
          descriptorFile(directory)
              + " is missing, and there are segments of a store: restore it from a copy; where a"
              + " creation was broken off, move the directory away and create the store again");
    }
    throw new NoSuchFileException(
        directory.toString(),
        null,
        "holds no store"
            + (Files.isDirectory(directory) ? "" : ", and does not exist")
            + nearby(directory)
            + "; check the path, or create a store");
  }

  /** Stores in the directories next to one, for whoever mistyped its name. */
  private static String nearby(Path directory) throws IOException {
    Path parent = directory.toAbsolutePath().getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      return "";
    }
    List<String> stores = new ArrayList<>();
    try (DirectoryStream<Path> others = Files.newDirectoryStream(parent)) {
      for (Path other : others) {
        if (exists(other)) {
          stores.add(String.valueOf(other.getFileName()));
        }
      }
    } catch (AccessDeniedException | DirectoryIteratorException e) {
      return "";
    }
    Collections.sort(stores);
    List<String> first = stores.subList(0, Math.min(NEARBY, stores.size()));
    return first.isEmpty() ? "" : "; next to it there are stores in " + String.join(", ", first);
  }

  static Path segmentFile(Path directory, int segment) {
    return directory.resolve(String.format(Locale.ROOT, "segment-%06d", segment));
  }

  static int segments(SegmentStoreDescriptor descriptor) {
    long count = (descriptor.capacityBytes() - 1) / descriptor.segmentBytes() + 1;
    if (count > MAX_SEGMENTS) {
      throw new ConfigurationException(
          "a capacity of "
              + descriptor.capacityBytes()
              + " bytes takes "
              + count
              + " segments of "
              + descriptor.segmentBytes()
              + " bytes, at most "
              + MAX_SEGMENTS
              + " are allowed: make segments larger");
    }
    return (int) count;
  }

  /**
   * The length that a segment's file must have: rounded up to whole granules, so that direct I/O
   * can reach a store's last byte.
   */
  static long segmentFileBytes(SegmentStoreDescriptor descriptor, int segment) {
    long rest = descriptor.capacityBytes() - segment * descriptor.segmentBytes();
    long used = Math.min(rest, descriptor.segmentBytes());
    long granule = FileOptions.SEGMENT_GRANULE_BYTES;
    return (used + granule - 1) / granule * granule;
  }

  /** Creates all files; if it fails, those that were created are deleted. */
  static void create(Path directory, SegmentStoreDescriptor descriptor) throws IOException {
    refuseExisting(directory);
    StatePair.delete(directory);
    List<Path> created = new ArrayList<>();
    try {
      int segments = segments(descriptor);
      for (int i = 0; i < segments; i++) {
        Path file = segmentFile(directory, i);
        Files.createFile(file, OwnerOnly.file(file));
        created.add(file);
        setLength(file, segmentFileBytes(descriptor, i));
      }
      // A pass of its own: the first force commits what the others would have to wait for.
      for (Path file : created) {
        force(file);
      }
      created.add(directory.resolve(WatermarkFile.FILE_NAME));
      WatermarkFile.create(directory);
      DurableFiles.replace(
          directory, SegmentStoreDescriptor.FILE_NAME, out -> out.write(descriptor.encode()));
    } catch (IOException | RuntimeException e) {
      for (Path file : created) {
        Files.deleteIfExists(file);
      }
      if (e instanceof IOException io && DurableFiles.isFull(io)) {
        throw DurableFiles.full(directory, io);
      }
      throw e;
    }
  }

  private static void setLength(Path file, long bytes) throws IOException {
    try (RandomAccessFile opened = DurableFiles.open(file)) {
      opened.setLength(bytes);
    }
  }

  private static void force(Path file) throws IOException {
    try (RandomAccessFile opened = DurableFiles.open(file)) {
      DurableFiles.sync(opened, file);
    }
  }

  /** Makes a store larger; the next opener finishes what is broken off. */
  static void extend(Path directory, SegmentStoreDescriptor descriptor) throws IOException {
    DurableFiles.replace(
        directory, SegmentStoreDescriptor.NEXT_NAME, out -> out.write(descriptor.encode()));
    finishExtending(directory);
  }

  private static void finishExtending(Path directory) throws IOException {
    Path next = directory.resolve(SegmentStoreDescriptor.NEXT_NAME);
    if (!Files.exists(next)) {
      return;
    }
    SegmentStoreDescriptor descriptor = decode(next);
    SegmentStoreDescriptor before = decode(descriptorFile(directory));
    if (descriptor.segmentBytes() != before.segmentBytes()
        || descriptor.capacityBytes() < before.capacityBytes()) {
      throw new StoreDamagedException(
          next + " is of another store, or of an older state of this one: move it away");
    }
    try {
      for (int i = 0; i < segments(descriptor); i++) {
        Path file = DurableFiles.requireFile(segmentFile(directory, i));
        if (!Files.exists(file)) {
          Files.createFile(file, OwnerOnly.file(file));
        }
        // One that failed may have made it longer, also than this one does.
        if (Files.size(file) != segmentFileBytes(descriptor, i)) {
          setLength(file, segmentFileBytes(descriptor, i));
        }
        force(file);
      }
      DurableFiles.replace(
          directory, SegmentStoreDescriptor.FILE_NAME, out -> out.write(descriptor.encode()));
    } catch (IOException e) {
      throw DurableFiles.isFull(e) ? DurableFiles.full(directory, e) : e;
    }
    Files.delete(next);
  }

  private static SegmentStoreDescriptor decode(Path file) throws IOException {
    return SegmentStoreDescriptor.decode(DurableFiles.readShort(file), file);
  }

  /** Reads the descriptor and checks that every segment is there at full length. */
  static SegmentStoreDescriptor check(Path directory) throws IOException {
    finishExtending(directory);
    SegmentStoreDescriptor descriptor = decode(descriptorFile(directory));
    int segments = segments(descriptor);
    for (int i = 0; i < segments; i++) {
      Path segment = DurableFiles.requireFile(segmentFile(directory, i));
      long expected = segmentFileBytes(descriptor, i);
      long actual;
      try {
        actual = Files.size(segment);
      } catch (NoSuchFileException e) {
        throw new StoreDamagedException(
            segment + " is missing, a segment of " + expected + " bytes: restore it from a copy",
            e);
      }
      if (actual != expected) {
        throw new StoreDamagedException(
            segment
                + (actual < expected ? " is truncated: " : " is too long: ")
                + expected
                + " bytes expected, "
                + actual
                + " found; restore it from a copy");
      }
    }
    return descriptor;
  }

  /**
   * Deletes all files of the store but the lock, as far as they are there, the descriptor last.
   * Foreign files stay.
   */
  static void delete(Path directory) throws IOException {
    FileVault.delete(directory.resolve(VAULT));
    FileVault.delete(directory.resolve(COPY));
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(
            directory, file -> PARTS.matcher(file.getFileName().toString()).matches())) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    StatePair.delete(directory);
    WatermarkFile.delete(directory);
    Files.deleteIfExists(directory.resolve(SegmentStoreDescriptor.NEXT_NAME));
    Files.deleteIfExists(descriptorFile(directory));
  }

  static void deleteIfEmpty(Path directory) throws IOException {
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      // someone else's files are in it: it stays
    }
  }

  private static Path descriptorFile(Path directory) {
    return directory.resolve(SegmentStoreDescriptor.FILE_NAME);
  }

  /** Segments without a descriptor may be all that is left of a store: never write over them. */
  private static void refuseExisting(Path directory) throws IOException {
    if (exists(directory)) {
      throw new FileAlreadyExistsException(
          directory.toString(), null, "holds a store already: open it, or delete it first");
    }
    Path first = segmentFile(directory, 0);
    if (Files.exists(first)) {
      throw new FileAlreadyExistsException(
          first.toString(),
          null,
          "is there without "
              + SegmentStoreDescriptor.FILE_NAME
              + ", left by a creation that was broken off or by a store that lost it: move it away");
    }
  }
}
