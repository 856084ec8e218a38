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
import io.github.roram.storage.remote.protocol.Message.Welcome;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.storage.remote.protocol.XorDescriptor;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.XorGroups;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a batch, or the XOR of groups of its units. */
final class ReadCall implements RemoteCall {

  private final RemoteLine line;
  private final ExtentBatch batch;
  private final @Nullable XorGroups groups;
  private UnitSink sink;
  private @Nullable Deque<Part> left;
  private long askedBytes;

  /**
   * Creates a read.
   *
   * @param groups groups whose XOR is read; null to read all units
   */
  ReadCall(RemoteLine line, ExtentBatch batch, @Nullable XorGroups groups, UnitSink sink) {
    this.line = line;
    this.batch = batch;
    this.groups = groups;
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
      parts = new ArrayDeque<>(parts(connection.limits()));
      left = parts;
    }
    Part part = parts.remove();
    XorGroups ofPart = part.groups();
    askedBytes = ofPart == null ? part.batch().bytes() : ofPart.bytes();
    return new ReadRequest(line.address(), part, sink);
  }

  private List<Part> parts(Welcome limits) {
    XorGroups of = groups;
    List<Part> parts = of == null ? null : BatchParts.of(batch, of, limits);
    if (parts == null) {
      // If the server does not compute the XOR of groups, it is computed here.
      sink = of == null ? sink : of.into(sink);
      parts = BatchParts.of(batch, limits);
    }
    return parts;
  }

  @Override
  public void answered() {
    line.countRead(askedBytes);
  }

  /** A read. Sent again, it hands over only what its sink has not had. */
  private static final class ReadRequest implements RemoteRequest {

    private final RemoteAddress address;
    private final FrameType type;
    private final ByteBuf payload;
    private final GuardedSink sink;
    private final UnitAssembler assembler;
    private @Nullable RemoteConnection connection;

    ReadRequest(RemoteAddress address, Part part, UnitSink sink) {
      this.address = address;
      this.sink = new GuardedSink(sink, part.first());
      payload = Unpooled.buffer(ExtentsDescriptor.HEAD_BYTES + 64);
      XorGroups groups = part.groups();
      if (groups == null) {
        type = FrameType.READ;
        ExtentsDescriptor.encode(part.batch(), payload);
        assembler = new UnitAssembler(Pieces.of(part.batch()), this.sink);
      } else {
        type = FrameType.READ_XOR;
        XorDescriptor.encode(part.batch(), groups, payload);
        assembler = new UnitAssembler(Pieces.of(groups), this.sink);
      }
    }

    @Override
    public Exchange send(RemoteConnection over) throws IOException {
      connection = over;
      assembler.restart();
      return over.request(type, payload.duplicate());
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

  /** What an answer has, piece after piece: units of one length. */
  interface Pieces {

    /** Returns the number of pieces. */
    int count();

    /** Returns the number of the first unit of a piece; also valid for the piece after the last. */
    int firstUnit(int piece);

    /** Returns the bytes of each unit of a piece. */
    int unitBytes(int piece);

    /** Returns the extents of a batch. */
    static Pieces of(ExtentBatch batch) {
      return new Pieces() {
        @Override
        public int count() {
          return batch.extents();
        }

        @Override
        public int firstUnit(int piece) {
          return piece == batch.extents() ? batch.units() : batch.firstUnit(piece);
        }

        @Override
        public int unitBytes(int piece) {
          return batch.unitBytes();
        }
      };
    }

    /** Returns the results of groups, each a unit and a piece of its own. */
    static Pieces of(XorGroups groups) {
      return new Pieces() {
        @Override
        public int count() {
          return groups.groups();
        }

        @Override
        public int firstUnit(int piece) {
          return piece;
        }

        @Override
        public int unitBytes(int piece) {
          return groups.bytes(piece);
        }
      };
    }
  }

  /**
   * Assembles the bytes of an answer, however they are split, into whole units of one piece. Units
   * that arrive in one part are passed on without a copy; only units that straddle parts are
   * copied. After a retry, the sink does not receive units that it already has.
   */
  static final class UnitAssembler {

    private final Pieces pieces;
    private final UnitSink sink;

    /** What has come of a unit that straddles parts. */
    private ByteBuffer straddling = ByteBuffer.allocate(0);

    private int delivered;
    private int unit;
    private int piece;

    UnitAssembler(Pieces pieces, UnitSink sink) {
      this.pieces = pieces;
      this.sink = sink;
    }

    /** Prepares for an answer, whether it is the first or not. */
    void restart() {
      unit = 0;
      piece = 0;
      straddling.clear();
    }

    /** Takes the next bytes. */
    void feed(ByteBuffer part) throws IOException {
      while (part.hasRemaining()) {
        int units = unitsLeftInPiece();
        int unitBytes = pieces.unitBytes(piece);
        if (straddling.position() > 0 || part.remaining() < unitBytes) {
          straddle(part, unitBytes);
        } else {
          int bytes = Math.min(part.remaining() / unitBytes, units) * unitBytes;
          ByteBuffer whole = part.slice(part.position(), bytes);
          part.position(part.position() + bytes);
          deliver(whole, unitBytes);
        }
      }
    }

    /** Throws unless all units have arrived. */
    void finish() throws ProtocolException {
      int units = pieces.firstUnit(pieces.count());
      if (unit != units || straddling.position() > 0) {
        throw new ProtocolException("answer ends after " + unit + " of " + units + " units");
      }
    }

    private void straddle(ByteBuffer part, int unitBytes) throws IOException {
      if (straddling.capacity() < unitBytes) {
        straddling = ByteBuffer.allocate(unitBytes);
      }
      int bytes = Math.min(unitBytes - straddling.position(), part.remaining());
      straddling.put(part.slice(part.position(), bytes));
      part.position(part.position() + bytes);
      if (straddling.position() == unitBytes) {
        ByteBuffer whole = straddling.slice(0, unitBytes);
        straddling.clear();
        deliver(whole, unitBytes);
      }
    }

    /** Passes on what the sink has not had. */
    private void deliver(ByteBuffer whole, int unitBytes) throws IOException {
      int first = unit;
      int units = whole.remaining() / unitBytes;
      unit += units;
      int skip = Math.min(units, Math.max(0, delivered - first));
      if (skip < units) {
        ByteBuffer rest = whole.slice(skip * unitBytes, (units - skip) * unitBytes);
        sink.accept(first + skip, rest);
        delivered = unit;
      }
    }

    private int unitsLeftInPiece() throws ProtocolException {
      while (piece < pieces.count() && unit >= pieces.firstUnit(piece + 1)) {
        piece++;
      }
      if (piece == pieces.count()) {
        throw new ProtocolException("answer is longer than its " + unit + " units");
      }
      return pieces.firstUnit(piece + 1) - unit;
    }
  }
}
