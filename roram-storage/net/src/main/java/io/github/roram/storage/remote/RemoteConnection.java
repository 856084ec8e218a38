package io.github.roram.storage.remote;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.remote.protocol.CarriedWatermark;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.Frame;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.Message.Failure;
import io.github.roram.storage.remote.protocol.Message.Welcome;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.store.PrintableText;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreFullException;
import io.github.roram.store.StoreLockedException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server: many requests under way, told apart by number. Once it failed it
 * stays so.
 *
 * <p>When more than a window of bytes waits for callers, the connection stops reading until half of
 * it was taken.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel goes to its pipeline
final class RemoteConnection implements Closeable {

  /** Number of silent intervals after which the server is considered dead. */
  private static final int SILENT_INTERVALS = 3;

  /**
   * Memory of a frame that waits for its caller, besides its payload: empty ones take some, too.
   */
  private static final int FRAME_MEMORY_BYTES = 512;

  /** Bytes to send at a time: TLS encrypts everything that waits before it sends any of it. */
  private static final int FLUSH_BYTES = 128 << 10;

  private final Channel channel;
  private final RemoteAddress server;
  private final int windowBytes;
  private final Map<Long, Exchange> exchanges = new ConcurrentHashMap<>();
  private final AtomicLong queuedBytes = new AtomicLong();
  private final Object sendLock = new Object();
  private long lastRequestId;
  private volatile Welcome limits;
  private volatile Supplier<byte[]> watermark = CarriedWatermark::none;
  private volatile @Nullable ConnectionLostException failure;
  private volatile boolean paused;
  private volatile long resumedNanos = System.nanoTime();
  private volatile long heardNanos = System.nanoTime();
  private volatile long sentNanos = System.nanoTime();

  /** Creates a connection over a channel before its handshake. */
  RemoteConnection(Channel channel, RemoteAddress server, int windowBytes) {
    this.channel = channel;
    this.server = server;
    this.windowBytes = windowBytes;
    limits = new Welcome(1, Welcome.MIN_PAYLOAD_BYTES, 1, 1, 0);
  }

  /** Sets the supplier of the watermark with which each request about the volume begins. */
  void carry(Supplier<byte[]> newest) {
    watermark = newest;
  }

  /** Returns the server's limits, known after the handshake. */
  Welcome limits() {
    return limits;
  }

  void setLimits(Welcome welcome) {
    limits = welcome;
  }

  boolean isOpen() {
    return failure == null;
  }

  ByteBufAllocator allocator() {
    return channel.alloc();
  }

  /** Starts a request of one frame; {@code payload} is copied. */
  Exchange request(FrameType type, ByteBuf payload) throws ConnectionLostException {
    return request(type, payload, List.of());
  }

  /** Takes what is needed from the payload of an answer. */
  @FunctionalInterface
  interface Reader<T> {
    T read(ByteBuf payload) throws ProtocolException;
  }

  /** Makes a request whose answer is one frame of the expected type, and waits for that. */
  <T> T ask(
      FrameType type, ByteBuf payload, FrameType expected, Reader<T> reader, long timeoutNanos)
      throws IOException {
    try (Exchange exchange = request(type, payload)) {
      Frame answer = exchange.take(timeoutNanos);
      try {
        Answers.expect(answer, expected, server);
        return reader.read(answer.payload());
      } finally {
        answer.release();
      }
    }
  }

  /** Does something after a while, on the connection's thread, unless it is cancelled. */
  Future<?> soon(long nanos, Runnable task) {
    return channel.eventLoop().schedule(task, nanos, TimeUnit.NANOSECONDS);
  }

  /** Starts a request with data behind it, whose bytes are not copied: they must stay. */
  Exchange request(FrameType type, ByteBuf payload, List<ByteBuf> data)
      throws ConnectionLostException {
    synchronized (sendLock) {
      Exchange exchange = new Exchange(this, ++lastRequestId);
      long id = exchange.requestId();
      exchanges.put(id, exchange);
      ConnectionLostException lost = failure;
      if (lost != null) {
        exchanges.remove(id);
        throw new ConnectionLostException(lost);
      }
      ByteBuf whole =
          CarriedWatermark.isOf(type) ? CarriedWatermark.before(payload, watermark.get()) : payload;
      send(FrameDescriptor.frame(allocator(), type, 0, id, whole));
      long waiting = 0;
      for (int i = 0; i < data.size(); i++) {
        ByteBuf part = data.get(i);
        ByteBuf head = allocator().buffer(FrameDescriptor.BYTES, FrameDescriptor.BYTES);
        int flags = i == data.size() - 1 ? FrameDescriptor.LAST : 0;
        FrameDescriptor.head(FrameType.DATA, flags, id, part).encode(head);
        send(head);
        channel.write(part.retainedDuplicate()).addListener(sent -> sentNanos = System.nanoTime());
        waiting += part.readableBytes();
        if (waiting >= FLUSH_BYTES) {
          channel.flush();
          waiting = 0;
        }
      }
      channel.flush();
      return exchange;
    }
  }

  private void send(ByteBuf bytes) {
    channel.write(bytes, channel.voidPromise());
  }

  /** Pings whenever nothing was heard for an interval, and gives up on a server that is silent. */
  void startPinging(long intervalNanos) {
    Future<?> pings =
        channel
            .eventLoop()
            .scheduleWithFixedDelay(
                () -> ping(intervalNanos),
                intervalNanos / 2,
                intervalNanos / 2,
                TimeUnit.NANOSECONDS);
    channel.closeFuture().addListener(end -> pings.cancel(false)); // the event loop serves others
  }

