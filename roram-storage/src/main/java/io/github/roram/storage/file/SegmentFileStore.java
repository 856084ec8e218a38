package io.github.roram.storage.file;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.file.Alignment.BufferPool;
import io.github.roram.storage.file.SegmentChannels.SegmentAccess;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.OnFailure;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreFullException;
import io.github.roram.store.StoreLockedException;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.threads.IoTask;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store in sparse files of equal length, its segments (rORAM §VII-A). Creating one writes no
 * data, so that capacity takes room on the medium only where it was written. Units may straddle
 * segments.
 *
 * <p>Extents are transferred in pieces of about 1 MiB through off-heap buffers that are reused;
 * nothing block-sized is allocated in steady state. Reads that wait for the medium are made several
 * at a time ({@link FileOptions#readDepth}, {@link ReadAhead}); writes are made one after another.
 * With {@linkplain FileOptions#directIo direct I/O} the page cache is bypassed: as extents do not
 * start and end at the medium's block borders, reads fetch the blocks around them and writes merge
 * the blocks at their edges, which are read first ({@link DirectWrites}).
 *
 * <p>Each segment that is touched holds a file descriptor of the process until the store is closed.
 *
 * <p>Thread safety: safe. Calls run at the same time. Interrupts break no call; the thread's flag
 * is kept.
 */
public final class SegmentFileStore implements BlockStore {

  private final Path directory;
  private final long segmentBytes;
  private volatile long capacityBytes;
  private final Alignment alignment;
  private final StoreLock lock;
  private final SegmentChannels channels;
  private final SegmentFiles files;
  private final BufferPool buffers;
  private final WatermarkFile watermark;

  /** Null if pieces are read one after another. */
  private final @Nullable ReadAhead readAhead;

  /** Null if every byte can be written alone. */
  private final @Nullable DirectWrites directWrites;

  private SegmentFileStore(
      Path directory,
      SegmentStoreDescriptor descriptor,
      StoreLock lock,
      SegmentAccess access,
      int readDepth) {
    this.directory = directory;
    this.lock = lock;
    capacityBytes = descriptor.capacityBytes();
    alignment = new Alignment(access.alignmentBytes());
    int segments = StoreDirectory.segments(descriptor);
    channels = new SegmentChannels(directory, segments, access.opener());
    segmentBytes = descriptor.segmentBytes();
    files = new SegmentFiles(channels, segmentBytes);
    buffers = new BufferPool(alignment);
    watermark = new WatermarkFile(directory);
    readAhead = readDepth > 1 ? new ReadAhead(files, alignment, readDepth) : null;
    directWrites = alignment.isNone() ? null : new DirectWrites(files, alignment, buffers);
  }

  /**
   * Creates a store, with its directory if need be.
   *
   * @param directory may hold foreign files, which are left alone, but no store
   * @param capacityBytes size of the address space, at least 1
   * @throws ConfigurationException if the capacity is not positive or takes too many segments, or
   *     if the directory's file system cannot do direct I/O and that is asked for
   * @throws FileAlreadyExistsException if there is a store, or segments left of one
   * @throws StoreLockedException if a store is being created there
   */
  public static SegmentFileStore create(Path directory, long capacityBytes, FileOptions options)
      throws IOException {
    if (capacityBytes <= 0) {
      throw new ConfigurationException(
          "capacity of a store in files is " + capacityBytes + " bytes, must be positive");
    }
    SegmentStoreDescriptor descriptor =
        new SegmentStoreDescriptor(options.segmentBytes(), capacityBytes);
    StoreDirectory.segments(descriptor);
    boolean createdDirectory = !Files.exists(directory);
    DurableFiles.createPrivateDirectory(directory);
    StoreLock lock = StoreLock.acquire(directory);
    try {
      SegmentAccess access = SegmentAccess.of(directory, descriptor, options.directIo());
      StoreDirectory.create(directory, descriptor);
      return new SegmentFileStore(directory, descriptor, lock, access, options.readDepth());
    } catch (IOException | RuntimeException e) {
      if (createdDirectory) {
        lock.delete();
        StoreDirectory.deleteIfEmpty(directory);
      } else {
        lock.close();
      }
      throw e;
    }
  }

  /**
   * Opens a store with the segment length that it was created with.
   *
   * @throws NoSuchFileException if there is none
   * @throws StoreLockedException if it is open, here or in another process
   * @throws StoreDamagedException if its descriptor is corrupt, or a segment is missing or of the
   *     wrong length
   * @throws StoreVersionException if it was created by a version of roram too old or too new
   * @throws ConfigurationException if direct I/O is asked for and not possible
   */
  public static SegmentFileStore open(Path directory, FileOptions options) throws IOException {
    return open(directory, options, SegmentAccess::of);
  }

  /**
   * Opens a store as {@link #open(Path, FileOptions)} does, with another way to access the
   * segments.
   */
  static SegmentFileStore open(
      Path directory, FileOptions options, SegmentAccess.Factory accessFactory) throws IOException {
    StoreDirectory.requireExists(directory);
    StoreLock lock = StoreLock.acquire(directory);
    return OnFailure.close(
        lock,
        () -> {
          SegmentStoreDescriptor descriptor = StoreDirectory.check(directory);
          OwnerOnly.takeContent(directory);
          SegmentAccess access = accessFactory.create(directory, descriptor, options.directIo());
          SegmentFileStore store =
              new SegmentFileStore(directory, descriptor, lock, access, options.readDepth());
          store.files.inherit();
          return store;
        });
  }

  /** Returns whether a store exists, of any version and in any state. */
  public static boolean exists(Path directory) {
    return StoreDirectory.exists(directory);
  }

  /**
   * Deletes a store and its vault; then the directory, unless there are foreign files in it. If it
   * is broken off it can be repeated.
   *
   * @throws NoSuchFileException if there is none
   * @throws StoreLockedException if it is open; nothing was deleted
   */
  public static void delete(Path directory) throws IOException {
    delete(directory, () -> {});
  }

  /**
   * Deletes a store as {@link #delete(Path)} does, after a task, run under the lock, that may
   * refuse the deletion.
   */
  static void delete(Path directory, IoTask before) throws IOException {
    StoreDirectory.requireExists(directory);
    deleteFiles(directory, before);
  }

  /**
   * Deletes what there is of a store whose creation or deletion was broken off. Its directory must
   * have been the caller's alone: segments without a descriptor may also be of a store that lost
   * it.
   *
   * @throws StoreLockedException if it is open, or being created; nothing was deleted
   */
  public static void deleteUnfinished(Path directory) throws IOException {
    deleteFiles(directory, () -> {});
  }

  private static void deleteFiles(Path directory, IoTask before) throws IOException {
    try (StoreLock lock = StoreLock.acquire(directory)) {
      before.run();
      StoreDirectory.delete(directory);
      lock.delete();
    }
    StoreDirectory.deleteIfEmpty(directory);
  }

  /**
   * Opens the vault next to the segments. The store's lock guards it: use it while this is open.
   */
  public FileVault openVault() throws IOException {
    files.checkOpen();
    return FileVault.open(directory.resolve(StoreDirectory.VAULT));
  }

  /** This with its {@linkplain #openVault vault}; closed if that cannot be opened. */
  public OpenedStore withVault() throws IOException {
    return new OpenedStore(this, OnFailure.close(this, this::openVault));
  }

  @Override
  public boolean isBeside(Path place) {
    return DurableFiles.isWithin(place, directory);
  }

  /**
   * {@inheritDoc}
   *
   * @throws ConfigurationException if that takes too many segments
   */
  @Override
  public boolean extend(long newBytes) throws IOException {
    files.checkOpen();
    SegmentStoreDescriptor longer = new SegmentStoreDescriptor(segmentBytes, newBytes);
    int segments = StoreDirectory.segments(longer);
    StoreDirectory.extend(directory, longer);
    channels.extend(segments);
    capacityBytes = newBytes;
    return true;
  }

  @Override
  public boolean showsReads() {
    return false;
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    files.checkOpen();
    batch.checkWithin(capacityBytes);
    if (readAhead == null || !readAhead.tryRead(batch, sink)) {
      readInTurn(batch, sink);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws StoreFullException if the volume has no room left
   */
  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    files.checkOpen();
    batch.checkWithin(capacityBytes);
    if (directWrites != null) {
      directWrites.write(batch, source);
      return;
    }
    Pieces pieces = new Pieces(batch);
    ByteBuffer buffer = buffers.take(bufferBytes(batch));
    try {
      while (pieces.next()) {
        source.fill(pieces.firstUnit(), buffer.clear().limit(pieces.bytes()));
        files.write(buffer.clear().limit(pieces.bytes()), pieces.offset());
      }
    } finally {
      buffers.give(buffer);
    }
  }

  @Override
  public void sync() throws IOException {
    files.sync();
  }

  @Override
  public void keepWatermark(byte[] newest, boolean durably) throws IOException {
    files.checkOpen();
    watermark.keep(newest, durably);
  }

  @Override
  public List<byte[]> watermarks() throws IOException {
    files.checkOpen();
    return watermark.all();
  }

  @Override
  public void close() throws IOException {
    try {
      watermark.close();
    } finally {
      closeFiles();
    }
  }

  private void closeFiles() throws IOException {
    try {
      files.close();
    } finally {
      if (readAhead != null) {
        readAhead.close();
      }
      if (directWrites != null) {
        directWrites.close();
      }
      buffers.clear();
      lock.close();
    }
  }

  @Override
  public String toString() {
    return "segment file store of " + capacityBytes + " bytes in " + directory;
  }

  private void readInTurn(ExtentBatch batch, UnitSink sink) throws IOException {
    Pieces pieces = new Pieces(batch);
    ByteBuffer buffer = buffers.take(bufferBytes(batch));
    try {
      while (pieces.next()) {
        alignment.read(files, buffer, pieces.offset(), pieces.bytes());
        sink.accept(pieces.firstUnit(), buffer);
      }
    } finally {
      buffers.give(buffer);
    }
  }

  /** Returns the room for a piece and the rest of the medium's blocks at both ends. */
  private int bufferBytes(ExtentBatch batch) {
    return alignment.room(Pieces.mostBytes(batch));
  }
}
