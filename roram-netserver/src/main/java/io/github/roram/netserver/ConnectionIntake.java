package io.github.roram.netserver;

import io.github.roram.intake.SharedIntake.RequestsInFlight;
import io.github.roram.netserver.BlockServer.ServerContext;
import io.github.roram.netserver.MemoryBudget.UnfinishedFrames;
import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.netty.channel.Channel;
import java.util.function.BooleanSupplier;

/**
 * What one connection has sent and the server holds: parts of frames, frames that are not stored,
 * lists of extents, requests under way. While there is too much of it, no more is read from the
 * connection. Methods are for the event loop unless they say otherwise.
 */
final class ConnectionIntake {

  /** Full lists of extents that one connection may have under way. */
  private static final int LISTS_OF_EXTENTS = 4;

  /** Memory of an extent of a request, with room for growth. */
  private static final long EXTENT_MEMORY_BYTES = 32;

  /** Memory of a frame that waits to be stored, besides its payload: empty ones take some, too. */
  private static final int FRAME_MEMORY_BYTES = 512;

  private final Channel channel;
  private final ServerLimits limits;
  private final MemoryBudget budget;
  private final RequestsInFlight underWay;
  private final UnfinishedFrames.Part unfinished;
  private final BooleanSupplier awaitsData;
  private final Runnable onChange;
  private final Runnable adjustLater;
  private int requests;
  private long bufferedBytes;
  private int extentsUnderWay;

  /**
   * Of a new connection.
   *
   * @param unfinished the part of a frame that has arrived
   * @param awaitsData whether the rest of a write is due
   * @param onChange is called whenever reading stops or goes on
   */
  ConnectionIntake(
      ServerContext server,
      Channel channel,
      UnfinishedFrames.Part unfinished,
      BooleanSupplier awaitsData,
      Runnable onChange) {
    this.channel = channel;
    this.unfinished = unfinished;
    this.awaitsData = awaitsData;
    this.onChange = onChange;
    limits = server.config().limits();
    budget = server.budget();
    underWay = server.underWay();
    adjustLater = () -> channel.eventLoop().execute(this::adjust);
  }

  /** Whether nothing is under way, so that silence means that nobody is there. */
  boolean isIdle() {
    return requests == 0;
  }

  /**
   * A request came.
   *
   * @throws ProtocolException if there are too many and the data of one is due, for which the
   *     connection has to be read
   */
  void begun() throws ProtocolException {
    if (isFull() && awaitsData.getAsBoolean()) {
      throw new ProtocolException(
          "a request came before the data of a write, with "
              + requests
              + " requests under way; at most "
              + limits.maxRequests()
              + " are allowed");
    }
    requests++;
    underWay.began();
  }

  private boolean isFull() {
    return requests >= limits.maxRequests();
  }

  /** A request was answered, or given up. */
  void ended() {
    requests--;
    underWay.ended();
  }

  /** Any thread: a request that holds no list was answered. */
  void endedSoon() {
    endedSoon(0);
  }

  /** Any thread: a request of so many extents was answered. */
  void endedSoon(int extents) {
    channel
        .eventLoop()
        .execute(
            () -> {
              discharge(extents);
              ended();
              adjust();
            });
  }

  /**
   * Lists of extents, or of parts of a volume, take memory until their request is done. One request
   * is always taken, so that nobody is kept out by what others hold.
   */
  void admit(int extents) throws RequestException {
    boolean many = extentsUnderWay + extents > LISTS_OF_EXTENTS * (long) limits.maxExtents();
    if (extentsUnderWay > 0 && (many || budget.isFull())) {
      throw new RequestException(
          ErrorCode.BUSY, extentsUnderWay + " extents are under way on this connection, wait");
    }
    extentsUnderWay += extents;
    budget.take(extents * EXTENT_MEMORY_BYTES);
  }

  /** A request that was admitted is done. */
  void discharge(int extents) {
    extentsUnderWay -= extents;
    budget.give(extents * EXTENT_MEMORY_BYTES);
  }

  /** So much has arrived of a frame that is not whole; 0 if nothing. */
  void unfinished(int bytes) {
    unfinished.set(bytes);
  }

  /** A frame is kept until it is {@link #stored}. */
  void received(int payloadBytes) {
    bufferedBytes += FRAME_MEMORY_BYTES + payloadBytes;
    budget.take(FRAME_MEMORY_BYTES + payloadBytes);
  }

  /** Any thread: a frame that was received has left memory. */
  void stored(int payloadBytes) {
    int bytes = FRAME_MEMORY_BYTES + payloadBytes;
    budget.give(bytes);
    channel
        .eventLoop()
        .execute(
            () -> {
              bufferedBytes -= bytes;
              adjust();
            });
  }

  /** Stops taking more while there is too much already, and goes on when there is not. */
  void adjust() {
    boolean full =
        !channel.isWritable() // who does not take answers is not asked for more
            || bufferedBytes > limits.connectionBufferBytes()
            || (isFull() && !awaitsData.getAsBoolean())
            || (bufferedBytes > 0 && budget.isExceeded(adjustLater));
    if (full == channel.config().isAutoRead()) {
      onChange.run();
      channel.config().setAutoRead(!full);
    }
  }
}
