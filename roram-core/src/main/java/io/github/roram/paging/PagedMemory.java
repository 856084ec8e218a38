package io.github.roram.paging;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Memory of which a bounded working set of pages is held in the clear, and all others are in a
 * {@link PageStore}. An access to a page that is not held is a fault: the page to be replaced is
 * written, then the requested one is read ("Oblivious demand paging", sections 2 and 3 of the
 * Keystone paging paper).
 *
 * <h2>Security</h2>
 *
 * Over an ORAM the store sees that there was a fault, and when; not which page was read, which page
 * was replaced, whether that one was changed, or their contents. Over {@code detwo} that holds
 * against an observer of <em>writes</em> (snapshots); reads name their pages.
 *
 * <p>The number of faults and the times between them are not hidden. They depend on the program:
 * two secrets whose runs differ in them can be told apart. Nor is the working set hidden from
 * anything that can read this process's memory. {@link PagingOptions#revealCleanPages} reveals
 * more, and is off by default.
 *
 * <p>Thread safety: safe; each call is atomic, and faults come one after another.
 */
public final class PagedMemory implements Memory, Closeable {

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int MOST_PAGE_BYTES = 1 << 26;

  private final Object lock = new Object();
  private final WorkingSet pages;
  private final int pageShift;
  private final int pageBytes;
  private final long bytes;
  private boolean closed;

  PagedMemory(PageStore store, PagingOptions options, LongSupplier nanoClock) {
    pageBytes = checkedPageBytes(store.pageBytes());
    pageShift = Integer.numberOfTrailingZeros(pageBytes);
    bytes = Math.multiplyExact(store.pages(), (long) pageBytes);
    pages = new WorkingSet(store, options, nanoClock);
  }

  /** Returns the size of a page if it is within bounds. */
  static int checkedPageBytes(long pageBytes) {
    if (pageBytes < OramConfig.MIN_BLOCK_BYTES
        || pageBytes > MOST_PAGE_BYTES
        || Long.bitCount(pageBytes) != 1) {
      throw new ConfigurationException(
          "a page is "
              + pageBytes
              + " bytes, must be a power of two from "
              + OramConfig.MIN_BLOCK_BYTES
              + " to "
              + MOST_PAGE_BYTES);
    }
    return (int) pageBytes;
  }

  /** Returns memory over a store, with {@link PagingOptions#defaults}; see {@link PageStore#of}. */
  public static PagedMemory over(PageStore store) {
    return over(store, PagingOptions.defaults());
  }

  /**
   * Returns memory over a store.
   *
   * @param store the store, which nobody else uses while this is open, and which the caller closes
   */
  public static PagedMemory over(PageStore store, PagingOptions options) {
    return new PagedMemory(store, options, System::nanoTime);
  }

  @Override
  public long bytes() {
    return bytes;
  }

  /** Returns the bytes of a page. */
  public int pageBytes() {
    return pageBytes;
  }

  /** Returns counts since this memory was created. */
  public PagingStats stats() {
    synchronized (lock) {
      return pages.stats();
    }
  }

