package io.github.roram.storage.remote.protocol;

import io.github.roram.storage.remote.protocol.FrameDescriptor.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the stream of bytes into {@link Frame}s. Long payloads are not copied: a frame holds slices
 * of the buffers that its bytes arrived in. Only what has arrived takes memory, whatever a head
 * announces. Whatever is wrong with the stream goes to {@code exceptionCaught} as a {@link
 * ProtocolException}, once; the rest of the stream is dropped.
 *
 * <p>Used by one event loop.
 */
public final class FrameDecoder extends ChannelInboundHandlerAdapter {

  /** More slices than this are merged by a copy: tiny packets must not pile up large objects. */
  private static final int MAX_SLICES = 256;

  /** So short a part is copied: a slice keeps the whole buffer that it lies in. */
  private static final int COPIED_BYTES = 4 << 10;

  private final ByteBuf headBytes = Unpooled.buffer(FrameDescriptor.BYTES, FrameDescriptor.BYTES);
  private final CRC32C crc = new CRC32C();
  private volatile int maxPayloadBytes;
  private @Nullable FrameDescriptor head;
  private @Nullable CompositeByteBuf payload;
  private int missingBytes;
  private boolean broken;

  /** Allows payloads of up to {@code maxPayloadBytes} bytes. */
  public FrameDecoder(int maxPayloadBytes) {
    this.maxPayloadBytes = maxPayloadBytes;
  }

  /** Allows other payloads, from the next frame on. */
  public void setMaxPayloadBytes(int bytes) {
    maxPayloadBytes = bytes;
  }

  /** Returns whether part of a frame has arrived. */
  public boolean isMidFrame() {
    return head != null || headBytes.isReadable();
  }

  /** Returns the bytes of memory that the payload of a partly arrived frame takes. */
  public int partBytes() {
    CompositeByteBuf parts = payload;
    return parts == null ? 0 : parts.readableBytes();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      while (in.isReadable() && !broken) {
        decode(context, in);
      }
    } catch (ProtocolException e) {
      giveUp();
      context.fireExceptionCaught(e);
    } finally {
      in.release();
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    giveUp();
  }

  /** Drops what has arrived of a frame, and all that comes from now on. */
  public void giveUp() {
    broken = true;
    dropPart();
  }

  private void decode(ChannelHandlerContext context, ByteBuf in) throws ProtocolException {
    FrameDescriptor current = head;
    if (current == null) {
      int bytes = Math.min(in.readableBytes(), headBytes.writableBytes());
      headBytes.writeBytes(in, bytes);
      if (headBytes.isWritable()) {
        return;
      }
      current = FrameDescriptor.decode(headBytes, maxPayloadBytes);
      headBytes.clear();
      head = current;
      missingBytes = current.payloadBytes();
      crc.reset();
    }
    int bytes = Math.min(missingBytes, in.readableBytes());
    if (bytes == missingBytes && payload == null) {
      ByteBuf whole = bytes == 0 ? Unpooled.EMPTY_BUFFER : part(in, bytes);
      FrameDescriptor.update(crc, whole, whole.readerIndex(), bytes);
      finish(context, current, whole);
    } else if (bytes > 0) {
      append(context, current, part(in, bytes));
    }
  }

  private static ByteBuf part(ByteBuf in, int bytes) {
    return bytes <= COPIED_BYTES ? in.readBytes(bytes) : in.readRetainedSlice(bytes);
  }

  private void append(ChannelHandlerContext context, FrameDescriptor current, ByteBuf part)
      throws ProtocolException {
    int bytes = part.readableBytes();
    FrameDescriptor.update(crc, part, part.readerIndex(), bytes);
    CompositeByteBuf parts = payload;
    if (parts == null) {
      parts = context.alloc().compositeBuffer(MAX_SLICES);
      payload = parts;
    }
    parts.addComponent(true, part);
    missingBytes -= bytes;
    if (missingBytes == 0) {
      payload = null;
      finish(context, current, parts);
    }
  }

  private void finish(ChannelHandlerContext context, FrameDescriptor current, ByteBuf whole)
      throws ProtocolException {
    head = null;
    if (!current.has(FrameDescriptor.NO_CHECKSUM) && (int) crc.getValue() != current.payloadCrc()) {
      whole.release();
      throw new ProtocolException("checksum of a frame's payload is wrong");
    }
    context.fireChannelRead(new Frame(current, whole));
  }

  private void dropPart() {
    CompositeByteBuf parts = payload;
    if (parts != null) {
      payload = null;
      parts.release();
    }
  }
}
