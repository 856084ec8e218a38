package io.github.roram.netserver;

import io.github.roram.netserver.BlockServer.ServerContext;
import io.github.roram.netserver.ReadAnswer.Results;
import io.github.roram.netserver.ReadAnswer.Units;
import io.github.roram.netserver.ReadQueue.ExtentCursor;
import io.github.roram.netserver.ReadQueue.ReadJob;
import io.github.roram.netserver.Replies.RequestLog;
import io.github.roram.storage.remote.protocol.CarriedWatermark;
import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.ExtentsDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.Frame;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.Message.VolumeCreate;
import io.github.roram.storage.remote.protocol.Message.VolumeExtend;
import io.github.roram.storage.remote.protocol.Message.VolumeName;
import io.github.roram.storage.remote.protocol.Message.VolumeOpen;
import io.github.roram.storage.remote.protocol.Message.VolumeUse;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.storage.remote.protocol.XorDescriptor;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.XorGroups;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Has the requests of one connection carried out, after its handshake. An error in a request is
 * answered; an error in the sequence of frames is a {@link ProtocolException}. For use on the event
 * loop.
 */
final class RequestDispatch {

  private final ServerContext server;
  private final Volume.Holder holder;
  private final VolumeRequests volumes;
  private final ReadQueue reads;
  private final Replies replies;
  private final ConnectionIntake intake;
  private final RequestLog log;
  private final Map<Long, WriteJob> writes = new HashMap<>();
  private long lastRequestId;
  private int maxPayloadBytes;

  RequestDispatch(
      ServerContext server,
      Volume.Holder holder,
      VolumeRequests volumes,
      ReadQueue reads,
      Replies replies,
      ConnectionIntake intake,
      RequestLog log) {
    this.server = server;
    this.holder = holder;
    this.volumes = volumes;
    this.reads = reads;
    this.replies = replies;
    this.intake = intake;
    this.log = log;
  }

  /**
   * Begins after the handshake, which was a request, too: later ones have higher numbers.
   *
   * @param payloadBytes longest payload that both sides accept
   */
  void begin(long handshakeId, int payloadBytes) {
    lastRequestId = handshakeId;
    maxPayloadBytes = payloadBytes;
  }

  /** Returns whether more data of a write must arrive. */
  boolean awaitsData() {
    return !writes.isEmpty();
  }

  /** Ends unfinished writes, because the connection has ended. */
  void disconnected() {
    for (WriteJob unfinished : writes.values()) {
      intake.discharge(unfinished.extents());
      intake.ended();
    }
    writes.clear();
    volumes.disconnected();
  }

  /** Handles a frame; returns true if the frame is kept and released later. */
  boolean handle(Frame frame) throws ProtocolException {
    if (frame.type() == FrameType.DATA) {
      data(frame);
      return true;
    }
    if (frame.requestId() <= lastRequestId) {
      throw new ProtocolException(
          "request " + frame.requestId() + " came after request " + lastRequestId);
    }
    lastRequestId = frame.requestId();
    if (frame.type() == FrameType.PING) {
      replies.done(frame.requestId());
      return false;
    }
    intake.begun();
    log.begun(frame.requestId(), frame.type());
    try {
      dispatch(frame);
    } catch (ProtocolException e) {
      intake.ended();
      throw e;
    }
    return false;
  }

  private void dispatch(Frame frame) throws ProtocolException {
    long id = frame.requestId();
    ByteBuf payload = frame.payload();
    switch (frame.type()) {
      case READ, READ_XOR, WRITE, SYNC, VOLUME_CLOSE -> {
        byte[] watermark = CarriedWatermark.take(payload);
        volumes.carried(watermark);
        useVolume(frame.type(), id, payload);
      }
      case VOLUME_USE -> volumes.use(id, VolumeUse.decode(payload));
      case VOLUME_EXTEND -> volumes.extend(id, VolumeExtend.decode(payload).capacityBytes());
      case VOLUME_CREATE -> volumes.create(id, VolumeCreate.decode(payload));
      case VOLUME_OPEN -> volumes.open(id, VolumeOpen.decode(payload));
      case VOLUME_STAT -> volumes.stat(id, VolumeName.decode(payload).name());
      case VOLUME_LIST -> volumes.list(id, VolumeName.decode(payload).name());
      case VOLUME_DELETE -> volumes.delete(id, VolumeName.decode(payload).name());
      default -> throw new ProtocolException("a client does not send " + frame.type());
    }
  }

  private void useVolume(FrameType type, long id, ByteBuf payload) throws ProtocolException {
    switch (type) {
      case READ, READ_XOR -> read(type, id, payload);
      case WRITE -> write(id, payload);
      case SYNC -> volumes.sync(id);
      default -> volumes.close(id);
    }
  }

  private void read(FrameType type, long id, ByteBuf payload) throws ProtocolException {
    ExtentBatch extents = new ExtentBatch();
    ServerLimits limits = server.config().limits();
    try {
      ReadAnswer answer;
      int groups = 0;
      if (type == FrameType.READ) {
        decode(extents, payload);
        answer = new Units(extents);
      } else {
        XorGroups xor =
            XorDescriptor.decode(
                payload, extents, limits.maxExtents(), limits.maxRequestBytes(), maxPayloadBytes);
        answer = new Results(extents, xor);
        groups = xor.groups();
      }
      int held = extents.extents() + groups;
      Volume open = transferable(extents, held);
      reads.add(new ReadJob(replies, reads, holder, open, id, answer, held, maxPayloadBytes));
    } catch (RequestException | ExtentsDescriptor.TooLargeException | RuntimeException e) {
      replies.error(id, requestException(e));
      intake.ended();
    }
  }

