package io.github.roram.netserver;

import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.Message.Failure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the answers of one connection, and records them for the observer.
 *
 * <p>Thread safety: safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel goes to its pipeline
final class Replies {

  private static final Logger LOG = LoggerFactory.getLogger(Replies.class);

  private final Channel channel;
  private final RequestLog log;
  private final SendingMemory memory;

  Replies(Channel channel, RequestLog log, SendingMemory memory) {
    this.channel = channel;
    this.log = log;
    this.memory = memory;
  }

  /** Reports success without a payload. */
  void done(long id) {
    send(FrameType.DONE, id, payload -> {});
  }

  /**
   * Reports success.
   *
   * @param content writes the payload of the answer
   */
  void send(FrameType type, long id, Consumer<ByteBuf> content) {
    write(type, id, content);
    log.answered(id);
  }

  /** Returns whether the client is still connected. */
  boolean isOpen() {
    return channel.isActive();
  }

  /** Takes memory for a frame of a read's answer, as {@link SendingMemory#take} does. */
  boolean takeMemory(int bytes, Runnable later) {
    return memory.take(bytes, later);
  }

  /** Gives back memory for a frame that is not sent. */
  void giveMemory(int bytes) {
    memory.give(bytes);
  }

  /** Returns a buffer for a frame whose memory was taken. */
  ByteBuf newFrame(int bytes) {
    return channel.alloc().directBuffer(bytes);
  }

  /** Adds a frame of a read's answer, whose memory was taken; the next {@link #flush} sends it. */
  void data(long id, ByteBuf frame, int bytes, boolean last) {
    log.sent(id, bytes);
    if (last) {
      log.answered(id);
    }
    channel.write(frame).addListener(sent -> memory.give(bytes));
  }

  /** Sends the frames that were added. */
  void flush() {
    channel.flush();
  }

  /**
   * Reports that a request failed. If even that is impossible, closes the connection, so that the
   * client does not wait.
   */
  void error(long id, Throwable failure) {
    try {
      if (failure instanceof Error) {
        LOG.error("request of {} failed", channel.remoteAddress(), failure);
      } else if (RequestException.isServersOwn(failure)) {
        LOG.warn("request of {} failed", channel.remoteAddress(), failure);
      }
      Failure error = RequestException.describe(failure);
      log.failed(id, error.code());
      write(FrameType.ERROR, id, error::encode);
    } catch (Error e) {
      channel.close();
      throw e;
    }
  }

  private void write(FrameType type, long id, Consumer<ByteBuf> content) {
    ByteBuf payload = Unpooled.buffer();
    content.accept(payload);
    channel.writeAndFlush(
        FrameDescriptor.frame(channel.alloc(), type, 0, id, payload), channel.voidPromise());
  }

  /**
   * Memory for the answers of one connection that were read from a store and not yet sent.
   *
   * <p>Thread safety: safe.
   */
  static final class SendingMemory {

    private final MemoryBudget budget;
    private final AtomicLong heldBytes = new AtomicLong();

    SendingMemory(MemoryBudget budget) {
      this.budget = budget;
    }

    /**
     * Takes memory for a frame; if there is none, calls {@code later} when there may be. A
     * connection that holds none always gets it, so that slow readers do not make others wait.
     */
    boolean take(int bytes, Runnable later) {
      if (heldBytes.compareAndSet(0, bytes)) {
        budget.take(bytes);
        return true;
      }
      if (!budget.tryTake(bytes, later)) {
        if (heldBytes.get() == 0) {
          // The last frame was sent before this waiter was in line, so nobody would call it.
          budget.tellAll();
        }
        return false;
      }
      heldBytes.addAndGet(bytes);
      return true;
    }

    /** Gives back the memory of a frame that was sent or dropped. */
    void give(int bytes) {
      boolean none = heldBytes.addAndGet(-bytes) == 0;
      budget.give(bytes);
      if (none) {
        budget.tellAll();
      }
    }
  }

  /**
   * Tells the observer about each request of one connection once.
   *
   * <p>Thread safety: safe.
   */
  static final class RequestLog {

    /** An unanswered request; one thread at a time changes its counts. */
    private static final class Open {
      private final FrameType type;
      private final long startNanos;
      private volatile long bytesIn;
      private volatile long bytesOut;

      Open(FrameType type, long startNanos) {
        this.type = type;
        this.startNanos = startNanos;
      }
    }

    private final ServerObserver observer;
    private final LongSupplier nanoClock;
    private final Map<Long, Open> open = new ConcurrentHashMap<>();

    RequestLog(ServerObserver observer, LongSupplier nanoClock) {
      this.observer = observer;
      this.nanoClock = nanoClock;
    }

    /** Records that a request has arrived. */
    void begun(long id, FrameType type) {
      open.put(id, new Open(type, nanoClock.getAsLong()));
    }

    /** Records data of a request. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // event loop only
    void received(long id, long bytes) {
      Open request = open.get(id);
      if (request != null) {
        request.bytesIn += bytes;
      }
    }

    /** Records that part of an answer was sent. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // the parts go out one after another
    void sent(long id, long bytes) {
      Open request = open.get(id);
      if (request != null) {
        request.bytesOut += bytes;
      }
    }

    /** Records success. */
    void answered(long id) {
      ended(id, "ok");
    }

    /** Records an error. */
    void failed(long id, ErrorCode code) {
      Open request = open.get(id);
      if (code == ErrorCode.UNAUTHORISED) {
        observer.accessDenied();
      } else if (code == ErrorCode.LEASE_LOST) {
        observer.leaseLost();
      } else if (code == ErrorCode.LOCKED
          && request != null
          && request.type == FrameType.VOLUME_OPEN) {
        observer.leaseConflict();
      }
      ended(id, code.name().toLowerCase(Locale.ROOT));
    }

    private void ended(long id, String outcome) {
      Open request = open.remove(id);
      if (request != null) {
        observer.requestDone(
            request.type.name().toLowerCase(Locale.ROOT),
            outcome,
            nanoClock.getAsLong() - request.startNanos,
            request.bytesIn,
            request.bytesOut);
      }
    }
  }
}
