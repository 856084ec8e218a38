package io.github.roram.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The client's whole state as it was at one moment: its parts, in the order in which they are
 * written. Small parts are copied when they are added, large ones {@linkplain GradualCopy
 * gradually}.
 *
 * <h2>Security</h2>
 *
 * The number of blocks that the client holds, and the pages of its position maps that it touched,
 * depend on its accesses. So the state takes {@link #paddedBytes} bytes, the sum of its parts'
 * greatest lengths, to which its writer pads it. The length of a part that is added without a
 * greatest length is public.
 */
public final class StateCopy implements AutoCloseable {

  private static final int PIECE_BYTES = 1 << 16;

  private final Deque<GradualCopy> parts = new ArrayDeque<>();
  private long paddedBytes;

  /** Writes a part. */
  @FunctionalInterface
  public interface Part {
    /** Writes the whole part. */
    void writeTo(DataOutput out) throws IOException;
  }

  /** Adds a part that is copied at once, and whose length reveals nothing. */
  public void addNow(Part part) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    part.writeTo(new DataOutputStream(bytes));
    add(new Bytes(bytes.toByteArray(), bytes.size()));
  }

  /**
   * Adds a part that is copied at once.
   *
   * @param mostBytes the most bytes that the part can have, according to public values
   */
  public void addNow(Part part, long mostBytes) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    part.writeTo(new DataOutputStream(bytes));
    add(new Bytes(bytes.toByteArray(), mostBytes));
  }

  /** Adds a part that is copied gradually; this copy ends it. */
  public void add(GradualCopy part) {
    try {
      parts.add(part);
    } catch (RuntimeException | Error e) {
      part.end();
      throw e;
    }
    paddedBytes += part.mostBytes();
  }

  /** Returns the most bytes that the parts can take together. */
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

  /** Writes the whole state at once, padded. */
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
  @SuppressWarnings("ArrayRecordComponent") // never compared
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
