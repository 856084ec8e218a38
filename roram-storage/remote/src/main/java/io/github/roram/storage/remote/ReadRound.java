package io.github.roram.storage.remote;

import io.github.roram.storage.remote.BatchParts.Part;
import io.github.roram.storage.remote.protocol.ExtentsDescriptor;
import io.github.roram.storage.remote.protocol.Frame;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameType;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.store.UnitSink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A read. Sent again, it hands over only what its sink has not had. */
final class ReadRound implements Round {

  private final RemoteAddress address;
  private final ByteBuf extents;
  private final GuardedSink sink;
  private final UnitAssembler assembler;
  private @Nullable Connection connection;

  ReadRound(RemoteAddress address, Part part, UnitSink sink) {
    this.address = address;
    this.sink = new GuardedSink(sink, part.firstUnit());
    assembler = new UnitAssembler(part.batch(), this.sink);
    extents = Unpooled.buffer(ExtentsDescriptor.HEAD_BYTES + 64);
    ExtentsDescriptor.encode(part.batch(), extents);
  }

  @Override
  public Exchange send(Connection over) throws IOException {
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
