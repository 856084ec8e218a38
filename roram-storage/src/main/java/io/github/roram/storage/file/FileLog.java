package io.github.roram.storage.file;

import io.github.roram.store.AppendLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An {@link AppendLog} in a file, readable by its owner only. Written through a {@link
 * RandomAccessFile}, which an interrupt of the calling thread does not close.
 */
final class FileLog implements AppendLog {

  private static final int PIECE_BYTES = 1 << 16;

  private final Path path;
  private final RandomAccessFile file;
  private final byte[] piece = new byte[PIECE_BYTES];
  private long length;

  /** Whether the file's position is its length, as each append leaves it. */
  private boolean atEnd;

  private boolean closed;

  private FileLog(Path path, RandomAccessFile file) throws IOException {
    this.path = path;
    this.file = file;
    this.length = file.length();
  }

  /** Opens the log, or creates it durably. */
  static FileLog open(Path directory, String fileName) throws IOException {
    Path path = directory.resolve(fileName);
    if (!Files.exists(path)) {
      DurableFiles.replace(directory, fileName, out -> {});
    }
    return new FileLog(path, new RandomAccessFile(path.toFile(), "rw"));
  }

  @Override
  public synchronized long bytes() throws IOException {
    checkOpen();
    return file.length();
  }

  @Override
  public synchronized void append(ByteBuffer bytes) throws IOException {
    checkOpen();
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
      throw DurableFiles.isFull(e) ? DurableFiles.full(path, e) : e;
    }
  }

  /** Not under the log's lock: others may append meanwhile. */
  @Override
  public void sync() throws IOException {
    synchronized (this) {
      checkOpen();
    }
    file.getFD().sync();
  }

  @Override
  public InputStream read() throws IOException {
    checkOpen();
    return Channels.newInputStream(Files.newByteChannel(path));
  }

  @Override
  public synchronized void truncate(long bytes) throws IOException {
    checkOpen();
    atEnd = false;
    file.setLength(bytes);
    length = bytes;
    file.getFD().sync();
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    file.close();
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
