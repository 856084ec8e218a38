package io.github.roram.netserver;

import io.github.roram.intake.SharedIntake.RequestsInFlight;
import io.github.roram.netserver.BlockServer.ServerContext;
import io.github.roram.netserver.MemoryBudget.UnfinishedFrames;
import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.netty.channel.Channel;
import java.util.function.BooleanSupplier;

/**
 * What the server holds for one connection: incomplete frames, frames not yet stored, lists of
 * extents, and requests in flight. While there is too much of it, the server reads no more from the
 * connection. Call methods on the event loop unless they say otherwise.
 */
final class ConnectionIntake {

  /** Full lists of extents that one connection may have in flight. */
  private static final int LISTS_OF_EXTENTS = 4;

  /** Memory of an extent in a request, with room for growth. */
  private static final long EXTENT_MEMORY_BYTES = 32;

  /**
   * Memory of a frame that waits to be stored, besides its payload; empty frames take memory, too.
   */
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
   * Creates the intake of a new connection.
   *
   * @param unfinished the part of a frame that has arrived
   * @param awaitsData whether more data of a write must arrive
   * @param onChange called whenever reading stops or resumes
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

  /** Returns whether nothing is in flight, so that silence means that the client has gone. */
  boolean isIdle() {
    return requests == 0;
  }

  /**
   * Counts a new request.
   *
   * @throws ProtocolException if there are too many while data of a write must arrive, for which
   *     the connection has to be read
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

  /** Ends a request that was answered or abandoned. */
  void ended() {
    requests--;
    underWay.ended();
  }

  /** Ends an answered request that holds no list. May be called on any thread. */
  void endedSoon() {
    endedSoon(0);
  }

  /** Ends an answered request that holds a list of {@code extents}. May be called on any thread. */
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
   * Admits a request with a list of extents, or of parts of a volume, which takes memory until the
   * request is done. One request is always admitted, so that lists of other connections keep nobody
   * out.
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

  /** Gives back the list of a request that was admitted and is done. */
  void discharge(int extents) {
    extentsUnderWay -= extents;
    budget.give(extents * EXTENT_MEMORY_BYTES);
  }

  /** Sets how many bytes of an incomplete frame have arrived; 0 for none. */
  void unfinished(int bytes) {
    unfinished.set(bytes);
  }

  /** Adds a received frame, which is held until it is {@link #stored}. */
  void received(int payloadBytes) {
    bufferedBytes += FRAME_MEMORY_BYTES + payloadBytes;
    budget.take(FRAME_MEMORY_BYTES + payloadBytes);
  }

  /** Removes a received frame that has left memory. May be called on any thread. */
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

  /** Stops reading while there is too much, and resumes afterwards. */
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
