package io.github.roram.storage.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One page of off-heap memory with two views that are moved rather than made anew, so that access
 * allocates nothing. The owner's lock must be held.
 */
final class Page {

  /** The longest window on zeros, in bytes. */
  static final int MAX_ZEROS_BYTES = 1 << 20;

  private static final ByteBuffer ZEROS =
      ByteBuffer.allocateDirect(MAX_ZEROS_BYTES).asReadOnlyBuffer();

  private final ByteBuffer memory;
  private final ByteBuffer readView;
  private final ByteBuffer writeView;

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

  /** A read-only window; a fresh one if the page's own view may be in use. */
  ByteBuffer toRead(int from, int bytes, boolean fresh) {
    return move(fresh ? memory.asReadOnlyBuffer() : readView, from, bytes);
  }

  /** A writable window; a fresh one if the page's own view may be in use. */
  ByteBuffer toWrite(int from, int bytes, boolean fresh) {
    return move(fresh ? memory.duplicate() : writeView, from, bytes);
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
