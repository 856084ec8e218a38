package io.github.roram.nbd;

import io.github.roram.storage.intake.Input;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests of a connection to an export: many under way, answered as they are done. What is held of
 * them is taken from the {@link io.github.roram.storage.intake.ByteBudget} before it arrives, and
 * given back when the answer is sent. A request that is wrong is answered; a stream that cannot be
 * understood ends.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails is answered, or ends the channel
final class Transmission implements Phase {

  private static final Logger LOG = LoggerFactory.getLogger(Transmission.class);

  private final ServerState server;
  private final Connection connection;
  private final Export export;
  private final boolean structured;
  private final Input.Piece header = new Input.Piece(TransmissionDescriptor.REQUEST_BYTES);
  private @Nullable Request request;

  /** Memory for the payload of the request that is arriving. */
  private Input.@Nullable Piece payload;

  /** What the request that is arriving is answered with instead of being done. */
  private NbdError refusal = NbdError.NONE;

  private long skipping;
  private long arrived;
  private int underWay;
  private long heldBytes;
  private boolean inLine;
  private boolean granted;
  private boolean disconnecting;
  private boolean closed;

  Transmission(ServerState server, Connection connection, Export export, boolean structured) {
    this.server = server;
    this.connection = connection;
    this.export = export;
    this.structured = structured;
  }

  @Override
  public boolean step(Input in) throws NbdProtocolException {
    if (disconnecting) {
      in.skip(Long.MAX_VALUE);
      return false;
    }
    if (request == null) {
      int before = header.filled();
      boolean complete = header.fill(in);
      arrived += header.filled() - before;
      if (!complete) {
        return false;
      }
      request = Request.parse(header.bytes());
      refusal = server.underWay().isDraining() ? NbdError.ESHUTDOWN : request.check(export);
      skipping = refusal == NbdError.NONE ? 0 : request.payloadBytes();
    }
    return admit(request) && receive(request, in) && begin(request);
  }

  /** Whether there is room for a request. */
  private boolean admit(Request next) {
    if (isFull(next)) {
      return false;
    }
    long bytes = refusal == NbdError.NONE ? next.heldBytes() : 0;
    if (granted || bytes == 0) {
      return true;
    }
    inLine = !server.budget().take(bytes, () -> connection.later(() -> grant(bytes)));
    if (!inLine) {
      granted(bytes);
    }
    return granted;
  }

  private boolean isFull(Request next) {
    NbdLimits limits = server.limits();
    boolean tooMany = underWay >= limits.maxRequests();
    boolean tooMuch =
        !granted && heldBytes > 0 && heldBytes + next.heldBytes() > limits.connectionBytes();
    return inLine || tooMany || tooMuch;
  }

  /** Its turn in line came. */
  private void grant(long bytes) {
    inLine = false;
    if (closed) {
      server.budget().give(bytes);
    } else {
      granted(bytes);
      connection.go();
    }
  }

  private void granted(long bytes) {
    granted = true;
    heldBytes += bytes;
  }

  /** Whether all that belongs to a request has come. */
  private boolean receive(Request next, Input in) {
    if (skipping > 0) {
      long skipped = in.skip(skipping);
      skipping -= skipped;
      arrived += skipped;
      return skipping == 0;
    }
    if (refusal != NbdError.NONE || next.payloadBytes() == 0) {
      return true;
    }
    if (payload == null) {
      payload = new Input.Piece((int) next.payloadBytes());
    }
    int before = payload.filled();
    boolean complete = payload.fill(in);
    arrived += payload.filled() - before;
    return complete;
  }

  private boolean begin(Request next) {
    byte[] data =
        payload != null
            ? payload.bytes()
            : new byte[granted ? Math.toIntExact(next.heldBytes()) : 0];
    long held = granted ? next.heldBytes() : 0;
    NbdError refused = refusal;
    payload = null;
    request = null;
    granted = false;
    header.clear();
    if (next.command() == TransmissionDescriptor.DISC) {
      disconnecting = true;
      endIfDone();
      return true;
    }
    underWay++;
    server.underWay().began();
    if (refused != NbdError.NONE) {
      answer(next, refused, data, held);
    } else {
      perform(next, data)
          .whenComplete((done, failure) -> connection.later(() -> done(next, failure, data, held)));
    }
    return true;
  }

  private CompletableFuture<Void> perform(Request next, byte[] data) {
    BlockDevice device = export.device();
    if (next.length() == 0 && next.command() != TransmissionDescriptor.FLUSH) {
      return next.durable() ? device.flush() : CompletableFuture.completedFuture(null);
    }
    return switch (next.command()) {
      case TransmissionDescriptor.READ -> device.read(next.offset(), ByteBuffer.wrap(data));
      case TransmissionDescriptor.WRITE ->
          device.write(next.offset(), ByteBuffer.wrap(data), next.durable());
      case TransmissionDescriptor.TRIM -> device.trim(next.offset(), next.length(), next.durable());
      // No hole is made in any case, and zeros are fast where that may be asked for.
      case TransmissionDescriptor.WRITE_ZEROES ->
          device.zero(next.offset(), next.length(), next.durable());
      default -> device.flush();
    };
  }

  private void done(Request next, @Nullable Throwable failure, byte[] data, long held) {
    NbdError error = NbdError.NONE;
    if (failure != null) {
      Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
      error = NbdError.of(cause == null ? failure : cause);
      LOG.error("a request to export \"{}\" failed: {}", export.name(), String.valueOf(cause));
    }
    answer(next, error, data, held);
  }

  private void answer(Request next, NbdError error, byte[] data, long held) {
    connection
        .sendAnswer(reply(next, error, data))
        .addListener(
            sent -> {
              underWay--;
              server.underWay().ended();
              heldBytes -= held;
              server.budget().give(held);
              endIfDone();
              connection.go();
            });
  }

  private ByteBuf reply(Request next, NbdError error, byte[] data) {
    long cookie = next.cookie();
    boolean read = next.command() == TransmissionDescriptor.READ;
    if (!read || !structured) {
      ByteBuffer head = TransmissionDescriptor.simple(cookie, error);
      return read && error == NbdError.NONE
          ? Unpooled.wrappedBuffer(head, ByteBuffer.wrap(data))
          : Unpooled.wrappedBuffer(head);
    }
    if (error != NbdError.NONE) {
      return Unpooled.wrappedBuffer(TransmissionDescriptor.error(cookie, error));
    }
    return data.length == 0
        ? Unpooled.wrappedBuffer(TransmissionDescriptor.none(cookie))
        : Unpooled.wrappedBuffer(
            TransmissionDescriptor.data(cookie, next.offset(), data.length), ByteBuffer.wrap(data));
  }

  private void endIfDone() {
    if (disconnecting && underWay == 0) {
      connection.end();
    }
  }

  @Override
  public boolean waits() {
    return request != null && isFull(request);
  }

  @Override
  public boolean handshakes() {
    return false;
  }

  @Override
  public long unfinished() {
    boolean begun = header.filled() > 0 && !disconnecting;
    return begun && !waits() ? arrived : -1;
  }

  @Override
  public void closed() {
    closed = true;
    if (granted && request != null) {
      granted = false;
      server.budget().give(request.heldBytes());
    }
    payload = null;
  }
}
