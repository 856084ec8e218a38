package io.github.roram.storage.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One page of off-heap memory. Windows on it are two views that are moved rather than made anew, so
 * that access allocates nothing; while one user has them, others get windows of their own.
 *
 * <p>Thread safety: safe, but for the bytes themselves: a window on what another thread writes may
 * show some of it.
 */
final class Page {

  /** The longest window on zeros, in bytes. */
  static final int MAX_ZEROS_BYTES = 1 << 20;

  private static final ByteBuffer ZEROS =
      ByteBuffer.allocateDirect(MAX_ZEROS_BYTES).asReadOnlyBuffer();

  private final ByteBuffer memory;
  private final ByteBuffer readView;
  private final ByteBuffer writeView;
  private final AtomicBoolean lent = new AtomicBoolean();

  /** A page over memory that is all zeros. */
  Page(ByteBuffer memory) {
    this.memory = memory;
    readView = memory.asReadOnlyBuffer();
    writeView = memory.duplicate();
  }

  /** A window on zeros that belong to no page. */
  static ByteBuffer zeros(int bytes) {
    return ZEROS.slice(0, bytes);
  }

  int bytes() {
    return memory.capacity();
  }

  /** A read-only window, to be {@linkplain #giveBack given back}. */
  ByteBuffer toRead(int from, int bytes) {
    return move(lend() ? readView : memory.asReadOnlyBuffer(), from, bytes);
  }

  /** A writable window, to be {@linkplain #giveBack given back}. */
  ByteBuffer toWrite(int from, int bytes) {
    return move(lend() ? writeView : memory.duplicate(), from, bytes);
  }

  /** The user of a window is done with it. */
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

  /** Takes the next {@code bytes} bytes of {@code source}. */
  void copyIn(ByteBuffer source, int bytes, int to) {
    memory.put(to, source, source.position(), bytes);
    source.position(source.position() + bytes);
  }

  /** Undoes whatever the last user did to the view, then sets its window. */
  private static ByteBuffer move(ByteBuffer view, int from, int bytes) {
    return view.order(ByteOrder.BIG_ENDIAN).clear().position(from).limit(from + bytes);
  }
}
