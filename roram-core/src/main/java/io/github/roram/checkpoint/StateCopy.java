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
 *
 * <h2>Security</h2>
 *
 * How many blocks the client holds, and which pages of its position maps it touched, follows from
 * what it accessed and how. So the state takes {@link #paddedBytes} bytes, the sum of what its
 * parts can take at most, and its writer pads it to that. The length of parts that are copied at
 * once is public.
 */
public final class StateCopy implements AutoCloseable {

  private static final int PIECE_BYTES = 1 << 16;

  private final Deque<GradualCopy> parts = new ArrayDeque<>();
  private long paddedBytes;

  /** Writes a part. */
  @FunctionalInterface
  public interface Part {
    /** Writes everything. */
    void writeTo(DataOutput out) throws IOException;
  }

  /** Adds a part that is copied at once, and whose length tells nothing. */
  public void addNow(Part part) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    part.writeTo(new DataOutputStream(bytes));
    add(new Bytes(bytes.toByteArray(), bytes.size()));
  }

  /**
   * Adds a part that is copied at once.
   *
   * @param mostBytes the most bytes that it can have, as far as everyone knows
   */
  public void addNow(Part part, long mostBytes) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    part.writeTo(new DataOutputStream(bytes));
    add(new Bytes(bytes.toByteArray(), mostBytes));
  }

  /** Adds a part that is copied bit by bit, and ended by this copy. */
  public void add(GradualCopy part) {
    parts.add(part);
    paddedBytes += part.mostBytes();
  }

  /** What the parts that were added can take at most, in bytes. */
  public long paddedBytes() {
    return paddedBytes;
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

  /** Writes all at once, padded. */
  public void writePadded(DataOutput out) throws IOException {
    ChunkedBytes piece = new ChunkedBytes();
    DataOutputStream pieceOut = new DataOutputStream(piece);
    long written = 0;
    boolean more = true;
    while (more) {
      more = step(pieceOut);
      if (!more || piece.size() >= PIECE_BYTES) {
        written += piece.size();
        piece.writeTo(out);
        piece.wipe();
      }
    }
    Padding.write(out, written, paddedBytes);
  }

  /** Ends all parts, complete or not. */
  @Override
  public void close() {
    parts.forEach(GradualCopy::end);
    parts.clear();
  }

  /** A part in memory. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Bytes(byte[] bytes, long mostBytes) implements GradualCopy {

    @Override
    public boolean step(DataOutput out) throws IOException {
      out.write(bytes);
      return false;
    }

    @Override
    public void end() {}
  }
}
