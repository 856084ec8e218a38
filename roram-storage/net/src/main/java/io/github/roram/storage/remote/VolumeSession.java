package io.github.roram.storage.remote;

import io.github.roram.storage.remote.RemoteConnection.ConnectionLostException;
import io.github.roram.storage.remote.protocol.CarriedWatermark;
import io.github.roram.storage.remote.protocol.FrameDescriptor.Frame;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.LeaseToken;
import io.github.roram.storage.remote.protocol.Message.VolumeOpen;
import io.github.roram.storage.remote.protocol.Message.VolumeOpen.Mode;
import io.github.roram.storage.remote.protocol.Message.VolumeOpened;
import io.github.roram.storage.remote.protocol.Message.VolumeService;
import io.github.roram.storage.remote.protocol.Message.VolumeUse;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.store.StoreDamagedException;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of a volume, and the connection over which it is used. The next call that needs a lost
 * connection makes it again: it resumes the lease, and if the server may have lost writes, sends
 * them again before anything else.
 *
 * <p>Thread safety: safe. One thread connects at a time; threads that waited for a failed attempt
 * fail with it.
 */
final class VolumeSession {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteStore.class);

  /** If opening takes longer, the user is told. */
  private static final long OPENING_PATIENCE_NANOS = 1_500_000_000;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final VolumeService NO_SERVICE = new VolumeService(1, 0);

  private final Connector connector;
  private final UnsyncedWrites unsynced;
  private final LeaseKeeper keeper;

  /** The holder of the volume as other clients see it: random, so that it reveals nothing else. */
  private final String client = "client " + HexFormat.of().toHexDigits(RANDOM.nextInt());

  private final ReentrantLock connecting = new ReentrantLock();
  private volatile @Nullable RemoteConnection current;
  private volatile long attempts;
  private volatile long connections;
  private @Nullable ConnectionLostException latestFailure;
  private @Nullable VolumeOpened opened;

  /** What each connection is told once it has the volume. */
  private VolumeUse use = VolumeUse.UNKNOWN; // guarded by connecting

  /** The token that this client asks for a new lease under, the same in every attempt. */
  private LeaseToken proposed = LeaseToken.NONE;

  private volatile VolumeService service = NO_SERVICE;
  private volatile @Nullable LeaseLostException leaseLost;

  /** The newest of this client; zeros before the first. */
  private volatile byte[] watermark = CarriedWatermark.none();

  private volatile long capacityBytes;

  /** The largest size that was asked for; 0 if none was. */
  private volatile long mostBytes;

  private volatile boolean closed;

  VolumeSession(Connector connector, UnsyncedWrites unsynced, LeaseKeeper keeper) {
    this.connector = connector;
    this.unsynced = unsynced;
    this.keeper = keeper;
  }

  /** Returns the name of this client in messages to clients that are refused the volume. */
  String client() {
    return client;
  }

  long connections() {
    return connections;
  }

  /** Returns the size of the volume, known once connected. */
  long capacityBytes() {
    return capacityBytes;
  }

  /**
   * Notes that the server will be asked for a larger volume, which it may create whether or not an
   * answer arrives.
   */
  void extending(long newBytes) {
    mostBytes = Math.max(mostBytes, newBytes);
  }

  /** Notes that the volume has the size asked for. */
  void extended(long newBytes) {
    capacityBytes = newBytes;
  }

  void checkOpen() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    LeaseLostException lost = leaseLost;
    if (lost != null) {
      throw new LeaseLostException(String.valueOf(lost.getMessage()));
    }
  }

  /** Returns a connection that has the volume open. */
  RemoteConnection connection() throws IOException {
    RemoteConnection usable = current;
    if (usable != null && usable.isOpen() && !closed) {
      return usable;
    }
    long before = attempts;
    connecting.lock();
    try {
      checkOpen();
      usable = current;
      if (usable != null && usable.isOpen()) {
        return usable;
      }
      ConnectionLostException failure = latestFailure;
      if (failure != null && attempts != before) {
        throw new ConnectionLostException(failure);
      }
      return connect();
    } finally {
      connecting.unlock();
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  private RemoteConnection connect() throws IOException {
    latestFailure = null;
    attempts++;
    RemoteConnection connection = null;
    try {
      connection = connector.connect();
      connection.carry(() -> watermark);
      open(connection);
      connections++;
      current = connection;
      return connection;
    } catch (ConnectionLostException e) {
      latestFailure = e;
      abandon(connection);
      throw e;
    } catch (ProtocolException e) {
      latestFailure = new ConnectionLostException(connector.address() + ": " + e.getMessage(), e);
      abandon(connection);
      throw latestFailure;
    } catch (IOException | RuntimeException e) {
      abandon(connection);
      throw e;
    }
  }

  /** Tells the server how the volume is used, now and whenever it is connected to. */
  void use(UnaryOperator<VolumeUse> change) {
    connecting.lock();
    try {
      use = change.apply(use);
      RemoteConnection connection = current;
      if (connection != null && connection.isOpen() && !closed) {
        tellUse(connection);
      }
    } catch (IOException e) {
      // the connection that is made for the next request is told
    } finally {
      connecting.unlock();
    }
  }

  private void tellUse(RemoteConnection connection) throws IOException {
    if (use.equals(VolumeUse.UNKNOWN)) {
      return;
    }
    VolumeUse told = use.within(connection.limits().maxPayloadBytes());
    try (Exchange exchange = connection.request(FrameType.VOLUME_USE, told.payload())) {
      Frame answer = exchange.take(connector.requestTimeoutNanos());
      try {
        service =
            answer.type() == FrameType.VOLUME_SERVICE
                ? VolumeService.decode(answer.payload())
                : NO_SERVICE; // it is told for its own good, and serves all the same
      } finally {
        answer.release();
      }
    }
  }

  /** Has the next requests carry this watermark. */
  void carry(byte[] newest) {
    watermark = newest.clone();
  }

  /** Returns the newest watermark of this client; before the first, those that the volume had. */
  List<byte[]> watermarks() {
    VolumeOpened known = opened;
    byte[] newest = watermark;
    if (CarriedWatermark.isThere(newest)) {
      return List.of(newest.clone());
    }
    return known == null ? List.of() : known.watermarks();
  }

  /** Returns the server's latest statement of how it serves the volume. */
  VolumeService service() {
    return service;
  }

  private static void abandon(@Nullable RemoteConnection connection) {
    if (connection != null) {
      connection.close();
    }
  }

  private void open(RemoteConnection connection) throws IOException {
    VolumeOpened before = opened;
    VolumeOpened now = before == null ? acquire(connection) : resume(connection, before);
    long bytes = now.capacityBytes();
    if (before != null && (bytes < capacityBytes || bytes > Math.max(capacityBytes, mostBytes))) {
      throw new StoreDamagedException(
          connector.address()
              + " has "
              + bytes
              + " bytes, it had "
              + capacityBytes
              + " before: the volume was replaced; restore it from a copy");
    }
    if (before != null && before.verifier() != now.verifier()) {
      unsynced.replay(write -> write.run(connection, connector.requestTimeoutNanos()));
    }
    if (before == null) {
      capacityBytes = bytes;
    }
    opened = now; // only now: a replay that broke off is begun again
    tellUse(connection);
  }

  private VolumeOpened resume(RemoteConnection connection, VolumeOpened before) throws IOException {
    try {
      return ask(connection, before.token(), Mode.RESUME);
    } catch (LeaseLostException e) {
      leaseLost = e;
      throw e;
    }
  }

  /** Goes on with the lease of an earlier process of this client, if there is one. */
  private VolumeOpened acquire(RemoteConnection connection) throws IOException {
    if (proposed.equals(LeaseToken.NONE)) {
      LeaseToken kept = keeper.load();
      if (!kept.equals(LeaseToken.NONE)) {
        try {
          return ask(connection, kept, Mode.RESUME);
        } catch (LeaseLostException e) {
          // another client had the lease in between: ask like any other client
        }
      }
      LeaseToken fresh = LeaseToken.random(RANDOM);
      keeper.save(fresh); // before it is asked for: the answer may be lost, and the process die
      proposed = fresh;
    }
    boolean takeOver = connector.options().takeOver();
    return ask(connection, proposed, takeOver ? Mode.TAKE_OVER : Mode.ACQUIRE);
  }

  private VolumeOpened ask(RemoteConnection connection, LeaseToken token, Mode mode)
      throws IOException {
    long timeout = connector.requestTimeoutNanos();
    Future<?> notice =
        connection.soon(
            OPENING_PATIENCE_NANOS,
            () ->
                LOG.warn(
                    "waiting for {} to open the volume, until {} at most: it may be making durable"
                        + " what was written before",
                    connector.address(),
                    Retries.clock(timeout - OPENING_PATIENCE_NANOS)));
    try {
      return connection.ask(
          FrameType.VOLUME_OPEN,
          new VolumeOpen(connector.address().volume(), client, token, mode).payload(),
          FrameType.VOLUME_OPENED,
          VolumeOpened::decode,
          timeout);
    } finally {
      notice.cancel(false);
    }
  }

  /**
   * Gives up a connection that the server no longer accepts as the holder's: the next one asks for
   * the lease again.
   */
  ConnectionLostException fenced(LeaseLostException cause) {
    ConnectionLostException lost =
        new ConnectionLostException(String.valueOf(cause.getMessage()), cause);
    RemoteConnection connection = current;
    if (connection != null) {
      connection.abandon(lost);
    }
    return lost;
  }

  /** Gives the lease back if the server is there to take it, and disconnects. */
  void close() {
    closed = true;
    connecting.lock();
    try {
      RemoteConnection connection = current;
      if (connection != null && connection.isOpen()) {
        giveBack(connection);
        connection.close();
      }
    } finally {
      connecting.unlock();
    }
  }

  private void giveBack(RemoteConnection connection) {
    try {
      connection.ask(
          FrameType.VOLUME_CLOSE,
          Unpooled.EMPTY_BUFFER,
          FrameType.DONE,
          answer -> true,
          connector.options().times().connectTimeout().toNanos());
      keeper.save(LeaseToken.NONE);
    } catch (IOException | RuntimeException e) { // which one the server's answer determines
      // the lease stays with this client until it expires, and its next process goes on with it
    }
  }
}
