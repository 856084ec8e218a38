package io.github.roram.storage.memory;

import com.carrotsearch.hppc.LongObjectHashMap;
import io.github.roram.ConfigurationException;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.StoreFullException;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory outside of the Java heap, gone when the process ends.
 *
 * <p>The address space is cut into pages of 4 MiB that are allocated when first written, so
 * capacity that is never written costs nothing. Pieces given to sinks and sources are windows on
 * the pages themselves; only a unit that straddles two pages is copied. Sinks get them read-only.
 * Steady state allocates nothing.
 *
 * <p>The JVM limits such memory, by default to the size of the largest heap; {@code
 * -XX:MaxDirectMemorySize} changes that. It is returned some time after {@link #close}, when the
 * garbage collector meets the store's pages.
 *
 * <p>Thread safety: safe; calls run one after another. A sink or source may call its own store.
 */
public final class MemoryStore implements BlockStore {

  private static final int PAGE_BYTES = 4 << 20;

  private final long capacityBytes;
  private final IntFunction<ByteBuffer> allocator;
  private final LongObjectHashMap<Page> pages = new LongObjectHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** Holds the one unit that straddles pages; grows to the largest unit met. */
  private @Nullable Page scratch;

  private boolean closed;

  /**
   * Creates an empty store.
   *
   * @param capacityBytes size of the address space, at least 1
   * @throws ConfigurationException if the capacity is not positive
   */
  public MemoryStore(long capacityBytes) {
    this(capacityBytes, ByteBuffer::allocateDirect);
  }

  /** As above, with another source of memory. */
  MemoryStore(long capacityBytes, IntFunction<ByteBuffer> allocator) {
    if (capacityBytes <= 0) {
      throw new ConfigurationException(
          "capacity of a store in memory is " + capacityBytes + " bytes, must be positive");
    }
    this.capacityBytes = capacityBytes;
    this.allocator = allocator;
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  /** Bytes of memory that the pages written so far take. */
  public long allocatedBytes() {
    lock.lock();
    try {
      long bytes = 0;
      for (var page : pages.values()) {
        bytes += page.value.bytes();
      }
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    lock.lock();
    try {
      checkOpen();
      batch.checkWithin(capacityBytes);
      for (int extent = 0; extent < batch.extents(); extent++) {
        readExtent(batch, extent, sink);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    lock.lock();
    try {
      checkOpen();
      batch.checkWithin(capacityBytes);
      for (int extent = 0; extent < batch.extents(); extent++) {
        writeExtent(batch, extent, source);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Does nothing, since no medium is more durable than this memory. */
  @Override
  public void sync() throws IOException {
    lock.lock();
    try {
      checkOpen();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      pages.clear();
      scratch = null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "memory store of " + capacityBytes + " bytes";
  }

  private void readExtent(ExtentBatch batch, int extent, UnitSink sink) throws IOException {
    int unitBytes = batch.unitBytes();
    int unit = batch.firstUnit(extent);
    int endUnit = unit + batch.units(extent);
    long offset = batch.offset(extent);
    while (unit < endUnit) {
      Page page = pages.get(offset / PAGE_BYTES);
      int inPage = (int) (offset % PAGE_BYTES);
      int windowBytes = PAGE_BYTES - inPage;
      if (page == null) {
        windowBytes = Math.min(windowBytes, Page.MAX_ZEROS_BYTES);
      }
      int units = Math.min(endUnit - unit, windowBytes / unitBytes);
      if (units == 0) {
        units = 1;
        Page copy = scratchOf(unitBytes);
        copyOut(offset, copy.toWrite(0, unitBytes, false));
        sink.accept(unit, copy.toRead(0, unitBytes, false));
      } else if (page == null) {
        sink.accept(unit, Page.zeros(units * unitBytes));
      } else {
        sink.accept(unit, page.toRead(inPage, units * unitBytes, isNested()));
      }
      unit += units;
      offset += (long) units * unitBytes;
    }
  }

  private void writeExtent(ExtentBatch batch, int extent, UnitSource source) throws IOException {
    int unitBytes = batch.unitBytes();
    int unit = batch.firstUnit(extent);
    int endUnit = unit + batch.units(extent);
    long offset = batch.offset(extent);
    while (unit < endUnit) {
      int inPage = (int) (offset % PAGE_BYTES);
      int units = Math.min(endUnit - unit, (PAGE_BYTES - inPage) / unitBytes);
      if (units == 0) {
        units = 1;
        Page copy = scratchOf(unitBytes);
        source.fill(unit, copy.toWrite(0, unitBytes, false));
        copyIn(copy.toRead(0, unitBytes, false), offset);
      } else {
        Page page = writablePage(offset / PAGE_BYTES);
        source.fill(unit, page.toWrite(inPage, units * unitBytes, isNested()));
      }
      unit += units;
      offset += (long) units * unitBytes;
    }
  }

  /** Copies the stored bytes from {@code from} on until {@code target} is full. */
  private void copyOut(long from, ByteBuffer target) {
    long offset = from;
    while (target.hasRemaining()) {
      int inPage = (int) (offset % PAGE_BYTES);
      int bytes = Math.min(target.remaining(), PAGE_BYTES - inPage);
      Page page = pages.get(offset / PAGE_BYTES);
      if (page == null) {
        bytes = Math.min(bytes, Page.MAX_ZEROS_BYTES);
        target.put(Page.zeros(bytes));
      } else {
        page.copyOut(inPage, target, bytes);
      }
      offset += bytes;
    }
  }

  private void copyIn(ByteBuffer source, long to) throws IOException {
    long offset = to;
    while (source.hasRemaining()) {
      int inPage = (int) (offset % PAGE_BYTES);
      int bytes = Math.min(source.remaining(), PAGE_BYTES - inPage);
      writablePage(offset / PAGE_BYTES).copyIn(source, bytes, inPage);
      offset += bytes;
    }
  }

  private Page writablePage(long number) throws IOException {
    Page page = pages.get(number);
    if (page == null) {
      page = allocate((int) Math.min(PAGE_BYTES, capacityBytes - number * PAGE_BYTES));
      pages.put(number, page);
    }
    return page;
  }

  /** Where a unit that straddles pages is put together. */
  private Page scratchOf(int unitBytes) throws IOException {
    if (isNested()) {
      return allocate(unitBytes);
    }
    Page reused = scratch;
    if (reused == null || reused.bytes() < unitBytes) {
      reused = allocate(unitBytes);
      scratch = reused;
    }
    return reused;
  }

  private Page allocate(int bytes) throws StoreFullException {
    try {
      return new Page(allocator.apply(bytes));
    } catch (OutOfMemoryError e) {
      throw new StoreFullException(
          "no room for "
              + bytes
              + " more bytes of off-heap memory beside the "
              + allocatedBytes()
              + " of this store: raise the JVM's limit with -XX:MaxDirectMemorySize=<bytes>,"
              + " or use a store in files",
          e);
    }
  }

  /** Whether a sink or source called this store, so that the views in use must stay as they are. */
  private boolean isNested() {
    return lock.getHoldCount() > 1;
  }

  private void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }
}
