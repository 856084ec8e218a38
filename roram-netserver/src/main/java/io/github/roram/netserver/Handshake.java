package io.github.roram.netserver;

import io.github.roram.intake.Admission;
import io.github.roram.netserver.BlockServer.ServerContext;
import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.FrameDecoder;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.Frame;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.Message.Failure;
import io.github.roram.storage.remote.protocol.Message.Hello;
import io.github.roram.storage.remote.protocol.Message.Welcome;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first frames of a connection, which settle the version, the limits and the client's identity.
 * For use on the event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel goes to its pipeline
final class Handshake {

  /** Longest payload before the client is known. */
  static final int MAX_HELLO_BYTES = 2048;

  private static final Logger LOG = LoggerFactory.getLogger(Handshake.class);

  private final ServerContext server;
  private final Channel channel;
  private final FrameDecoder decoder;
  private final Admission.Visitor visitor;
  private int maxPayloadBytes = Welcome.MIN_PAYLOAD_BYTES;

  Handshake(
      ServerContext server, Channel channel, FrameDecoder decoder, Admission.Visitor visitor) {
    this.server = server;
    this.channel = channel;
    this.decoder = decoder;
    this.visitor = visitor;
  }

  /** Returns the longest payload that both sides accept. */
  int maxPayloadBytes() {
    return maxPayloadBytes;
  }

  /** Returns the client's hello; null if it was refused, after an error was sent. */
  @Nullable ClientIdentity accept(Frame frame) throws ProtocolException {
    Hello hello = hello(frame);
    Optional<ClientIdentity> who =
        server
            .config()
            .authenticator()
            .authenticate(Authenticator.Credentials.of(channel, hello.token()));
    if (who.isEmpty()) {
      server.config().observer().accessDenied();
      LOG.atWarn().addKeyValue("remote", channel.remoteAddress()).log("client not let in");
      refuse(
          frame.requestId(),
          ErrorCode.UNAUTHORISED,
          "not let in: check the certificate or the token");
      return null;
    }
    if (!visitor.admit()) {
      server.config().observer().connectionRefused();
      LOG.warn("too many connections: that from {} is closed", channel.remoteAddress());
      refuse(
          frame.requestId(),
          ErrorCode.BUSY,
          "the server has as many connections as it may, "
              + server.config().limits().maxConnections()
              + ": try again later");
      return null;
    }
    welcome(frame.requestId(), hello);
    return who.get();
  }

  private static Hello hello(Frame frame) throws ProtocolException {
    if (frame.type() != FrameType.HELLO) {
      throw new ProtocolException("connection starts with " + frame.type() + ", not a hello");
    }
    Hello hello = Hello.decode(frame.payload());
    int version = FrameDescriptor.VERSION;
    if (hello.oldestVersion() > version || hello.newestVersion() < version) {
      throw new ProtocolException(
          "client speaks versions "
              + hello.oldestVersion()
              + " to "
              + hello.newestVersion()
              + ", this server speaks "
              + version);
    }
    if (hello.maxPayloadBytes() < Welcome.MIN_PAYLOAD_BYTES) {
      throw new ProtocolException("client takes payloads of " + hello.maxPayloadBytes() + " bytes");
    }
    return hello;
  }

  private void welcome(long requestId, Hello hello) {
    ServerLimits limits = server.config().limits();
    maxPayloadBytes = Math.min(hello.maxPayloadBytes(), limits.maxPayloadBytes());
    decoder.setMaxPayloadBytes(maxPayloadBytes);
    ByteBuf payload = Unpooled.buffer();
    new Welcome(
            FrameDescriptor.VERSION,
            maxPayloadBytes,
            limits.maxRequestBytes(),
            limits.maxExtents(),
            server.serverId())
        .encode(payload);
    channel.writeAndFlush(
        FrameDescriptor.frame(channel.alloc(), FrameType.WELCOME, 0, requestId, payload));
  }

  private void refuse(long requestId, ErrorCode code, String message) {
    ByteBuf payload = Unpooled.buffer();
    new Failure(code, message).encode(payload);
    channel
        .writeAndFlush(
            FrameDescriptor.frame(channel.alloc(), FrameType.ERROR, 0, requestId, payload))
        .addListener(ChannelFutureListener.CLOSE);
  }
}
