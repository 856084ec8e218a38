package io.github.roram.storage.file;

import io.github.roram.store.AppendLog;
import io.github.roram.store.OnFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An {@link AppendLog} in a file, readable by its owner only. Written through a {@link
 * RandomAccessFile}, which an interrupt of the calling thread does not close.
 *
 * <p>It has {@link LogRoom} where that pays. Closing cuts the room off; a crash leaves it, so what
 * reads the log finds zeros after its end.
 */
final class FileLog implements AppendLog {

  private static final int PIECE_BYTES = 1 << 16;

  /** No sync so far. */
  private static final long NEVER = -LogRoom.BYTES;

  private final Path path;
  private final RandomAccessFile file;

  /**
   * The same file, for {@link #sync}; closed for good when the thread that syncs is interrupted.
   */
  private final FileChannel synced;

  private final LogRoom room;
  private final byte[] piece = new byte[PIECE_BYTES];
  private long length;

  /** Length at the last sync. */
  private long syncedLength = NEVER;

  /** Length at the one before. */
  private long earlierSyncedLength = NEVER;

  /** Whether the file's position is its length, as each append leaves it. */
  private boolean atEnd;

  private boolean closed;

  private FileLog(Path path, RandomAccessFile file, FileChannel synced) throws IOException {
    this.path = path;
    this.file = file;
    this.synced = synced;
    this.room = new LogRoom(path, file);
    this.length = file.length();
  }

  /** Opens the log, or creates it durably. */
  static FileLog open(Path directory, String fileName) throws IOException {
    Path path = DurableFiles.requireFile(directory.resolve(fileName));
    if (!Files.exists(path)) {
      DurableFiles.replace(directory, fileName, out -> {});
    }
    return in(path, DurableFiles.open(path));
  }

  /** Opens a log in a file that is already open. */
  static FileLog in(Path path, RandomAccessFile file) throws IOException {
    return OnFailure.close(
        file,
        () ->
            new FileLog(
                path,
                file,
                FileChannel.open(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)));
  }

  @Override
  public synchronized long bytes() throws IOException {
    checkOpen();
    return length;
  }

  @Override
  public synchronized void append(ByteBuffer bytes) throws IOException {
    checkOpen();
    int all = bytes.remaining();
    atEnd &= !room.make(length, all, length + all - earlierSyncedLength);
    if (room.put(length, bytes)) {
      length += all;
      atEnd = false;
      return;
    }
    boolean found = atEnd;
    atEnd = false;
    try {
      if (!found) {
        file.seek(length);
      }
      while (bytes.hasRemaining()) {
        int count = Math.min(bytes.remaining(), PIECE_BYTES);
        bytes.get(piece, 0, count);
        file.write(piece, 0, count);
        length += count;
      }
      atEnd = true;
    } catch (IOException e) {
      // A part of the piece may be there.
      length = Math.max(length, file.getFilePointer());
      throw DurableFiles.failed("writing", path, e);
    }
  }

  /** Does not hold the log's lock, so that other threads can append. */
  @Override
  public void sync() throws IOException {
    long reached;
    synchronized (this) {
      checkOpen();
      reached = length;
    }
    try {
      synced.force(false);
    } catch (ClosedChannelException e) {
      DurableFiles.sync(file, path);
    } catch (IOException e) {
      throw DurableFiles.failed("syncing", path, e);
    }
    synchronized (this) {
      earlierSyncedLength = syncedLength;
      syncedLength = Math.max(syncedLength, reached);
      room.unmap();
    }
  }

  @Override
  public synchronized InputStream read() throws IOException {
    checkOpen();
    room.cut(length);
    return Channels.newInputStream(Files.newByteChannel(path, LinkOption.NOFOLLOW_LINKS));
  }

