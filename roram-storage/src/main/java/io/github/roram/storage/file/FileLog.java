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
    Path path = DurableFiles.requireNoDirectory(directory.resolve(fileName));
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
      throw DurableFiles.isFull(e) ? DurableFiles.full(path, e) : e;
    }
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
      earlierSyncedLength = syncedLength;
      syncedLength = Math.max(syncedLength, reached);
      room.unmap();
    }
  }

  @Override
  public synchronized InputStream read() throws IOException {
    checkOpen();
    room.cut(length);
    return Channels.newInputStream(Files.newByteChannel(path));
  }

  @Override
  public synchronized void truncate(long bytes) throws IOException {
    checkOpen();
    atEnd = false;
    file.setLength(bytes);
    length = bytes;
    room.forget();
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
}
