package io.github.roram.netserver;

import io.github.roram.intake.Admission;
import io.github.roram.netserver.BlockServer.ServerContext;
import io.github.roram.netserver.Replies.RequestLog;
import io.github.roram.netserver.Replies.SendingMemory;
import io.github.roram.netserver.ServerLimits.ReadLimits;
import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.FrameDecoder;
import io.github.roram.storage.remote.protocol.FrameDescriptor.Frame;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.store.PrintableText;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's end of a connection: passes what arrives to the classes that handle it. {@link
 * Handshake} comes first, then {@link RequestDispatch}. {@link ConnectionIntake} limits what the
 * server holds for the client, {@link ReadQueue} and {@link SendingMemory} limit what it has read
 * for the client, {@link Replies} sends answers, and {@link ConnectionWatch} ends connections that
 * keep the server waiting. An error in a request is answered; an error in the stream ends the
 * connection. Call methods on the event loop unless they say otherwise.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel goes to its pipeline
final class ConnectionHandler extends ChannelInboundHandlerAdapter implements Volume.Holder {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandler.class);

  private final ServerObserver observer;
  private final Channel channel;
  private final FrameDecoder decoder;
  private final Handshake handshake;
  private final ConnectionWatch watch;
  private final RequestDispatch dispatch;
  private final ConnectionIntake intake;
  private final ReadQueue reads;
  private final Replies replies;
  private volatile @Nullable ClientIdentity identity;

  ConnectionHandler(
      ServerContext server, Channel channel, FrameDecoder decoder, Admission.Visitor visitor) {
    this.channel = channel;
    this.decoder = decoder;
    ServerConfig config = server.config();
    observer = config.observer();
    RequestLog log = new RequestLog(observer, config.nanoClock());
    handshake = new Handshake(server, channel, decoder, visitor);
    watch = new ConnectionWatch(config.timeouts(), config.nanoClock());
    intake =
        new ConnectionIntake(
            server,
            channel,
            server.unfinishedFrames().connected(this::giveUpUnfinishedSoon),
            this::awaitsData,
            watch::heard);
    int atATime = config.limits().reads().granted(ReadLimits.UNASKED);
    reads = new ReadQueue(channel, server.threads(), intake, atATime);
    replies = new Replies(channel, log, new SendingMemory(server.budget()));
    VolumeRequests volumes = new VolumeRequests(server, channel, this, reads, replies, intake);
    dispatch = new RequestDispatch(server, this, volumes, reads, replies, intake, log);
  }

  private boolean awaitsData() {
    return dispatch.awaitsData();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    watch.start();
    context.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Frame frame = (Frame) message;
    watch.heard();
    intake.unfinished(0); // whatever comes behind this frame is a younger one
    boolean kept = false;
    try {
      kept = handle(frame);
    } catch (ProtocolException e) {
      fail(frame.requestId(), e);
    } finally {
      if (!kept) {
        frame.release();
      }
    }
    intake.adjust();
  }

  private boolean handle(Frame frame) throws ProtocolException {
    if (identity != null) {
      return dispatch.handle(frame);
    }
    identity = handshake.accept(frame);
    dispatch.begin(frame.requestId(), handshake.maxPayloadBytes());
    return false;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    intake.unfinished(decoder.partBytes());
    context.fireChannelReadComplete();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof ProtocolException e) {
      fail(0, e);
    } else {
      LOG.debug("{}: {}", channel.remoteAddress(), PrintableText.of(cause.toString()));
      channel.close();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (channel.isWritable()) {
      watch.writable();
      reads.wake();
    } else {
      watch.unwritable();
    }
    intake.adjust();
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshakeEnd && !handshakeEnd.isSuccess()) {
      observer.accessDenied();
      LOG.atInfo()
          .addKeyValue("remote", channel.remoteAddress())
          .addKeyValue("cause", PrintableText.of(String.valueOf(handshakeEnd.cause())))
          .log("no TLS with a client");
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    watch.stop();
    intake.unfinished(0);
    reads.wake();
    dispatch.disconnected();
    context.fireChannelInactive();
  }

  /** May be called on any thread. */
  @Override
  public void fenced(String why) {
    replies.error(0, new RequestException(ErrorCode.LEASE_LOST, why));
    channel.eventLoop().execute(channel::close);
  }

  /** May be called on any thread; there are no requests before the client is known. */
  @Override
  public ClientIdentity client() {
    return Objects.requireNonNull(identity, "a client that is not known");
  }

  /** Reports that the stream is unintelligible, and ends the connection. */
  private void fail(long id, ProtocolException e) {
    LOG.info(
        "{} broke the protocol: {}", channel.remoteAddress(), PrintableText.of(e.getMessage()));
    end(id, e);
  }

  /**
   * May be called on any thread. On the connection's own it acts at once, to free the memory at
   * once.
   */
  private void giveUpUnfinishedSoon() {
    if (channel.eventLoop().inEventLoop()) {
      giveUpUnfinished();
    } else {
      channel.eventLoop().execute(this::giveUpUnfinished);
    }
  }

  private void giveUpUnfinished() {
    decoder.giveUp();
    intake.unfinished(0);
    LOG.info(
        "the connection from {} is closed: too many frames are unfinished, and it began its"
            + " own first",
        channel.remoteAddress());
    end(
        0,
        new RequestException(
            ErrorCode.BUSY, "too many frames are unfinished here, and yours began first"));
  }

  private void end(long id, Exception reason) {
    channel.config().setAutoRead(false);
    replies.error(id, reason);
    channel.eventLoop().execute(channel::close);
  }

  /** Ends connections that keep the server waiting. For use on the event loop. */
  @SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel goes to its pipeline
  private final class ConnectionWatch {

    private final ServerTimeouts timeouts;
    private final LongSupplier nanoClock;
    private final long startNanos;
    private long heardNanos;
    private long unwritableNanos;
    private boolean unwritable;
    private @Nullable Future<?> checks;

    ConnectionWatch(ServerTimeouts times, LongSupplier nanoClock) {
      this.timeouts = times;
      this.nanoClock = nanoClock;
      startNanos = nanoClock.getAsLong();
      heardNanos = startNanos;
    }

    void start() {
      long shortest = Long.MAX_VALUE;
      for (Duration one :
          new Duration[] {
            timeouts.handshake(), timeouts.idle(), timeouts.sender(), timeouts.reader()
          }) {
        shortest = Math.min(shortest, one.toMillis());
      }
      long periodMillis = Math.max(10, Math.min(1000, shortest / 4));
      checks =
          channel
              .eventLoop()
              .scheduleWithFixedDelay(
                  this::check, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
    }

    void stop() {
      Future<?> running = checks;
      if (running != null) {
        running.cancel(false);
      }
    }

    /** Notes that a complete frame has arrived, or that this side was not reading. */
    void heard() {
      heardNanos = nanoClock.getAsLong();
    }

    void unwritable() {
      unwritable = true;
      unwritableNanos = nanoClock.getAsLong();
    }

    void writable() {
      unwritable = false;
    }

    private void check() {
      long now = nanoClock.getAsLong();
      boolean reading = channel.config().isAutoRead();
      long silence = now - heardNanos;
      if (identity == null && isOver(now - startNanos, timeouts.handshake())) {
        end("it did not say who it is");
      } else if (unwritable && isOver(now - unwritableNanos, timeouts.reader())) {
        end("it does not take what it asked for");
      } else if (reading
          && (decoder.isMidFrame() || dispatch.awaitsData())
          && isOver(silence, timeouts.sender())) {
        end("it does not send what it has begun");
      } else if (reading && intake.isIdle() && isOver(silence, timeouts.idle())) {
        end("it has been silent");
      }
    }

    private static boolean isOver(long nanos, Duration bound) {
      return nanos > bound.toNanos();
    }

    private void end(String reason) {
      LOG.info("the connection from {} is closed: {}", channel.remoteAddress(), reason);
      channel.close();
    }
  }
}
