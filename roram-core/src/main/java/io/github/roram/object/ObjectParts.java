package io.github.roram.object;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A stream of parts of objects, one after another; several parts are read ahead concurrently. */
final class ObjectParts extends InputStream {

  /** Most parts that are read at a time. */
  private static final int BATCH = 64;

  private final ObjectSpace objects;
  private final ObjectRequests requests;
  private final List<Part> parts;
  private int next;
  private final Deque<ByteBuffer> ready = new ArrayDeque<>();

  /**
   * A range of bytes of an object.
   *
   * @param name name of the object
   */
  record Part(String name, long offset, int bytes) {}

  /** Creates a stream of parts; the list must not change. */
  ObjectParts(ObjectSpace objects, ObjectRequests requests, List<Part> parts) {
    this.objects = objects;
    this.requests = requests;
    this.parts = List.copyOf(parts);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (ready.isEmpty() || !ready.element().hasRemaining()) {
      if (ready.poll() == null && !readAhead()) {
        return -1;
      }
    }
    ByteBuffer from = ready.element();
    int count = Math.min(length, from.remaining());
    from.get(to, offset, count);
    return count;
  }

  /** Reads the next parts: as many as may be in flight, at least one; returns false at the end. */
  private boolean readAhead() throws IOException {
    int end = next;
    long bytes = 0;
    while (end < Math.min(parts.size(), next + BATCH)) {
      bytes += parts.get(end).bytes();
      if (bytes > ObjectRequests.MOST_BYTES && end > next) {
        break;
      }
      end++;
    }
    List<Part> batch = parts.subList(next, end);
    long longest = batch.stream().mapToInt(Part::bytes).max().orElse(1);
    requests.inOrder(
        batch, Math.max(1, longest), part -> part, this::bytes, (part, read) -> ready.add(read));
    next = end;
    return !batch.isEmpty();
  }

  private ByteBuffer bytes(Part part) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(part.bytes);
    objects.read(part.name, part.offset, bytes);
    if (bytes.hasRemaining()) {
      throw new IOException("object " + part.name + " of " + objects + " is cut short");
    }
    return bytes.flip();
  }
}
