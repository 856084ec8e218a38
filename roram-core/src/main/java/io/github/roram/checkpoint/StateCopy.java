package io.github.roram.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The client's whole state as it was at one moment: parts, in the order in which they are written.
 * Small parts are copied when they are added, large ones are {@linkplain GradualCopy gradual}.
 */
public final class StateCopy implements AutoCloseable {

  private final Deque<GradualCopy> parts = new ArrayDeque<>();

  /** Writes a part. */
  @FunctionalInterface
  public interface Part {
    /** Writes everything. */
    void writeTo(DataOutput out) throws IOException;
  }

  /** Adds a part that is copied at once. */
  public void addNow(Part part) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    part.writeTo(new DataOutputStream(bytes));
    parts.add(new Bytes(bytes.toByteArray()));
  }

  /** Adds a part that is copied bit by bit, and ended by this copy. */
  public void add(GradualCopy part) {
    parts.add(part);
  }

  /**
   * Writes the next piece.
   *
   * @return whether there is more
   */
  public boolean step(DataOutput out) throws IOException {
    GradualCopy part = parts.peek();
    if (part != null && !part.step(out)) {
      part.end();
      parts.remove();
    }
    return !parts.isEmpty();
  }

  /** Writes all that is left. */
  public void writeTo(DataOutput out) throws IOException {
    boolean more = true;
    while (more) {
      more = step(out);
    }
  }

  /** Ends all parts, complete or not. */
  @Override
  public void close() {
    parts.forEach(GradualCopy::end);
    parts.clear();
  }

  /** A part in memory. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Bytes(byte[] bytes) implements GradualCopy {

    @Override
    public boolean step(DataOutput out) throws IOException {
      out.write(bytes);
      return false;
    }

    @Override
    public void end() {}
  }
}
