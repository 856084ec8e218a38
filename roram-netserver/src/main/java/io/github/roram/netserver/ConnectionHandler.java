package io.github.roram.netserver;

import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.ErrorDescriptor;
import io.github.roram.storage.remote.protocol.ExtentsDescriptor;
import io.github.roram.storage.remote.protocol.Frame;
import io.github.roram.storage.remote.protocol.FrameDecoder;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameType;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.storage.remote.protocol.VolumeCreateDescriptor;
import io.github.roram.storage.remote.protocol.VolumeNameDescriptor;
import io.github.roram.storage.remote.protocol.VolumeOpenDescriptor;
import io.github.roram.store.ExtentBatch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's end of a connection: takes requests, has them done off the event loop, and sends the
 * answers. What is wrong with a request is answered; what is wrong with the stream ends the
 * connection. Methods are for the event loop unless they say otherwise.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel goes to its pipeline
final class ConnectionHandler extends ChannelInboundHandlerAdapter implements Volume.Holder {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandler.class);

  /** Reads of one connection that are answered at the same time; others wait for their turn. */
  private static final int MAX_ACTIVE_READS = 4;

  /** Full lists of extents that one connection may have under way. */
  private static final int LISTS_OF_EXTENTS = 4;

  /** Memory of an extent of a request, with room for growth. */
  private static final long EXTENT_MEMORY_BYTES = 32;

  private final ServerContext server;
  private final ServerLimits limits;
  private final Channel channel;
  private final Handshake handshake;
  private final ConnectionWatch watch;
  private final RequestLog log;
  private final VolumeRequests volumes;
  private final Map<Long, WriteJob> writes = new HashMap<>();
  private final ArrayDeque<ReadJob> waitingReads = new ArrayDeque<>();
  private final ArrayDeque<ReadJob> restingReads = new ArrayDeque<>();
  private @Nullable ClientIdentity identity;
  private long lastRequestId;
  private long bufferedBytes;
  private int extentsUnderWay;
  private final AtomicLong sendingBytes = new AtomicLong();
  private int requests;
  private int activeReads;

  ConnectionHandler(ServerContext server, Channel channel, FrameDecoder decoder) {
    this.server = server;
    this.channel = channel;
    limits = server.config().limits();
    handshake = new Handshake(server, channel, decoder);
    volumes = new VolumeRequests(server, this);
    log = new RequestLog(server.config().observer());
    watch = new ConnectionWatch(this, channel, decoder, server.config().timeouts());
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
    adjustReading();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof ProtocolException e) {
      fail(0, e);
    } else {
      LOG.debug("{}: {}", channel.remoteAddress(), cause.toString());
      channel.close();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (channel.isWritable()) {
      watch.writable();
      while (!restingReads.isEmpty()) {
        server.threads().execute(restingReads.remove());
      }
    } else {
      watch.unwritable();
    }
    adjustReading();
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshakeEnd && !handshakeEnd.isSuccess()) {
      server.config().observer().accessDenied();
      LOG.atInfo()
          .addKeyValue("remote", channel.remoteAddress())
          .addKeyValue("cause", String.valueOf(handshakeEnd.cause()))
          .log("no TLS with a client");
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    watch.stop();
    while (!restingReads.isEmpty()) {
      server.threads().execute(restingReads.remove()); // they see that the channel is closed
    }
    for (WriteJob unfinished : writes.values()) {
      discharge(unfinished.extents());
      ended();
    }
    writes.clear();
    volumes.disconnected();
    context.fireChannelInactive();
  }

  /** Any thread. */
  @Override
  public void fenced() {
    replyError(0, new RequestException(ErrorCode.LEASE_LOST, "another connection has the lease"));
    channel.eventLoop().execute(channel::close);
  }

  /** Any thread. */
  boolean isOpen() {
    return channel.isActive();
  }

  /** Any thread. */
  ByteBufAllocator allocator() {
    return channel.alloc();
  }

  /** Any thread. */
  MemoryBudget budget() {
    return server.budget();
  }

  int maxPayloadBytes() {
    return handshake.maxPayloadBytes();
  }

  @Nullable ClientIdentity identity() {
    return identity;
  }

  /** Any thread. */
  void onLoop(Runnable task) {
    channel.eventLoop().execute(task);
  }

  /** Whether nothing is under way, so that silence means that nobody is there. */
  boolean isIdle() {
    return requests == 0;
  }

  /** Whether the rest of a write is due. */
  boolean awaitsData() {
    return !writes.isEmpty() && channel.config().isAutoRead();
  }

  boolean isHandshaken() {
    return identity != null;
  }

  /** Deals with a frame; true if it is kept, and released later. */
  private boolean handle(Frame frame) throws ProtocolException {
    if (identity == null) {
      identity = handshake.accept(frame);
      lastRequestId = frame.requestId();
      return false;
    }
    if (frame.type() == FrameType.DATA) {
      return data(frame);
    }
    if (frame.requestId() <= lastRequestId) {
      throw new ProtocolException(
          "request " + frame.requestId() + " came after request " + lastRequestId);
    }
    lastRequestId = frame.requestId();
    if (frame.type() == FrameType.PING) {
      replyDone(frame.requestId());
      return false;
    }
    begun();
    log.begun(frame.requestId(), frame.type());
    try {
      dispatch(frame);
    } catch (ProtocolException e) {
      ended();
      throw e;
    }
    return false;
  }

  private void dispatch(Frame frame) throws ProtocolException {
    long id = frame.requestId();
    ByteBuf payload = frame.payload();
    switch (frame.type()) {
      case READ -> read(id, payload);
      case WRITE -> write(id, payload);
      case SYNC -> volumes.sync(id);
      case VOLUME_CLOSE -> volumes.close(id);
      case VOLUME_CREATE -> volumes.create(id, VolumeCreateDescriptor.decode(payload));
      case VOLUME_OPEN -> volumes.open(id, VolumeOpenDescriptor.decode(payload));
      case VOLUME_STAT -> volumes.stat(id, VolumeNameDescriptor.decode(payload).name());
      case VOLUME_DELETE -> volumes.delete(id, VolumeNameDescriptor.decode(payload).name());
      default -> throw new ProtocolException("a client does not send " + frame.type());
    }
  }

  private void read(long id, ByteBuf payload) throws ProtocolException {
    ExtentBatch extents = new ExtentBatch();
    try {
      Volume open = transferable(extents, payload);
      waitingReads.add(new ReadJob(this, open, id, extents));
      startReads();
    } catch (RequestException | ExtentsDescriptor.TooLargeException | RuntimeException e) {
      refuse(id, e);
    }
  }

  private void write(long id, ByteBuf payload) throws ProtocolException {
    ExtentBatch extents = new ExtentBatch();
    WriteJob job;
    try {
      job = new WriteJob(this, transferable(extents, payload), id, extents, null);
    } catch (RequestException | ExtentsDescriptor.TooLargeException | RuntimeException e) {
      ExtentBatch none = new ExtentBatch();
      job = new WriteJob(this, null, id, none, requestException(e));
    }
    writes.put(id, job);
  }

  private Volume transferable(ExtentBatch extents, ByteBuf payload)
      throws ProtocolException, RequestException, ExtentsDescriptor.TooLargeException {
    ExtentsDescriptor.decode(payload, extents, limits.maxExtents(), limits.maxRequestBytes());
    refuseWhileDraining();
    Volume open = volumes.opened();
    extents.checkWithin(open.store().capacityBytes());
    admit(extents.extents());
    return open;
  }

  /**
   * Lists of extents take memory until their request is done. One request is always taken, so that
   * nobody is kept out by what others hold.
   */
  private void admit(int extents) throws RequestException {
    boolean many = extentsUnderWay + extents > LISTS_OF_EXTENTS * (long) limits.maxExtents();
    if (extentsUnderWay > 0 && (many || budget().isFull())) {
      throw new RequestException(
          ErrorCode.BUSY, extentsUnderWay + " extents are under way on this connection, wait");
    }
    extentsUnderWay += extents;
    budget().take(extents * EXTENT_MEMORY_BYTES);
  }

  private void discharge(int extents) {
    extentsUnderWay -= extents;
    budget().give(extents * EXTENT_MEMORY_BYTES);
  }

  private boolean data(Frame frame) throws ProtocolException {
    WriteJob job = writes.get(frame.requestId());
    if (job == null) {
      throw new ProtocolException("data for request " + frame.requestId() + ", which is no write");
    }
    job.check(frame);
    if (frame.head().has(FrameDescriptor.LAST)) {
      writes.remove(frame.requestId());
    }
    bufferedBytes += frame.head().payloadBytes();
    log.received(frame.requestId(), frame.head().payloadBytes());
    budget().take(frame.head().payloadBytes());
    job.accept(frame);
    return true;
  }

  void refuseWhileDraining() throws RequestException {
    if (server.state().isDraining()) {
      throw new RequestException(ErrorCode.DRAINING, "the server is shutting down");
    }
  }

  private static Exception requestException(Exception e) {
    return e instanceof ExtentsDescriptor.TooLargeException
        ? new RequestException(ErrorCode.TOO_LARGE, String.valueOf(e.getMessage()))
        : e;
  }

  void refuse(long id, Exception e) {
    replyError(id, requestException(e));
    ended();
  }

  private void begun() {
    requests++;
    server.state().begin();
  }

  private void ended() {
    requests--;
    server.state().end();
  }

  /** Any thread: a request was answered. */
  void requestEnded() {
    channel
        .eventLoop()
        .execute(
            () -> {
              ended();
              adjustReading();
            });
  }

  /** Any thread: a write was answered. */
  void writeEnded(int extents) {
    onLoop(() -> discharge(extents));
    requestEnded();
  }

  /** Any thread: a read was answered. */
  void readEnded(int extents) {
    channel
        .eventLoop()
        .execute(
            () -> {
              discharge(extents);
              activeReads--;
              ended();
              startReads();
              adjustReading();
            });
  }

  private void startReads() {
    while (activeReads < MAX_ACTIVE_READS && !waitingReads.isEmpty()) {
      activeReads++;
      server.threads().execute(waitingReads.remove());
    }
  }

  /** Any thread: received bytes have left memory. */
  void stored(int bytes) {
    budget().give(bytes);
    channel
        .eventLoop()
        .execute(
            () -> {
              bufferedBytes -= bytes;
              adjustReading();
            });
  }

  /** Stops taking more while there is too much already. */
  private void adjustReading() {
    boolean full =
        !channel.isWritable() // who does not take answers is not asked for more
            || bufferedBytes > limits.connectionBufferBytes()
            || requests >= limits.maxRequests()
            || (bufferedBytes > 0
                && budget().isExceeded(() -> channel.eventLoop().execute(this::adjustReading)));
    if (full == channel.config().isAutoRead()) {
      watch.heard();
      channel.config().setAutoRead(!full);
    }
  }

  /** Any thread: goes on with a read once the client has taken what was sent. */
  void resumeWhenWritable(ReadJob job) {
    if (channel.isWritable()) {
      server.threads().execute(job);
    } else {
      channel
          .eventLoop()
          .execute(
              () -> {
                if (channel.isWritable() || !channel.isActive()) {
                  server.threads().execute(job);
                } else {
                  restingReads.add(job);
                }
              });
    }
  }

  /** Any thread: goes on with a read that waited for memory. */
  void resumeLater(ReadJob job) {
    server.threads().execute(job);
  }

  /**
   * Any thread: takes memory for a frame of an answer; else calls {@code later} once there is some.
   * A connection that holds none gets it in any case: slow readers do not keep others waiting.
   */
  boolean takeForSending(int bytes, Runnable later) {
    if (sendingBytes.compareAndSet(0, bytes)) {
      budget().take(bytes);
      return true;
    }
    if (!budget().tryTake(bytes, later)) {
      return false;
    }
    sendingBytes.addAndGet(bytes);
    return true;
  }

  /** Any thread: memory for sending is free again. */
  void sent(int bytes) {
    boolean none = sendingBytes.addAndGet(-bytes) == 0;
    budget().give(bytes);
    if (none) {
      budget().tellAll();
    }
  }

  /** Any thread: sends a frame of a read's answer, whose memory was taken. */
  void sendData(long id, ByteBuf frame, int bytes, boolean last) {
    log.sent(id, bytes);
    if (last) {
      log.answered(id);
    }
    channel.writeAndFlush(frame).addListener(sent -> sent(bytes));
  }

  /** Any thread. */
  void replyDone(long id) {
    reply(FrameType.DONE, id, payload -> {});
  }

  /** Any thread. */
  void replyError(long id, Throwable failure) {
    if (RequestException.isServersOwn(failure)) {
      LOG.warn("request of {} failed", channel.remoteAddress(), failure);
    }
    ErrorDescriptor error = RequestException.describe(failure);
    log.failed(id, error.code());
    reply(FrameType.ERROR, id, error::encode);
  }

  /** Writes a payload. */
  @FunctionalInterface
  interface Payload {
    void encode(ByteBuf out);
  }

  /** Any thread. */
  void reply(FrameType type, long id, Payload content) {
    ByteBuf payload = Unpooled.buffer();
    content.encode(payload);
    channel.writeAndFlush(
        FrameDescriptor.frame(allocator(), type, 0, id, payload), channel.voidPromise());
    if (type != FrameType.ERROR) {
      log.answered(id);
    }
  }

  /** The stream cannot be understood: says so and ends it. */
  private void fail(long id, ProtocolException e) {
    LOG.info("{} broke the protocol: {}", channel.remoteAddress(), e.getMessage());
    channel.config().setAutoRead(false);
    replyError(id, e);
    channel.eventLoop().execute(channel::close);
  }
}
