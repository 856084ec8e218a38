package example.store;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/** Keeps its bytes in one file, from an offset on. Thread safety: safe, one call at a time. */
final class PlainStore implements BlockStore {

  private final RandomAccessFile file;
  private final long start;
  private final long capacityBytes;
  private boolean closed;

  PlainStore(RandomAccessFile file, long start) throws IOException {
    this.file = file;
    this.start = start;
    capacityBytes = file.length() - start;
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public synchronized void read(ExtentBatch batch, UnitSink sink) throws IOException {
    checkOpen();
    batch.checkWithin(capacityBytes);
    for (int extent = 0; extent < batch.extents(); extent++) {
      byte[] bytes = new byte[Math.toIntExact(batch.bytes(extent))];
      file.seek(start + batch.offset(extent));
      file.readFully(bytes);
      sink.accept(batch.firstUnit(extent), ByteBuffer.wrap(bytes));
    }
  }

  @Override
  public synchronized void write(ExtentBatch batch, UnitSource source) throws IOException {
    checkOpen();
    batch.checkWithin(capacityBytes);
    for (int extent = 0; extent < batch.extents(); extent++) {
      byte[] bytes = new byte[Math.toIntExact(batch.bytes(extent))];
      source.fill(batch.firstUnit(extent), ByteBuffer.wrap(bytes));
      file.seek(start + batch.offset(extent));
      file.write(bytes);
    }
  }

  @Override
  public synchronized void sync() throws IOException {
    checkOpen();
    file.getFD().sync();
  }

  private void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    file.close();
  }
}
