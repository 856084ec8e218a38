package io.github.roram.netserver;

import io.github.roram.netserver.TopLevelCache.CacheBudget;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.LeaseToken;
import io.github.roram.storage.remote.protocol.Message.VolumeOpen;
import io.github.roram.storage.remote.protocol.Message.VolumeOpen.Mode;
import io.github.roram.storage.remote.protocol.Message.VolumeOpened;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.StoreParts.Part;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.threads.IoCall;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A volume and its lease. Everything that changes either runs on {@link #serial}, one after
 * another: when a connection takes the lease, a write of the one before has ended, and those that
 * wait will find that they are fenced.
 */
final class Volume {

  /** A connection, as far as a volume is concerned. */
  interface Holder {
    /** Who the client has proved to be. */
    ClientIdentity client();

    /**
     * It has the volume no more: it is closed.
     *
     * @param why told to the client
     */
    void fenced(String why);
  }

  private static final Logger LOG = LoggerFactory.getLogger(Volume.class);
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Bytes of parts that are read into memory before others have their turn. */
  private static final int LOADED_AT_ONCE = 16 << 20;

  private final String name;

  /** Opens the store again, which was closed. */
  private final IoCall<OpenedStore> reopening;

  private volatile OpenedStore opened;
  private volatile @Nullable TopLevelCache cache;
  private final SerialExecutor serial;
  private final LongSupplier nanoClock;
  private final ReadPlace readPlace;
  private final long leaseNanos;
  private long verifier = RANDOM.nextLong();
  private volatile VolumeRecordDescriptor record;
  private volatile @Nullable Holder holder;

  /** The newest watermark of the holder, in the order of its requests. */
  private final AtomicReference<byte @Nullable []> carried = new AtomicReference<>();

  private long leftNanos;
  private boolean deleted;
  private boolean broken;

  Volume(
      String name,
      OpenedStore opened,
      IoCall<OpenedStore> reopening,
      Executor threads,
      Duration lease,
      LongSupplier nanoClock)
      throws IOException {
    this.name = name;
    this.reopening = reopening;
    this.opened = opened;
    this.nanoClock = nanoClock;
    leftNanos = nanoClock.getAsLong();
    readPlace = new ReadPlace(leftNanos);
    serial = new SerialExecutor(threads);
    leaseNanos = lease.toNanos();
    record = VolumeRecordDescriptor.load(opened.vault(), name);
  }

  SerialExecutor serial() {
    return serial;
  }

  BlockStore store() {
    BlockStore cached = cache;
    return cached == null ? opened.store() : cached;
  }

  /** Event loop: a request of a connection brought a watermark. */
  void carried(Holder who, byte[] watermark) {
    if (holder == who) {
      carried.set(watermark);
    }
  }

  /** Has the store keep the watermark that came last, if it does not. */
  private synchronized void keepWatermark(boolean durably) throws IOException {
    byte[] newest = carried.getAndSet(null);
    if (newest != null) {
      opened.store().keepWatermark(newest, durably);
    }
  }

  /** Serial: writes. */
  void write(ExtentBatch extents, UnitSource source) throws IOException {
    keepWatermark(false);
    store().write(extents, source);
  }

  /** Reads, and measures how long that takes. */
  void read(ExtentBatch extents, int bytes, UnitSink sink) throws IOException {
    keepWatermark(false);
    long start = nanoClock.getAsLong();
    store().read(extents, sink);
    long end = nanoClock.getAsLong();
    readPlace.add(bytes, end - start, end);
  }

  /** Whether a read of so many extents is made on the event loop. */
  boolean readsOnLoop(int extents) {
    return readPlace.isOnLoop(extents, nanoClock.getAsLong());
  }

  String name() {
    return name;
  }

  /** What is remembered of it. */
  VolumeRecordDescriptor record() {
    return record;
  }

  /** Throws unless this connection has the lease. */
  void require(Holder who) throws RequestException {
    if (holder != who) {
      throw new RequestException(
          ErrorCode.LEASE_LOST, "the lease of volume " + name + " went to another connection");
    }
  }

  /** What a connection is told of a failure: if it is fenced, that alone. */
  Throwable explain(Holder who, Throwable failure) {
    try {
      require(who);
      return failure;
    } catch (RequestException fenced) {
      return fenced;
    }
  }

  /**
   * Serial: makes everything durable. When that fails, the medium may have dropped what it could
   * not write, and a later sync would not tell. So the store is opened anew under another verifier,
   * and the client, which has to connect again, sends what was not synced once more.
   */
  void sync(Holder who) throws IOException, RequestException {
    require(who);
    keepWatermark(false);
    try {
      store().sync();
    } catch (IOException | RuntimeException | Error e) {
      LOG.error("volume {} could not be synced and is opened anew", name, e);
      broken = true;
      holder = null;
      leftNanos = nanoClock.getAsLong();
      String why =
          "volume " + name + " could not be synced, and is opened anew: the server's log says why";
      who.fenced(why);
      mend();
      throw new RequestException(ErrorCode.LEASE_LOST, why);
    }
  }

  /**
   * Serial: takes parts of the volume into memory, for as long as this connection has it.
   *
   * @param parts what is read most first
   * @return bytes that are in memory, or will be soon
   */
  long cache(Holder who, List<Part> parts, CacheBudget budget)
      throws IOException, RequestException {
    require(who);
    dropCache();
    requireInOrder(parts);
    TopLevelCache begun = TopLevelCache.of(opened.store(), parts, budget);
    cache = begun;
    load(begun);
    return begun.heldBytes();
  }

  /** Requests that came meanwhile have their turn before the rest is loaded. */
  private void load(TopLevelCache loading) {
    try {
      if (loading.load(LOADED_AT_ONCE)) {
        serial.execute(() -> load(loading));
      }
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("parts of volume {} could not be read into memory", name, e);
    }
  }

  /** Parts overlap no other, and lie within the volume. */
  private void requireInOrder(List<Part> parts) throws RequestException {
    long end = 0;
    for (Part part : parts.stream().sorted(Comparator.comparingLong(Part::offset)).toList()) {
      if (part.offset() < end || part.offset() + part.bytes() > store().capacityBytes()) {
        throw new RequestException(
            ErrorCode.OUT_OF_BOUNDS,
            "part of "
                + part.bytes()
                + " bytes at "
                + part.offset()
                + ": must lie within the volume's "
                + store().capacityBytes()
                + ", and begin at "
                + end
                + " or behind");
      }
      end = part.offset() + part.bytes();
    }
  }

  private void dropCache() {
    TopLevelCache dropped = cache;
    cache = null;
    if (dropped != null) {
      dropped.close();
    }
  }

  /** Closes the store, which is not used any more: a failure is only logged. */
  private void closeStore() {
    dropCache();
    try {
      opened.close();
    } catch (IOException e) {
      LOG.warn("the store of volume {} was not closed", name, e);
    }
  }

  /** Opens the store anew after a failure. */
  private void mend() throws IOException {
    if (!broken) {
      return;
    }
    closeStore();
    opened = reopening.call();
    verifier = RANDOM.nextLong();
    broken = false;
  }

  /** Serial: makes the volume larger, and writes down what it counts for then. */
  void extend(Holder who, long capacityBytes) throws IOException, RequestException {
    require(who);
    if (capacityBytes > store().capacityBytes() && !opened.store().extend(capacityBytes)) {
      throw new RequestException(
          ErrorCode.INVALID, "volume " + name + " cannot be made larger on this server");
    }
    replace(record.charged(Math.max(record.chargedBytes(), capacityBytes)));
  }

  /** Serial: gives the lease to a connection, if the rules allow. */
  VolumeOpened open(Holder who, VolumeOpen request) throws IOException, RequestException {
    requireThere();
    mend();
    boolean isSame = request.token().equals(record.token());
    if (!isSame && request.mode() != Mode.RESUME) {
      acquire(who, request);
    } else if (!isSame) {
      throw new RequestException(
          ErrorCode.LEASE_LOST,
          "the lease of volume " + name + " went to " + describeHolder() + ": open it anew");
    }
    Holder before = holder;
    holder = who;
    carried.set(null);
    dropCache();
    if (before != null && before != who) {
      before.fenced("another connection has the lease");
    }
    return new VolumeOpened(
        store().capacityBytes(),
        record.token(),
        record.fencing(),
        verifier,
        opened.store().watermarks());
  }

  private void acquire(Holder who, VolumeOpen request) throws IOException, RequestException {
    if (isHeld() && request.mode() != Mode.TAKE_OVER) {
      throw new RequestException(
          ErrorCode.LOCKED,
          "volume "
              + name
              + " is held by "
              + describeHolder()
              + ": close it there, wait, or take it over");
    }
    ClientIdentity client = who.client();
    String of = client.equals(ClientIdentity.ANONYMOUS) ? "" : " of " + client;
    replace(record.leasedTo(request.token(), request.holder() + of));
  }

  /** Whether a client is connected to it. */
  boolean isConnected() {
    return holder != null;
  }

  /** Serial: whether someone else's lease stands in the way. */
  boolean isHeld() {
    if (record.token().equals(LeaseToken.NONE)) {
      return false;
    }
    return holder != null || nanoClock.getAsLong() - leftNanos < leaseNanos;
  }

  private String describeHolder() {
    String who = record.holder().isEmpty() ? "another client" : record.holder();
    if (holder != null) {
      return who + " (connected)";
    }
    long ago = (nanoClock.getAsLong() - leftNanos) / 1_000_000_000;
    return who + " (last seen " + ago + " s ago)";
  }

  /** Serial: the connection gives the lease back. */
  void release(Holder who) throws IOException, RequestException {
    require(who);
    keepWatermark(true);
    replace(record.released());
    holder = null;
    dropCache();
  }

  /** Serial: the connection ended; its lease goes on for a while. */
  void disconnected(Holder who) {
    if (holder == who) {
      holder = null;
      leftNanos = nanoClock.getAsLong();
      dropCache();
    }
  }

  /** Serial: closes the store for good, unless it is held. */
  void closeForDeletion() throws RequestException {
    requireThere();
    if (isHeld()) {
      throw new RequestException(
          ErrorCode.LOCKED, "volume " + name + " is held by " + describeHolder());
    }
    deleted = true;
    closeStore();
  }

  void close() throws IOException {
    opened.close();
  }

  private void requireThere() throws RequestException {
    if (deleted) {
      throw Volumes.missing(name);
    }
  }

  private void replace(VolumeRecordDescriptor next) throws IOException {
    next.save(opened.vault());
    record = next;
  }
}
