package io.github.roram.storage.remote;

import io.github.roram.storage.remote.RemoteCall.BatchParts;
import io.github.roram.storage.remote.RemoteCall.BatchParts.Part;
import io.github.roram.storage.remote.RemoteCall.RemoteRequest;
import io.github.roram.storage.remote.RemoteConnection.Answers;
import io.github.roram.storage.remote.protocol.ExtentsDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.Frame;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSource;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a batch. When more writes are kept than may be that are not durable, a sync comes behind
 * it.
 */
final class WriteCall implements RemoteCall {

  private final RemoteLine line;
  private final ExtentBatch batch;
  private final UnitSource source;
  private @Nullable Deque<Part> left;
  private @Nullable WriteRequest sent;
  private boolean synced;

  WriteCall(RemoteLine line, ExtentBatch batch, UnitSource source) {
    this.line = line;
    this.batch = batch;
    this.source = source;
  }

  @Override
  public boolean hasNext() {
    return left == null || !left.isEmpty() || (!synced && line.keepsTooMuch());
  }

  @Override
  public RemoteRequest next(RemoteConnection connection) throws IOException {
    Deque<Part> parts = left;
    if (parts == null) {
      parts = new ArrayDeque<>(BatchParts.of(batch, connection.limits()));
      left = parts;
    }
    Part part = parts.poll();
    if (part == null) {
      synced = true;
      return line.newSync();
    }
    WriteRequest request = WriteRequest.fill(line.address(), part, source, connection.allocator());
    line.unsynced().begin(request);
    sent = request;
    return request;
  }

  @Override
  public void answered() {
    WriteRequest request = sent;
    if (request != null) {
      sent = null;
      line.unsynced().acknowledged(request);
      line.countWritten(request.unitBytes());
    }
  }

  @Override
  public void failed() {
    WriteRequest request = sent;
    if (request != null) {
      sent = null;
      line.unsynced().failed(request);
    }
  }

  /**
   * A write with its bytes, so that it can be sent again as it was. Whoever holds it last releases
   * it.
   */
  static final class WriteRequest implements RemoteRequest {

    /** Aim for the length of a piece that a source fills at once. */
    private static final int PIECE_BYTES = 256 << 10;

    private final RemoteAddress address;
    private final ByteBuf extents;
    private final List<ByteBuf> pieces = new ArrayList<>();
    private final long bytes;
    private boolean acknowledged;

    private WriteRequest(RemoteAddress address, ExtentBatch batch) {
      this.address = address;
      extents = Unpooled.buffer(ExtentsDescriptor.HEAD_BYTES + 64);
      ExtentsDescriptor.encode(batch, extents);
      bytes = batch.bytes();
    }

    /** Asks the source for everything. */
    static WriteRequest fill(
        RemoteAddress address, Part part, UnitSource source, ByteBufAllocator allocator)
        throws IOException {
      ExtentBatch batch = part.batch();
      WriteRequest request = new WriteRequest(address, batch);
      try {
        for (int extent = 0; extent < batch.extents(); extent++) {
          request.fillExtent(part, extent, source, allocator);
        }
        return request;
      } catch (IOException | RuntimeException | Error e) {
        request.release();
        throw e;
      }
    }

    private void fillExtent(Part part, int extent, UnitSource source, ByteBufAllocator allocator)
        throws IOException {
      ExtentBatch batch = part.batch();
      int unitBytes = batch.unitBytes();
      int unit = batch.firstUnit(extent);
      int end = unit + batch.units(extent);
      while (unit < end) {
        int units = Math.min(end - unit, Math.max(1, PIECE_BYTES / unitBytes));
        int length = units * unitBytes;
        ByteBuf piece = allocator.directBuffer(length, length);
        pieces.add(piece);
        source.fill(part.first() + unit, piece.nioBuffer(0, length));
        piece.writerIndex(length);
        unit += units;
      }
    }

    /** Returns the bytes of memory that the request holds. */
    long bytes() {
      return bytes + extents.capacity();
    }

    long unitBytes() {
      return bytes;
    }

    boolean isAcknowledged() {
      return acknowledged;
    }

    void acknowledge() {
      acknowledged = true;
    }

    @Override
    public Exchange send(RemoteConnection connection) throws IOException {
      int frameBytes = connection.limits().maxPayloadBytes();
      List<ByteBuf> data = pieces;
      if (pieces.stream().anyMatch(piece -> piece.readableBytes() > frameBytes)) {
        data = new ArrayList<>();
        for (ByteBuf piece : pieces) {
          for (int from = 0; from < piece.readableBytes(); from += frameBytes) {
            data.add(piece.slice(from, Math.min(frameBytes, piece.readableBytes() - from)));
          }
        }
      }
      return connection.request(FrameType.WRITE, extents.duplicate(), data);
    }

    @Override
    public boolean accept(Frame answer) throws IOException {
      Answers.expect(answer, FrameType.DONE, address);
      return true;
    }

    void release() {
      pieces.forEach(ByteBuf::release);
      pieces.clear();
    }
  }
}
