package io.github.roram.nbd;

import io.github.roram.intake.ClientConnection;
import io.github.roram.intake.RequestPhase;
import io.github.roram.nbd.NbdServer.NbdState;
import io.github.roram.nbd.TransmissionDescriptor.NbdError;
import io.github.roram.nbd.TransmissionDescriptor.NbdRequest;
import io.github.roram.threads.Futures;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests of a connection to an export. An invalid request is answered with an error; an
 * unintelligible stream ends the connection.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails is answered, or ends the channel
final class Transmission extends RequestPhase<NbdRequest> {

  private static final Logger LOG = LoggerFactory.getLogger(Transmission.class);

  private final Export export;
  private final boolean structured;

  /** The error with which to answer the request that is arriving; {@code NONE} to carry it out. */
  private NbdError refusal = NbdError.NONE;

  Transmission(NbdState server, ClientConnection connection, Export export, boolean structured) {
    super(connection, server.intake(), TransmissionDescriptor.REQUEST_BYTES);
    this.export = export;
    this.structured = structured;
  }

  @Override
  protected NbdRequest parse(byte[] bytes) throws ProtocolException {
    return NbdRequest.parse(bytes);
  }

  @Override
  protected boolean refuses(NbdRequest next) {
    refusal = isDraining() ? NbdError.ESHUTDOWN : next.check(export);
    return refusal != NbdError.NONE;
  }

  @Override
  protected long payloadBytes(NbdRequest next) {
    return next.payloadBytes();
  }

  @Override
  protected long heldBytes(NbdRequest next) {
    return next.heldBytes();
  }

  @Override
  protected void begin(NbdRequest next, byte[] data, long held) {
    if (next.command() == TransmissionDescriptor.DISC) {
      endAfterAnswers();
      drop(held);
    } else if (refusal != NbdError.NONE) {
      answer(reply(next, refusal, data), held);
    } else {
      whenDone(
          Futures.begun(() -> perform(next, data)),
          (done, failure) -> done(next, failure, data, held));
    }
  }

  private CompletableFuture<Void> perform(NbdRequest next, byte[] data) {
    BlockDevice device = export.device();
    if (next.length() == 0 && next.command() != TransmissionDescriptor.FLUSH) {
      return next.durable() ? device.flush() : CompletableFuture.completedFuture(null);
    }
    return switch (next.command()) {
      case TransmissionDescriptor.READ -> device.read(next.offset(), ByteBuffer.wrap(data));
      case TransmissionDescriptor.WRITE ->
          device.write(next.offset(), ByteBuffer.wrap(data), next.durable());
      case TransmissionDescriptor.TRIM -> device.trim(next.offset(), next.length(), next.durable());
      // Zeros never make a hole, and are fast whenever the client may demand it.
      case TransmissionDescriptor.WRITE_ZEROES ->
          device.zero(next.offset(), next.length(), next.durable());
      default -> device.flush();
    };
  }

  private void done(NbdRequest next, @Nullable Throwable failure, byte[] data, long held) {
    NbdError error = NbdError.NONE;
    if (failure != null) {
      error = NbdError.of(failure);
      LOG.error("a request to export \"{}\" failed: {}", export.name(), failure.toString());
    }
    answer(reply(next, error, data), held);
  }

  private ByteBuf reply(NbdRequest next, NbdError error, byte[] data) {
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

  @Override
  public boolean handshakes() {
    return false;
  }
}
