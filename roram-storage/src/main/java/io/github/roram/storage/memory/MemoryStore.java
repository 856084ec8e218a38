package io.github.roram.storage.memory;

import io.github.roram.ConfigurationException;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.StoreFullException;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
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
 * -XX:MaxDirectMemorySize} changes that. It is freed some time after {@link #close}, when the
 * garbage collector finds the store's pages.
 *
 * <p>Thread safety: safe. Calls of several threads run concurrently, and a sink or source may call
 * its own store. A read may see part of a concurrent write.
 */
public final class MemoryStore implements BlockStore {

  private static final int PAGE_BYTES = 4 << 20;

  private volatile long capacityBytes;
  private final IntFunction<ByteBuffer> allocator;
  private final Map<Long, MemoryPage> pages = new ConcurrentHashMap<>();

  /** Shared by requests; a longer page replaces a page only while no request uses it. */
  private final ReadWriteLock extending = new ReentrantReadWriteLock();

  /** Serialises the allocation of pages, and prevents it once the store is closed. */
  private final Object allocation = new Object();

  /** Holds a unit that straddles pages, while nobody uses it; grows to the largest unit met. */
  private final AtomicReference<@Nullable MemoryPage> scratch = new AtomicReference<>();

  /** The client's watermark; null if none was kept. */
  private volatile byte @Nullable [] watermark;

  private volatile boolean closed;

  /**
   * Creates an empty store.
   *
   * @param capacityBytes size of the address space, at least 1
   * @throws ConfigurationException if the capacity is not positive
   */
  public MemoryStore(long capacityBytes) {
    this(capacityBytes, ByteBuffer::allocateDirect);
  }

  /** Creates a store with another source of memory. */
  MemoryStore(long capacityBytes, IntFunction<ByteBuffer> allocator) {
    if (capacityBytes <= 0) {
      throw new ConfigurationException(
          "capacity of a store in memory is " + capacityBytes + " bytes, must be positive");
    }
    this.capacityBytes = capacityBytes;
    this.allocator = allocator;
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
  public boolean extend(long newBytes) throws IOException {
    extending.writeLock().lock();
    try {
      synchronized (allocation) {
        checkOpen();
        lengthenLast(newBytes);
        capacityBytes = newBytes;
        return true;
      }
    } finally {
      extending.writeLock().unlock();
    }
  }

  private void lengthenLast(long newBytes) throws IOException {
    long last = (capacityBytes - 1) / PAGE_BYTES;
    int lastBytes = (int) Math.min(PAGE_BYTES, newBytes - last * PAGE_BYTES);
    MemoryPage page = pages.get(last);
    if (page != null && page.bytes() < lastBytes) {
      MemoryPage longer = allocate(lastBytes);
      ByteBuffer bytes = page.toRead(0, page.bytes());
      longer.copyIn(bytes, page.bytes(), 0);
      page.giveBack(bytes);
      pages.put(last, longer);
    }
  }

  /** Returns the bytes of memory that the pages written so far take. */
  public long allocatedBytes() {
    return pages.values().stream().mapToLong(MemoryPage::bytes).sum();
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    checkOpen();
    batch.checkWithin(capacityBytes);
    extending.readLock().lock();
    try {
      for (int extent = 0; extent < batch.extents(); extent++) {
        readExtent(batch, extent, sink);
      }
    } finally {
      extending.readLock().unlock();
    }
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    checkOpen();
    batch.checkWithin(capacityBytes);
    extending.readLock().lock();
    try {
      for (int extent = 0; extent < batch.extents(); extent++) {
        writeExtent(batch, extent, source);
      }
    } finally {
      extending.readLock().unlock();
    }
    // A page that went with the store took what was written to it along.
    checkOpen();
  }

  /** Does nothing, since no medium is more durable than this memory. */
  @Override
  public void sync() throws IOException {
    checkOpen();
  }

  @Override
  public void keepWatermark(byte[] newest, boolean durably) throws IOException {
    checkOpen();
    watermark = newest.clone();
  }

  @Override
  public List<byte[]> watermarks() throws IOException {
    checkOpen();
    byte[] kept = watermark;
    return kept == null ? List.of() : List.of(kept.clone());
  }

  /** Closes the store; concurrent calls end, or fail since it is closed. */
  @Override
  public void close() {
    synchronized (allocation) {
      closed = true;
      pages.clear();
      scratch.set(null);
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
      MemoryPage page = page(offset / PAGE_BYTES);
      int inPage = (int) (offset % PAGE_BYTES);
      int windowBytes = PAGE_BYTES - inPage;
      if (page == null) {
        windowBytes = Math.min(windowBytes, MemoryPage.MAX_ZEROS_BYTES);
      }
      int units = Math.min(endUnit - unit, windowBytes / unitBytes);
      if (units == 0) {
        units = 1;
        readStraddling(offset, unitBytes, unit, sink);
      } else if (page == null) {
        sink.accept(unit, MemoryPage.zeros(units * unitBytes));
      } else {
        hand(page, inPage, units * unitBytes, unit, sink);
      }
      unit += units;
      offset += (long) units * unitBytes;
    }
  }

  private void readStraddling(long offset, int unitBytes, int unit, UnitSink sink)
      throws IOException {
    MemoryPage copy = takeScratch(unitBytes);
    try {
      ByteBuffer room = copy.toWrite(0, unitBytes);
      copyOut(offset, room);
      copy.giveBack(room);
      hand(copy, 0, unitBytes, unit, sink);
    } finally {
      giveScratch(copy);
    }
  }

  private static void hand(MemoryPage page, int from, int bytes, int unit, UnitSink sink)
      throws IOException {
    ByteBuffer window = page.toRead(from, bytes);
    try {
      sink.accept(unit, window);
    } finally {
      page.giveBack(window);
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
        writeStraddling(offset, unitBytes, unit, source);
      } else {
        fill(writablePage(offset / PAGE_BYTES), inPage, units * unitBytes, unit, source);
      }
      unit += units;
      offset += (long) units * unitBytes;
    }
  }

  private void writeStraddling(long offset, int unitBytes, int unit, UnitSource source)
      throws IOException {
    MemoryPage copy = takeScratch(unitBytes);
    try {
      fill(copy, 0, unitBytes, unit, source);
      ByteBuffer filled = copy.toRead(0, unitBytes);
      copyIn(filled, offset);
      copy.giveBack(filled);
    } finally {
      giveScratch(copy);
    }
  }

  private static void fill(MemoryPage page, int from, int bytes, int unit, UnitSource source)
      throws IOException {
    ByteBuffer window = page.toWrite(from, bytes);
    try {
      source.fill(unit, window);
    } finally {
      page.giveBack(window);
    }
  }

  /** Copies the stored bytes from {@code from} on until {@code target} is full. */
  private void copyOut(long from, ByteBuffer target) throws ClosedChannelException {
    long offset = from;
    while (target.hasRemaining()) {
      int inPage = (int) (offset % PAGE_BYTES);
      int bytes = Math.min(target.remaining(), PAGE_BYTES - inPage);
      MemoryPage page = page(offset / PAGE_BYTES);
      if (page == null) {
        bytes = Math.min(bytes, MemoryPage.MAX_ZEROS_BYTES);
        target.put(MemoryPage.zeros(bytes));
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

  /** Returns a page, or null if it was never written; fails if it may have gone with the store. */
  private @Nullable MemoryPage page(long number) throws ClosedChannelException {
    MemoryPage page = pages.get(number);
    if (page == null) {
      checkOpen();
    }
    return page;
  }

  private MemoryPage writablePage(long number) throws IOException {
    MemoryPage page = pages.get(number);
    if (page != null) {
      return page;
    }
    synchronized (allocation) {
      checkOpen();
      page = pages.get(number);
      if (page == null) {
        page = allocate((int) Math.min(PAGE_BYTES, capacityBytes - number * PAGE_BYTES));
        pages.put(number, page);
      }
      return page;
    }
  }

  /** Returns a page in which to assemble a unit that straddles pages. */
  private MemoryPage takeScratch(int unitBytes) throws IOException {
    MemoryPage reused = scratch.getAndSet(null);
    return reused != null && reused.bytes() >= unitBytes ? reused : allocate(unitBytes);
  }

  private void giveScratch(MemoryPage used) {
    if (!closed) {
      scratch.set(used);
    }
  }

  private MemoryPage allocate(int bytes) throws StoreFullException {
    try {
      return new MemoryPage(allocator.apply(bytes));
    } catch (OutOfMemoryError e) {
      throw new StoreFullException(
          "no room for "
              + bytes
              + " more bytes of off-heap memory besides the "
              + allocatedBytes()
              + " of this store: raise the JVM's limit with -XX:MaxDirectMemorySize=<bytes>,"
              + " or use a store in files",
          e);
    }
  }

  private void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  /**
   * One page of off-heap memory. Windows on it are two views that are moved and not created each
   * time, so that access allocates nothing; while one user has them, others get new windows.
   *
   * <p>Thread safety: safe, except for the bytes themselves: a window may show part of another
   * thread's write.
   */
  private static final class MemoryPage {

    /** The longest window on zeros, in bytes. */
    static final int MAX_ZEROS_BYTES = 1 << 20;

    private static final ByteBuffer ZEROS =
        ByteBuffer.allocateDirect(MAX_ZEROS_BYTES).asReadOnlyBuffer();

    private final ByteBuffer memory;
    private final ByteBuffer readView;
    private final ByteBuffer writeView;
    private final AtomicBoolean lent = new AtomicBoolean();

    /** Creates a page over memory that is all zeros. */
    MemoryPage(ByteBuffer memory) {
      this.memory = memory;
      readView = memory.asReadOnlyBuffer();
      writeView = memory.duplicate();
    }

    /** Returns a window on zeros that belong to no page. */
    static ByteBuffer zeros(int bytes) {
      return ZEROS.slice(0, bytes);
    }

    int bytes() {
      return memory.capacity();
    }

    /** Returns a read-only window, which must be {@linkplain #giveBack given back}. */
    ByteBuffer toRead(int from, int bytes) {
      return move(lend() ? readView : memory.asReadOnlyBuffer(), from, bytes);
    }

    /** Returns a writable window, which must be {@linkplain #giveBack given back}. */
    ByteBuffer toWrite(int from, int bytes) {
      return move(lend() ? writeView : memory.duplicate(), from, bytes);
    }

    /** Takes a window back from its user. */
    @SuppressWarnings("ReferenceEquality") // windows of equal content are not the same
    void giveBack(ByteBuffer window) {
      if (window == readView || window == writeView) {
        lent.set(false);
      }
    }

    private boolean lend() {
      return lent.compareAndSet(false, true);
    }

    /** Appends {@code bytes} bytes of the page to {@code target}. */
    void copyOut(int from, ByteBuffer target, int bytes) {
      target.put(target.position(), memory, from, bytes);
      target.position(target.position() + bytes);
    }

    /** Copies the next {@code bytes} bytes of {@code source} to the page. */
    void copyIn(ByteBuffer source, int bytes, int to) {
      memory.put(to, source, source.position(), bytes);
      source.position(source.position() + bytes);
    }

    /** Undoes the last user's changes to the view, then sets its window. */
    private static ByteBuffer move(ByteBuffer view, int from, int bytes) {
      return view.order(ByteOrder.BIG_ENDIAN).clear().position(from).limit(from + bytes);
    }
  }
}