  /**
   * Brings the pages of a range into the working set and keeps them there until the pin is closed.
   *
   * @throws IndexOutOfBoundsException if some of the bytes do not exist, or there are none
   * @throws IllegalStateException if there is no room for them besides the pages pinned already;
   *     nothing is pinned
   * @throws UncheckedIOException if the store failed; nothing is pinned
   */
  public Pin pin(long offset, long count) {
    Objects.checkIndex(0, count);
    synchronized (lock) {
      check(offset, count);
      long first = offset >>> pageShift;
      long last = (offset + count - 1) >>> pageShift;
      long pinned = first;
      try {
        for (; pinned <= last; pinned++) {
          pages.pin(pinned);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        if (pinned <= last) {
          unpin(first, pinned - 1);
        }
      }
      return new Pin(() -> unpin(first, last));
    }
  }

  private void unpin(long first, long last) {
    synchronized (lock) {
      for (long page = first; page <= last; page++) {
        pages.unpin(page);
      }
    }
  }

  /**
   * Writes all pages of the working set to the store, and makes them as durable as the store can.
   * It writes unchanged pages too, so the store does not see which were changed.
   *
   * @throws IOException if the store failed; the call may be repeated
   */
  public void flush() throws IOException {
    synchronized (lock) {
      checkOpen();
      pages.flush();
    }
  }

  /**
   * Flushes, and wipes the working set. The store stays open. Idempotent.
   *
   * @throws IOException if the store failed; this memory then stays open
   */
  @Override
  public void close() throws IOException {
    synchronized (lock) {
      if (!closed) {
        pages.flush();
        pages.wipe();
        closed = true;
      }
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the memory is closed");
    }
  }

  private void check(long offset, long count) {
    checkOpen();
    Objects.checkFromIndexSize(offset, count, bytes);
  }

  private int within(long offset) {
    return (int) offset & (pageBytes - 1);
  }

  private byte[] readable(long offset) {
    try {
      return pages.read(offset >>> pageShift);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] writable(long offset) {
    try {
      return pages.write(offset >>> pageShift);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public byte getByte(long offset) {
    synchronized (lock) {
      check(offset, Byte.BYTES);
      return readable(offset)[within(offset)];
    }
  }

  @Override
  public void putByte(long offset, byte value) {
    synchronized (lock) {
      check(offset, Byte.BYTES);
      writable(offset)[within(offset)] = value;
    }
  }

  @Override
  public int getInt(long offset) {
    synchronized (lock) {
      check(offset, Integer.BYTES);
      int at = within(offset);
      return at <= pageBytes - Integer.BYTES
          ? (int) INTS.get(readable(offset), at)
          : (int) getAcross(offset, Integer.BYTES);
    }
  }

  @Override
  public void putInt(long offset, int value) {
    synchronized (lock) {
      check(offset, Integer.BYTES);
      int at = within(offset);
      if (at <= pageBytes - Integer.BYTES) {
        INTS.set(writable(offset), at, value);
      } else {
        putAcross(offset, value, Integer.BYTES);
      }
    }
  }

  @Override
  public long getLong(long offset) {
    synchronized (lock) {
      check(offset, Long.BYTES);
      int at = within(offset);
      return at <= pageBytes - Long.BYTES
          ? (long) LONGS.get(readable(offset), at)
          : getAcross(offset, Long.BYTES);
    }
  }

  @Override
  public void putLong(long offset, long value) {
    synchronized (lock) {
      check(offset, Long.BYTES);
      int at = within(offset);
      if (at <= pageBytes - Long.BYTES) {
        LONGS.set(writable(offset), at, value);
      } else {
        putAcross(offset, value, Long.BYTES);
      }
    }
  }

  /** Returns a value that begins in one page and ends in the next. */
  private long getAcross(long offset, int count) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value |= (readable(offset + i)[within(offset + i)] & 0xffL) << (Byte.SIZE * i);
    }
    return value;
  }

  private void putAcross(long offset, long value, int count) {
    for (int i = 0; i < count; i++) {
      writable(offset + i)[within(offset + i)] = (byte) (value >>> (Byte.SIZE * i));
    }
  }

  @Override
  public void get(long offset, byte[] target, int at, int count) {
    Objects.checkFromIndexSize(at, count, target.length);
    synchronized (lock) {
      check(offset, count);
      for (int done = 0, some; done < count; done += some) {
        some = Math.min(count - done, pageBytes - within(offset + done));
        System.arraycopy(readable(offset + done), within(offset + done), target, at + done, some);
      }
    }
  }

  @Override
  public void put(long offset, byte[] source, int at, int count) {
    Objects.checkFromIndexSize(at, count, source.length);
    synchronized (lock) {
      check(offset, count);
      for (int done = 0, some; done < count; done += some) {
        some = Math.min(count - done, pageBytes - within(offset + done));
        System.arraycopy(source, at + done, writable(offset + done), within(offset + done), some);
      }
    }
  }

  /** Accesses several values at once, or none if one of them does not exist. */
  private void atOnce(long offset, int count, int valueBytes, Runnable accesses) {
    synchronized (lock) {
      check(offset, (long) count * valueBytes);
      accesses.run();
    }
  }

  @Override
  public void getInts(long offset, int[] target, int at, int count) {
    Objects.checkFromIndexSize(at, count, target.length);
    atOnce(offset, count, Integer.BYTES, () -> Memory.super.getInts(offset, target, at, count));
  }

  @Override
  public void putInts(long offset, int[] source, int at, int count) {
    Objects.checkFromIndexSize(at, count, source.length);
    atOnce(offset, count, Integer.BYTES, () -> Memory.super.putInts(offset, source, at, count));
  }

  @Override
  public void getLongs(long offset, long[] target, int at, int count) {
    Objects.checkFromIndexSize(at, count, target.length);
    atOnce(offset, count, Long.BYTES, () -> Memory.super.getLongs(offset, target, at, count));
  }

  @Override
  public void putLongs(long offset, long[] source, int at, int count) {
    Objects.checkFromIndexSize(at, count, source.length);
    atOnce(offset, count, Long.BYTES, () -> Memory.super.putLongs(offset, source, at, count));
  }

  @Override
  public void getDoubles(long offset, double[] target, int at, int count) {
    Objects.checkFromIndexSize(at, count, target.length);
    atOnce(offset, count, Double.BYTES, () -> Memory.super.getDoubles(offset, target, at, count));
  }

  @Override
  public void putDoubles(long offset, double[] source, int at, int count) {
    Objects.checkFromIndexSize(at, count, source.length);
    atOnce(offset, count, Double.BYTES, () -> Memory.super.putDoubles(offset, source, at, count));
  }
}
