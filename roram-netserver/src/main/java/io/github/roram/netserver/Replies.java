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
 * Sends the answers of one connection, and tells the log of them.
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

  /** The request was done, and there is nothing more to say. */
  void done(long id) {
    send(FrameType.DONE, id, payload -> {});
  }

  /**
   * The request was done.
   *
   * @param content writes the payload of the answer
   */
  void send(FrameType type, long id, Consumer<ByteBuf> content) {
    write(type, id, content);
    log.answered(id);
  }

  /** Whether anyone is there to be answered. */
  boolean isOpen() {
    return channel.isActive();
  }

  /** As {@link SendingMemory#take}, for a frame of a read's answer. */
  boolean takeMemory(int bytes, Runnable later) {
    return memory.take(bytes, later);
  }

  /** Nothing comes of a frame whose memory was taken. */
  void giveMemory(int bytes) {
    memory.give(bytes);
  }

  /** Room for a frame, whose memory was taken. */
  ByteBuf newFrame(int bytes) {
    return channel.alloc().directBuffer(bytes);
  }

  /** A frame of a read's answer, whose memory was taken; goes out with the next {@link #flush}. */
  void data(long id, ByteBuf frame, int bytes, boolean last) {
    log.sent(id, bytes);
    if (last) {
      log.answered(id);
    }
    channel.write(frame).addListener(sent -> memory.give(bytes));
  }

  /** Sends what was written. */
  void flush() {
    channel.flush();
  }

  /** The request failed. A client that cannot even be told so is cut off, and need not wait. */
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
   * What one connection holds of the server's memory for answers: read from a store, and not yet
   * sent.
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
     * Takes memory for a frame of an answer; else calls {@code later} once there is some. A
     * connection that holds none gets it in any case: slow readers do not keep others waiting.
     */
    boolean take(int bytes, Runnable later) {
      if (heldBytes.compareAndSet(0, bytes)) {
        budget.take(bytes);
        return true;
      }
      if (!budget.tryTake(bytes, later)) {
        if (heldBytes.get() == 0) {
          // The last frame was sent before this was in line, and nobody told it.
          budget.tellAll();
        }
        return false;
      }
      heldBytes.addAndGet(bytes);
      return true;
    }

    /** The frame was sent, or dropped. */
    void give(int bytes) {
      boolean none = heldBytes.addAndGet(-bytes) == 0;
      budget.give(bytes);
      if (none) {
        budget.tellAll();
      }
    }
  }

  /**
   * Tells the observer of the requests of one connection, each once.
   *
   * <p>Thread safety: safe.
   */
  static final class RequestLog {

    /** A request that was not answered yet; its counts are written by one thread at a time. */
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

    /** A request came. */
    void begun(long id, FrameType type) {
      open.put(id, new Open(type, nanoClock.getAsLong()));
    }

    /** Data of a request came. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // event loop only
    void received(long id, long bytes) {
      Open request = open.get(id);
      if (request != null) {
        request.bytesIn += bytes;
      }
    }

    /** A part of an answer went out. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // the parts go out one after another
    void sent(long id, long bytes) {
      Open request = open.get(id);
      if (request != null) {
        request.bytesOut += bytes;
      }
    }

    /** A request was answered with what it asked for. */
    void answered(long id) {
      ended(id, "ok");
    }

    /** A request was answered with an error. */
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