  private void ping(long intervalNanos) {
    long silence = System.nanoTime() - Math.max(heardNanos, latestPause(heardNanos));
    if (!isOpen() || silence < intervalNanos) {
      return;
    }
    if (silence > SILENT_INTERVALS * intervalNanos) {
      abandon(new ConnectionLostException(server + " has been silent for too long", null));
      return;
    }
    synchronized (sendLock) {
      ByteBuf ping =
          FrameDescriptor.frame(
              allocator(), FrameType.PING, 0, ++lastRequestId, Unpooled.EMPTY_BUFFER);
      channel.writeAndFlush(ping, channel.voidPromise());
    }
  }

  /**
   * Returns the later of {@code sinceNanos} and the last moment at which no answer was to be
   * expected, because this side was not reading, or the system was still sending data of a request,
   * behind which a ping waits, too.
   */
  long latestPause(long sinceNanos) {
    long pause = paused ? System.nanoTime() : resumedNanos;
    return later(later(sinceNanos, sentNanos), pause);
  }

  private static long later(long first, long second) {
    return second - first > 0 ? second : first;
  }

  /** Notes that a frame has left its queue. */
  void consumed(Frame frame) {
    long left = queuedBytes.addAndGet(-memoryBytes(frame));
    if (paused && isOpen() && left < windowBytes / 2) {
      channel.eventLoop().execute(this::resume);
    }
  }

  void forget(Exchange exchange) {
    exchanges.remove(exchange.requestId());
  }

  /** Ends the connection; all requests under way fail. */
  void abandon(ConnectionLostException cause) {
    if (failure == null) {
      failure = cause;
    }
    channel.close();
    for (Exchange exchange : exchanges.values()) {
      exchange.fail(cause);
    }
  }

  /** Ends the connection in peace. */
  @Override
  public void close() {
    abandon(new ConnectionLostException("the connection to " + server + " was closed here", null));
  }

  @Override
  public String toString() {
    return server.toString();
  }

  private void resume() {
    if (paused && queuedBytes.get() < windowBytes / 2) {
      resumedNanos = System.nanoTime();
      paused = false;
      channel.config().setAutoRead(true);
    }
  }

  private static long memoryBytes(Frame frame) {
    return FRAME_MEMORY_BYTES + (long) frame.head().payloadBytes();
  }

  private void received(Frame frame) {
    if (saysNothing(frame.head())) {
      frame.release();
      abandon(
          new ConnectionLostException(
              server + " answers with data of no bytes, not the last", null));
      return;
    }
    if (frame.requestId() == 0 && frame.type() == FrameType.ERROR) {
      abandon(new ConnectionLostException(server + ": " + reason(frame), null));
      return;
    }
    Exchange exchange = exchanges.get(frame.requestId());
    if (exchange == null) {
      frame.release();
      return;
    }
    long queued = queuedBytes.addAndGet(memoryBytes(frame));
    exchange.offer(frame);
    if (queued > windowBytes && !paused) {
      paused = true;
      channel.config().setAutoRead(false);
      resume();
    }
  }

  /** Returns the server's reason for ending the connection: an error that belongs to no request. */
  private static String reason(Frame frame) {
    try {
      return Failure.decode(frame.payload()).message();
    } catch (ProtocolException e) {
      return String.valueOf(e.getMessage());
    } finally {
      frame.release();
    }
  }

  /**
   * Returns whether a frame is empty and not the last of its answer. With such frames an answer
   * could go on for ever, and the server would never be considered dead.
   */
  private static boolean saysNothing(FrameDescriptor head) {
    return head.type() == FrameType.DATA
        && head.payloadBytes() == 0
        && !head.has(FrameDescriptor.LAST);
  }

  /** Takes frames from the pipeline to where they are awaited. */
  final class Receiver extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      heardNanos = System.nanoTime();
      received((Frame) message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      String said = PrintableText.of(cause.getMessage()); // TLS quotes what the other side sent
      abandon(new ConnectionLostException(server + ": " + said, cause));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      abandon(new ConnectionLostException(server + " closed the connection", null));
    }
  }

  /** A connection ended, or never came to be: what was asked over it may be asked again. */
  static final class ConnectionLostException extends IOException {
    private static final long serialVersionUID = 1L;

    ConnectionLostException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }

    /** Creates a copy for another thread. */
    ConnectionLostException(ConnectionLostException cause) {
      super(String.valueOf(cause.getMessage()), cause);
    }
  }

  /** From what a server answers to what a store's user expects. */
  static final class Answers {

    private Answers() {}

    /** Throws what an error stands for, or that the answer is of another type than expected. */
    static void expect(Frame answer, FrameType type, RemoteAddress address) throws IOException {
      if (answer.type() == FrameType.ERROR) {
        Failure error = Failure.decode(answer.payload());
        throw toException(error, address);
      }
      if (answer.type() != type) {
        throw new ProtocolException("answer is " + answer.type() + " instead of " + type);
      }
    }

    private static IOException toException(Failure error, RemoteAddress address) {
      String message = address + ": " + error.message();
      return switch (error.code()) {
        case IO -> new IOException(message);
        case FULL -> new StoreFullException(message, new IOException(error.message()));
        case DAMAGED -> new StoreDamagedException(message);
        case LOCKED -> new StoreLockedException(message);
        case NO_SUCH_VOLUME -> new NoSuchFileException(address.toString(), null, error.message());
        case VOLUME_EXISTS ->
            new FileAlreadyExistsException(address.toString(), null, error.message());
        case UNAUTHORISED -> new AccessDeniedException(address.toString(), null, error.message());
        case LEASE_LOST -> new LeaseLostException(message);
        case OUT_OF_BOUNDS -> throw new IndexOutOfBoundsException(message);
        case TOO_LARGE, INVALID -> throw new ConfigurationException(message);
        case BUSY, DRAINING, PROTOCOL -> new ConnectionLostException(message, null);
      };
    }
  }
}
