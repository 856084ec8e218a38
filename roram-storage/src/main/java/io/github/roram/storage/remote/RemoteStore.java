package io.github.roram.storage.remote;

import io.github.roram.storage.remote.BatchParts.Part;
import io.github.roram.storage.remote.protocol.ExtentsDescriptor;
import io.github.roram.storage.remote.protocol.Frame;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameType;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.storage.remote.protocol.WelcomeDescriptor;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.StoreLockedException;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A volume of a block server. A batch is one round trip, whatever the number of its extents, unless
 * it exceeds what the server takes at once.
 *
 * <p>A lost connection is made again and what it broke off repeated, byte for byte, for as long as
 * the {@linkplain RemoteTimes#retryBound bound} allows; then the call fails with {@link
 * StoreUnreachableException} and the next one tries anew. Writes that are not synced are kept, and
 * sent again when the server says that it may have lost them. A client whose lease went to another
 * gets {@link LeaseLostException}.
 *
 * <p>A unit that a source provides is copied once, one that a sink receives at most once. A sink or
 * source must not call its own store.
 *
 * <p>Security: the server sees what {@link ExtentBatch} holds but for phase and tree. When and how
 * often a request is repeated follows from the network alone.
 *
 * <p>Thread safety: safe. Calls of several threads share one connection and run at the same time. A
 * slow sink holds up the others once {@link RemoteMemory#windowBytes} wait for it.
 */
public final class RemoteStore implements BlockStore {

  private final Connector connector;
  private final RemoteAddress address;
  private final UnsyncedWrites unsynced = new UnsyncedWrites();
  private final Session session;
  private final Retries retries;
  private final LongAdder roundTrips = new LongAdder();
  private final LongAdder bytesRead = new LongAdder();
  private final LongAdder bytesWritten = new LongAdder();
  private final long capacityBytes;

  private RemoteStore(Connector connector, LeaseKeeper keeper) throws IOException {
    this.connector = connector;
    address = connector.address();
    session = new Session(connector, unsynced, keeper);
    retries = new Retries(connector.options().times().retryBound(), address);
    retries.run(session::connection);
    capacityBytes = session.capacityBytes();
  }

  /**
   * Opens a volume.
   *
   * @throws NoSuchFileException if there is none of this name
   * @throws StoreLockedException if another client holds its lease
   * @throws StoreUnreachableException if the server cannot be reached
   */
  public static RemoteStore open(RemoteAddress address, RemoteOptions options, LeaseKeeper keeper)
      throws IOException {
    Connector connector = new Connector(address, options);
    try {
      return new RemoteStore(connector, keeper);
    } catch (IOException | RuntimeException e) {
      connector.close();
      throw e;
    }
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  /** What was asked of the server so far. */
  public RemoteCounts counts() {
    return new RemoteCounts(
        roundTrips.sum(), session.connections(), bytesRead.sum(), bytesWritten.sum());
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    session.checkOpen();
    batch.checkWithin(capacityBytes);
    if (batch.units() == 0) {
      return;
    }
    for (Part part : parts(batch)) {
      GuardedSink guarded = new GuardedSink(sink, part.firstUnit());
      UnitAssembler assembler = new UnitAssembler(part.batch(), guarded);
      ByteBuf extents = Unpooled.buffer(ExtentsDescriptor.HEAD_BYTES + 64);
      ExtentsDescriptor.encode(part.batch(), extents);
      leased(() -> readOnce(extents.duplicate(), assembler, guarded));
      bytesRead.add(part.batch().bytes());
    }
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    session.checkOpen();
    batch.checkWithin(capacityBytes);
    if (batch.units() == 0) {
      return;
    }
    for (Part part : parts(batch)) {
      WriteRequest request =
          WriteRequest.fill(part, source, leased(session::connection).allocator());
      writePart(request);
    }
    if (unsynced.bytes() > connector.options().memory().unsyncedBytes()) {
      sync();
    }
  }

  @Override
  public void sync() throws IOException {
    session.checkOpen();
    List<WriteRequest> writes = unsynced.acknowledgedWrites();
    leased(
        () -> {
          Connection connection = session.connection();
          roundTrips.increment();
          try (Exchange exchange = connection.request(FrameType.SYNC, Unpooled.EMPTY_BUFFER)) {
            Frame answer = exchange.take(connector.requestTimeoutNanos());
            try {
              Answers.expect(answer, FrameType.DONE, address);
            } finally {
              answer.release();
            }
          }
          return true;
        });
    unsynced.synced(writes);
  }

  @Override
  public void close() {
    session.close();
    unsynced.clear();
    connector.close();
  }

  @Override
  public String toString() {
    return "remote store " + address + ", opened as " + session.client();
  }

  private List<Part> parts(ExtentBatch batch) throws IOException {
    WelcomeDescriptor limits = leased(session::connection).limits();
    int maxExtents =
        Math.min(
            limits.maxExtents(),
            (limits.maxPayloadBytes() - ExtentsDescriptor.HEAD_BYTES)
                / ExtentsDescriptor.EXTENT_BYTES);
    return BatchParts.of(batch, limits.maxRequestBytes(), maxExtents);
  }

  private void writePart(WriteRequest request) throws IOException {
    unsynced.begin(request);
    try {
      leased(
          () -> {
            Connection connection = session.connection();
            roundTrips.increment();
            request.sendTo(connection, address, connector.requestTimeoutNanos());
            return true;
          });
      unsynced.acknowledged(request);
    } catch (IOException | RuntimeException e) {
      unsynced.failed(request);
      throw e;
    }
    bytesWritten.add(request.unitBytes());
  }

  private boolean readOnce(ByteBuf extents, UnitAssembler assembler, GuardedSink sink)
      throws IOException {
    Connection connection = session.connection();
    roundTrips.increment();
    assembler.restart();
    try (Exchange exchange = connection.request(FrameType.READ, extents)) {
      boolean last = false;
      while (!last) {
        Frame answer = exchange.take(connector.requestTimeoutNanos());
        try {
          Answers.expect(answer, FrameType.DATA, address);
          for (ByteBuffer bytes : answer.payload().nioBuffers()) {
            assembler.feed(bytes);
          }
          last = answer.head().has(FrameDescriptor.LAST);
        } finally {
          answer.release();
        }
      }
      assembler.finish();
    } catch (ProtocolException e) {
      if (e == sink.failure) {
        throw e;
      }
      ConnectionLostException lost =
          new ConnectionLostException(address + ": " + e.getMessage(), e);
      connection.abandon(lost);
      throw lost;
    }
    return true;
  }

  /**
   * Retries. That a connection was fenced does not say by whom: perhaps an older one of this client
   * came late. Whether the lease is gone is found out by resuming it.
   */
  private <T extends @Nullable Object> T leased(Retries.Attempt<T> attempt) throws IOException {
    return retries.run(
        () -> {
          try {
            return attempt.run();
          } catch (LeaseLostException e) {
            session.checkOpen();
            throw session.fenced(e);
          }
        });
  }

  /** Tells what a sink throws from what the connection does. */
  private static final class GuardedSink implements UnitSink {
    private final UnitSink sink;
    private final int firstUnit;
    private @Nullable IOException failure;

    GuardedSink(UnitSink sink, int firstUnit) {
      this.sink = sink;
      this.firstUnit = firstUnit;
    }

    @Override
    public void accept(int unit, ByteBuffer units) throws IOException {
      try {
        sink.accept(firstUnit + unit, units);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }
  }
}
