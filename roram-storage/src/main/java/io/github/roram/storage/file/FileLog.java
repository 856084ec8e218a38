package io.github.roram.storage.file;

import io.github.roram.store.AppendLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * An {@link AppendLog} in a file, readable by its owner only. Written through a {@link
 * RandomAccessFile}, which an interrupt of the calling thread does not close.
 *
 * <p>A log that is synced often has room made ahead: zeros, which appends replace. To make durable
 * what is in a file's room takes a write of the disk; where the file grows with each append, the
 * file system has to make its own records durable as well. Closing cuts the room off; a crash
 * leaves it, so what reads the log finds zeros after its end.
 */
final class FileLog implements AppendLog {

  private static final int PIECE_BYTES = 1 << 16;

  /** Room that is made at a time. */
  static final int ROOM_BYTES = 1 << 18;

  /** Room is made if no more than this is appended from one sync to the next. */
  private static final int MOST_UNSYNCED_BYTES = ROOM_BYTES / 4;

  /** No sync so far. */
  private static final long NEVER = -ROOM_BYTES;

  /** What room consists of; never written to. */
  private static final byte[] ZEROS = new byte[ROOM_BYTES];

  private final Path path;
  private final RandomAccessFile file;

  /**
   * The same file, for {@link #sync}; closed for good when the thread that syncs is interrupted.
   */
  private final FileChannel synced;

  private final byte[] piece = new byte[PIECE_BYTES];
  private long length;

  /** The file's length, where room was made. */
  private long roomEnd;

  /** Length at the last sync. */
  private long syncedLength = NEVER;

  /** Whether the file's position is its length, as each append leaves it. */
  private boolean atEnd;

  private boolean closed;

  private FileLog(Path path, RandomAccessFile file, FileChannel synced) throws IOException {
    this.path = path;
    this.file = file;
    this.synced = synced;
    this.length = file.length();
  }

  /** Opens the log, or creates it durably. */
  static FileLog open(Path directory, String fileName) throws IOException {
    Path path = directory.resolve(fileName);
    if (!Files.exists(path)) {
      DurableFiles.replace(directory, fileName, out -> {});
    }
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    try {
      return new FileLog(path, file, FileChannel.open(path, StandardOpenOption.WRITE));
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  @Override
  public synchronized long bytes() throws IOException {
    checkOpen();
    return length;
  }

  @Override
  public synchronized void append(ByteBuffer bytes) throws IOException {
    checkOpen();
    makeRoom(bytes.remaining());
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
      throw DurableFiles.isFull(e) ? DurableFiles.full(path, e) : e;
    }
  }

  /** Makes room for bytes that are to be appended, and for more, if that pays. */
  private void makeRoom(int bytes) {
    long end = length + bytes;
    if (end <= roomEnd || end > syncedLength + MOST_UNSYNCED_BYTES) {
      return;
    }
    atEnd = false;
    try {
      file.seek(length);
      file.write(ZEROS);
      roomEnd = length + ROOM_BYTES;
    } catch (IOException e) {
      // On a full volume. What is to be appended may still have room.
      roomEnd = 0;
    }
  }

  private void cutRoom() throws IOException {
    if (roomEnd > length) {
      file.setLength(length);
    }
    roomEnd = 0;
  }

  /** Not under the log's lock: others may append meanwhile. */
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
      file.getFD().sync();
    }
    synchronized (this) {
      syncedLength = Math.max(syncedLength, reached);
    }
  }

  @Override
  public synchronized InputStream read() throws IOException {
    checkOpen();
    cutRoom();
    return Channels.newInputStream(Files.newByteChannel(path));
  }

  @Override
  public synchronized void truncate(long bytes) throws IOException {
    checkOpen();
    atEnd = false;
    file.setLength(bytes);
    length = bytes;
    roomEnd = 0;
    file.getFD().sync();
  }

  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (file;
        synced) {
      cutRoom();
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
}