  @Override
  public synchronized void truncate(long bytes) throws IOException {
    checkOpen();
    atEnd = false;
    file.setLength(bytes);
    length = bytes;
    room.forget();
    DurableFiles.sync(file, path);
  }

  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (file;
        synced) {
      room.cut(length);
    }
  }

  private synchronized void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public String toString() {
    return "log " + path;
  }

  /**
   * Space reserved at the end of a log's file: zeros, which appends replace.
   *
   * <p>A log that is often synced has it so that a sync writes the data alone; if each append made
   * the file longer, the file system would have to make its own records durable, too.
   *
   * <p>A log of short records that is seldom or never synced has it mapped into memory, so that an
   * append is a copy without a system call. The system has the data even if the process dies. This
   * is only done on Linux, where syncing the file makes writes to its mapping durable, and not if
   * syncs are frequent, because each sync makes the next copy fault. The garbage collector ends a
   * mapping; until then a deleted log occupies its space on the volume.
   *
   * <p>Not thread safe.
   */
  static final class LogRoom {

    /** Room that is made at a time. */
    static final int BYTES = 1 << 18;

    /** A log is synced often if no more than this was appended since the last sync but one. */
    private static final int OFTEN_BYTES = BYTES / 2;

    /** What a short record has at most. */
    private static final int SHORT_BYTES = BYTES / 256;

    private static final boolean SYNC_TAKES_MAPPED =
        System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");

    /** What room consists of; never written to. */
    private static final byte[] ZEROS = new byte[BYTES];

    private final Path path;
    private final RandomAccessFile file;

    /** Where the room began that was made last. */
    private long start;

    /** The file's length, where room was made; 0 where there is none. */
    private long end;

    /** The room, where it is mapped. */
    private @Nullable ByteBuffer mapped;

    /** Creates the object for a file without reserved space. */
    LogRoom(Path path, RandomAccessFile file) {
      this.path = path;
      this.file = file;
    }

    /**
     * Makes room for bytes that are to be appended, and for more, if that pays. None for what a log
     * begins with: a crash would leave a log that begins with zeros.
     *
     * @param unsynced bytes from the last sync but one to the end of those
     * @return whether the file's position was changed
     */
    boolean make(long length, int bytes, long unsynced) {
      if (length + bytes <= end) {
        return false;
      }
      mapped = null;
      boolean syncedOften = unsynced <= OFTEN_BYTES;
      boolean mappable = SYNC_TAKES_MAPPED && bytes <= SHORT_BYTES && !syncedOften;
      if (length == 0 || !(mappable || syncedOften)) {
        return false;
      }
      try {
        file.seek(length);
        file.write(ZEROS);
      } catch (IOException e) {
        // On a full volume. What is to be appended may still have room.
        end = 0;
        return true;
      }
      start = length;
      end = length + BYTES;
      mapped = mappable ? map() : null;
      return true;
    }

    private @Nullable ByteBuffer map() {
      try (FileChannel channel =
          FileChannel.open(
              path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
        return channel.map(FileChannel.MapMode.READ_WRITE, start, BYTES);
      } catch (IOException e) {
        // Without a mapping appends are calls of the system.
        return null;
      }
    }

    /**
     * Puts bytes at the log's end; false, with nothing done, if the room there is not mapped.
     *
     * @throws IOException if the volume failed; the room is not mapped any more
     */
    boolean put(long length, ByteBuffer bytes) throws IOException {
      if (mapped == null || length + bytes.remaining() > end) {
        return false;
      }
      try {
        mapped.position((int) (length - start)).put(bytes);
        return true;
      } catch (InternalError e) {
        mapped = null;
        throw new IOException("writing to " + path + " failed; the volume may be full", e);
      }
    }

    /** Releases the mapping, because the log was synced. */
    void unmap() {
      mapped = null;
    }

    /** Cuts off the reserved space that is left. */
    void cut(long length) throws IOException {
      boolean any = end > length;
      forget();
      if (any) {
        file.setLength(length);
      }
    }

    /** Forgets the reserved space, which was cut off otherwise. */
    void forget() {
      end = 0;
      mapped = null;
    }
  }
}