  private void write(long id, ByteBuf payload) throws ProtocolException {
    ExtentBatch extents = new ExtentBatch();
    WriteJob job;
    try {
      decode(extents, payload);
      Volume open = transferable(extents, extents.extents());
      job = new WriteJob(replies, intake, holder, open, id, extents, null);
    } catch (RequestException | ExtentsDescriptor.TooLargeException | RuntimeException e) {
      ExtentBatch none = new ExtentBatch();
      job = new WriteJob(replies, intake, holder, null, id, none, requestException(e));
    }
    writes.put(id, job);
  }

  private void decode(ExtentBatch extents, ByteBuf payload)
      throws ProtocolException, ExtentsDescriptor.TooLargeException {
    ServerLimits limits = server.config().limits();
    ExtentsDescriptor.decode(payload, extents, limits.maxExtents(), limits.maxRequestBytes());
  }

  /** Returns the volume of a request, and takes memory for {@code held} extents of its lists. */
  private Volume transferable(ExtentBatch extents, int held) throws RequestException {
    server.refuseWhileDraining();
    Volume open = volumes.opened();
    try {
      extents.checkWithin(open.store().capacityBytes());
    } catch (IndexOutOfBoundsException e) {
      throw new RequestException(ErrorCode.OUT_OF_BOUNDS, String.valueOf(e.getMessage()));
    }
    intake.admit(held);
    return open;
  }

  private void data(Frame frame) throws ProtocolException {
    WriteJob job = writes.get(frame.requestId());
    if (job == null) {
      throw new ProtocolException("data for request " + frame.requestId() + ", which is no write");
    }
    job.check(frame);
    if (frame.head().has(FrameDescriptor.LAST)) {
      writes.remove(frame.requestId());
    }
    log.received(frame.requestId(), frame.head().payloadBytes());
    intake.received(frame.head().payloadBytes());
    job.accept(frame);
  }

  private static Exception requestException(Exception e) {
    return e instanceof ExtentsDescriptor.TooLargeException
        ? new RequestException(ErrorCode.TOO_LARGE, String.valueOf(e.getMessage()))
        : e;
  }

  /**
   * Carries out one write, whose frames are stored as they arrive, in order with the volume's other
   * work. A refused write drops its frames.
   */
  private static final class WriteJob {

    private final Replies replies;
    private final ConnectionIntake intake;
    private final Volume.Holder holder;
    private final @Nullable Volume volume;
    private final long requestId;
    private final ExtentCursor cursor;
    private final int extents;
    private @Nullable Throwable failure;
    private long expectedBytes;

    /**
     * Creates the job before its frames arrive.
     *
     * @param holder the connection that asks
     * @param refused reason to refuse the write; null to carry it out
     */
    WriteJob(
        Replies replies,
        ConnectionIntake intake,
        Volume.Holder holder,
        @Nullable Volume volume,
        long requestId,
        ExtentBatch request,
        @Nullable Exception refused) {
      this.replies = replies;
      this.intake = intake;
      this.holder = holder;
      this.volume = volume;
      this.requestId = requestId;
      extents = request.extents();
      cursor = new ExtentCursor(request);
      expectedBytes = refused == null ? request.bytes() : Long.MAX_VALUE;
      failure = refused;
    }

    /** Returns the number of extents held for the request. */
    int extents() {
      return extents;
    }

    /** Checks that a frame fits the request. For use on the event loop. */
    void check(Frame frame) throws ProtocolException {
      int bytes = frame.head().payloadBytes();
      boolean last = frame.head().has(FrameDescriptor.LAST);
      if (bytes > expectedBytes || (last && failure == null && bytes < expectedBytes)) {
        throw new ProtocolException(
            "a write's data is " + bytes + " bytes where " + expectedBytes + " were left");
      }
      expectedBytes -= bytes;
    }

    /** Takes a frame, whose memory has been accounted for. For use on the event loop. */
    void accept(Frame frame) {
      Volume target = volume;
      if (target == null) {
        store(frame);
      } else {
        target.serial().execute(() -> store(frame));
      }
    }

    private void store(Frame frame) {
      int bytes = frame.head().payloadBytes();
      boolean last = frame.head().has(FrameDescriptor.LAST);
      Volume target = volume;
      try {
        if (failure == null && target != null && bytes > 0) {
          target.require(holder);
          ByteBuf payload = frame.payload();
          ExtentBatch slice = cursor.next(bytes);
          target.write(
              slice,
              (first, units) -> {
                payload.getBytes(first, units);
              });
        }
      } catch (IOException | RequestException | RuntimeException | Error e) {
        failure = e;
      } finally {
        frame.release();
      }
      Throwable failed = failure;
      intake.stored(bytes);
      if (last) {
        try {
          answer(failed);
        } finally {
          intake.endedSoon(extents);
        }
      }
    }

    private void answer(@Nullable Throwable failed) {
      if (failed == null) {
        replies.done(requestId);
      } else {
        replies.error(requestId, failed);
      }
    }
  }
}
