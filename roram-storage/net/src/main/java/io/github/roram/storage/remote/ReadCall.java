package io.github.roram.storage.remote;

import io.github.roram.storage.remote.RemoteCall.BatchParts;
import io.github.roram.storage.remote.RemoteCall.BatchParts.Part;
import io.github.roram.storage.remote.RemoteCall.RemoteRequest;
import io.github.roram.storage.remote.RemoteConnection.Answers;
import io.github.roram.storage.remote.RemoteConnection.ConnectionLostException;
import io.github.roram.storage.remote.protocol.ExtentsDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.Frame;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Reads a batch. */
final class ReadCall implements RemoteCall {

  private final RemoteLine line;
  private final ExtentBatch batch;
  private final UnitSink sink;
  private @Nullable Deque<Part> left;
  private long askedBytes;

  ReadCall(RemoteLine line, ExtentBatch batch, UnitSink sink) {
    this.line = line;
    this.batch = batch;
    this.sink = sink;
  }

  @Override
  public boolean hasNext() {
    return left == null || !left.isEmpty();
  }

  @Override
  public RemoteRequest next(RemoteConnection connection) {
    Deque<Part> parts = left;
    if (parts == null) {
      parts = new ArrayDeque<>(BatchParts.of(batch, connection.limits()));
      left = parts;
    }
    Part part = parts.remove();
    askedBytes = part.batch().bytes();
    return new ReadRequest(line.address(), part, sink);
  }

  @Override
  public void answered() {
    line.countRead(askedBytes);
  }

  /** A read. Sent again, it hands over only what its sink has not had. */
  private static final class ReadRequest implements RemoteRequest {

    private final RemoteAddress address;
    private final ByteBuf extents;
    private final GuardedSink sink;
    private final UnitAssembler assembler;
    private @Nullable RemoteConnection connection;

    ReadRequest(RemoteAddress address, Part part, UnitSink sink) {
      this.address = address;
      this.sink = new GuardedSink(sink, part.firstUnit());
      assembler = new UnitAssembler(part.batch(), this.sink);
      extents = Unpooled.buffer(ExtentsDescriptor.HEAD_BYTES + 64);
      ExtentsDescriptor.encode(part.batch(), extents);
    }

    @Override
    public Exchange send(RemoteConnection over) throws IOException {
      connection = over;
      assembler.restart();
      return over.request(FrameType.READ, extents.duplicate());
    }

    @Override
    public boolean accept(Frame answer) throws IOException {
      try {
        Answers.expect(answer, FrameType.DATA, address);
        for (ByteBuffer bytes : answer.payload().nioBuffers()) {
          assembler.feed(bytes);
        }
        boolean last = answer.head().has(FrameDescriptor.LAST);
        if (last) {
          assembler.finish();
        }
        return last;
      } catch (ProtocolException e) {
        if (e == sink.failure) {
          throw e;
        }
        ConnectionLostException lost =
            new ConnectionLostException(address + ": " + e.getMessage(), e);
        if (connection != null) {
          connection.abandon(lost);
        }
        throw lost;
      }
    }

    /** Tells what a sink throws from what the connection does. */
    private static final class GuardedSink implements UnitSink {
      private final UnitSink sink;
      private final int firstUnit;
      private @Nullable IOException failure;

      GuardedSink(UnitSink sink, int firstUnit) {
        this.sink = sink;
        this.firstUnit = firstUnit;
      }

      @Override
      public void accept(int unit, ByteBuffer units) throws IOException {
        try {
          sink.accept(firstUnit + unit, units);
        } catch (IOException e) {
          failure = e;
          throw e;
        }
      }
    }
  }

  /**
   * Turns the bytes of a batch, however they are cut, into pieces of whole units of one extent.
   * Units that arrive in one part are handed on where they are; only those that straddle parts are
   * copied. Survives a retry: what a sink has got it does not get again.
   */
  static final class UnitAssembler {

    private final ExtentBatch batch;
    private final UnitSink sink;
    private final int unitBytes;
    private @Nullable ByteBuffer straddling;
    private int delivered;
    private int unit;
    private int extent;

    UnitAssembler(ExtentBatch batch, UnitSink sink) {
      this.batch = batch;
      this.sink = sink;
      unitBytes = batch.unitBytes();
    }

    /** An answer begins, perhaps not the first. */
    void restart() {
      unit = 0;
      extent = 0;
      if (straddling != null) {
        straddling.clear();
      }
    }

    /** Takes the next bytes. */
    void feed(ByteBuffer part) throws IOException {
      ByteBuffer partial = straddling;
      if (partial != null && partial.position() > 0) {
        fill(partial, part);
      }
      while (part.remaining() >= unitBytes) {
        int units = Math.min(part.remaining() / unitBytes, unitsLeftInExtent());
        ByteBuffer piece = part.slice(part.position(), units * unitBytes);
        part.position(part.position() + units * unitBytes);
        deliver(piece, units);
      }
      if (part.hasRemaining()) {
        unitsLeftInExtent();
        if (partial == null) {
          partial = ByteBuffer.allocate(unitBytes);
          straddling = partial;
        }
        fill(partial, part);
      }
    }

    /** Throws unless all units have arrived. */
    void finish() throws ProtocolException {
      boolean partial = straddling != null && straddling.position() > 0;
      if (unit != batch.units() || partial) {
        throw new ProtocolException(
            "answer ends after " + unit + " of " + batch.units() + " units");
      }
    }

    private void fill(ByteBuffer partial, ByteBuffer part) throws IOException {
      int bytes = Math.min(partial.remaining(), part.remaining());
      partial.put(part.slice(part.position(), bytes));
      part.position(part.position() + bytes);
      if (!partial.hasRemaining()) {
        unitsLeftInExtent();
        partial.clear();
        deliver(partial.slice(), 1);
      }
    }

    /** Passes on what the sink has not had. */
    private void deliver(ByteBuffer piece, int units) throws IOException {
      int first = unit;
      unit += units;
      int skip = Math.min(units, Math.max(0, delivered - first));
      if (skip < units) {
        ByteBuffer rest = piece.slice(skip * unitBytes, (units - skip) * unitBytes);
        sink.accept(first + skip, rest);
        delivered = unit;
      }
    }

    private int unitsLeftInExtent() throws ProtocolException {
      while (extent < batch.extents() && unit >= batch.firstUnit(extent) + batch.units(extent)) {
        extent++;
      }
      if (extent == batch.extents()) {
        throw new ProtocolException("answer is longer than its " + batch.units() + " units");
      }
      return batch.firstUnit(extent) + batch.units(extent) - unit;
    }
  }
}
