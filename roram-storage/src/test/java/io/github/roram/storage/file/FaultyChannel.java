package io.github.roram.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A channel of a troubled volume: transfers go in short steps, writes fail as on Linux when its
 * room is used up, forces and interrupts happen on demand. Only what stores use is supported.
 */
final class FaultyChannel extends FileChannel {

  private static final int STEP_BYTES = 5000;

  private final FileChannel delegate;
  private final AtomicLong roomBytes;
  private final int stepBytes;
  private boolean failForce;
  private boolean interruptNext;
  private int forces;
  private ReadHook beforeReads = position -> {};
  private Runnable afterReads = () -> {};
  private WriteHook beforeWrites = (position, bytes) -> {};

  /** What happens before a read; may fail it. */
  @FunctionalInterface
  interface ReadHook {
    void run(long position) throws IOException;
  }

  /** What happens before a write; may fail it. */
  @FunctionalInterface
  interface WriteHook {
    void run(long position, int bytes) throws IOException;
  }

  /** The room is that of the volume, shared by its channels. */
  FaultyChannel(FileChannel delegate, AtomicLong roomBytes) {
    this(delegate, roomBytes, STEP_BYTES);
  }

  /** As above, with steps of at most {@code stepBytes} bytes. */
  FaultyChannel(FileChannel delegate, AtomicLong roomBytes, int stepBytes) {
    this.stepBytes = stepBytes;
    this.delegate = delegate;
    this.roomBytes = roomBytes;
  }

  /** The next transfer finds its thread interrupted after it began. */
  void interruptNext() {
    interruptNext = true;
  }

  void failForce() {
    failForce = true;
  }

  void beforeReads(ReadHook hook) {
    beforeReads = hook;
  }

  void beforeWrites(WriteHook hook) {
    beforeWrites = hook;
  }

  /** Run even if the read or what comes before it fails. */
  void afterReads(Runnable hook) {
    afterReads = hook;
  }

  int forces() {
    return forces;
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    try {
      beforeReads.run(position);
      return transfer(target, stepBytes, () -> delegate.read(target, position));
    } finally {
      afterReads.run();
    }
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    beforeWrites.run(position, source.remaining());
    int room = (int) Math.min(stepBytes, roomBytes.get());
    if (room == 0) {
      throw new IOException("No space left on device");
    }
    int written = transfer(source, room, () -> delegate.write(source, position));
    roomBytes.addAndGet(-written);
    return written;
  }

  /** Transfers between a file and a buffer whose limit is set. */
  @FunctionalInterface
  private interface Transfer {
    int run() throws IOException;
  }

  private int transfer(ByteBuffer buffer, int mostBytes, Transfer transfer) throws IOException {
    interruptIfAsked();
    int limit = buffer.limit();
    buffer.limit(buffer.position() + Math.min(mostBytes, buffer.remaining()));
    try {
      return transfer.run();
    } catch (ClosedByInterruptException e) {
      close();
      throw e;
    } finally {
      buffer.limit(limit);
    }
  }

  @Override
  public void force(boolean metadata) throws IOException {
    if (failForce) {
      failForce = false;
      throw new IOException("injected: force");
    }
    forces++;
    try {
      delegate.force(metadata);
    } catch (ClosedByInterruptException e) {
      close();
      throw e;
    }
  }

  private void interruptIfAsked() {
    if (interruptNext) {
      interruptNext = false;
      Thread.currentThread().interrupt();
    }
  }

  @Override
  protected void implCloseChannel() throws IOException {
    delegate.close();
  }

  @Override
  public int read(ByteBuffer target) {
    throw unsupported();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    throw unsupported();
  }

  @Override
  public int write(ByteBuffer source) {
    throw unsupported();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw unsupported();
  }

  @Override
  public long position() {
    throw unsupported();
  }

  @Override
  public FileChannel position(long newPosition) {
    throw unsupported();
  }

  @Override
  public long size() {
    throw unsupported();
  }

  @Override
  public FileChannel truncate(long size) {
    throw unsupported();
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    throw unsupported();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw unsupported();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw unsupported();
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) {
    throw unsupported();
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) {
    throw unsupported();
  }

  private static UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException("stores do not use it");
  }
}
