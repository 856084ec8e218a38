package io.github.roram.proxy.client;

import io.github.roram.OramConfig;
import io.github.roram.proxy.protocol.AnswerDescriptor;
import io.github.roram.proxy.protocol.AnswerDescriptor.AnswerStatus;
import io.github.roram.proxy.protocol.RequestDescriptor;
import io.github.roram.proxy.protocol.RequestDescriptor.RequestType;
import io.github.roram.proxy.protocol.WelcomeDescriptor;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;

/** A line whose other end welcomes a client, and does what else it asks for, or is silent. */
final class FakeProxy extends ProxyLine {

  private static final OramConfig CONFIG = OramConfig.builder(90).blockBytes(512).build();

  private final EmbeddedChannel channel = new EmbeddedChannel();

  FakeProxy(ProxyOptions options, Listener listener, boolean silent) {
    super(listener);
    channel
        .pipeline()
        .addLast(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void write(ChannelHandlerContext context, Object message, ChannelPromise done)
                  throws Exception {
                byte[] head = new byte[RequestDescriptor.HEAD_BYTES];
                ((ByteBuf) message).readBytes(head).release();
                RequestDescriptor request = RequestDescriptor.decode(head);
                if (request.type() == RequestType.HELLO) {
                  answer(request, new WelcomeDescriptor(CONFIG, 512, 64, 1).encode());
                } else if (!silent) {
                  answer(request, ByteBuffer.allocate(0));
                }
                done.setSuccess();
              }
            });
    fill(channel, options);
  }

  private void answer(RequestDescriptor request, ByteBuffer payload) {
    AnswerDescriptor head =
        new AnswerDescriptor(AnswerStatus.OK, request.id(), payload.remaining());
    channel.writeInbound(Unpooled.wrappedBuffer(head.encode(), payload));
  }

  @Override
  Channel channel() {
    return channel;
  }

  @Override
  void close() {
    channel.close();
  }
}
