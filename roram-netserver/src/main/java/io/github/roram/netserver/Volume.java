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
 * A volume and its lease. Everything that changes either runs on {@link #serial}, one task after
 * another. So when a connection takes the lease, no write of the previous holder is running, and
 * its waiting writes will find that they are fenced.
 */
final class Volume {

  /** A connection, as a volume sees it. */
  interface Holder {
    /** Returns the identity that the client has proved. */
    ClientIdentity client();

    /**
     * Closes the connection, because it no longer has the volume.
     *
     * @param why reason for the client
     */
    void fenced(String why);
  }

  private static final Logger LOG = LoggerFactory.getLogger(Volume.class);
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Bytes of parts that are read into memory before other tasks have their turn. */
  private static final int LOADED_AT_ONCE = 16 << 20;

  private final String name;

  /** Opens the store again after it was closed. */
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

  /** Notes the watermark that a request has brought. For use on the event loop. */
  void carried(Holder who, byte[] watermark) {
    if (holder == who) {
      carried.set(watermark);
    }
  }

  /** Stores the newest watermark if it is not yet stored. */
  private synchronized void keepWatermark(boolean durably) throws IOException {
    byte[] newest = carried.getAndSet(null);
    if (newest != null) {
      opened.store().keepWatermark(newest, durably);
    }
  }

  /** Writes. For use on the serial executor. */
  void write(ExtentBatch extents, UnitSource source) throws IOException {
    keepWatermark(false);
    store().write(extents, source);
  }

  /** Reads, and measures the time. */
  void read(ExtentBatch extents, int bytes, UnitSink sink) throws IOException {
    keepWatermark(false);
    long start = nanoClock.getAsLong();
    store().read(extents, sink);
    long end = nanoClock.getAsLong();
    readPlace.add(bytes, end - start, end);
  }

  /** Returns whether a read of {@code extents} runs on the event loop. */
  boolean readsOnLoop(int extents) {
    return readPlace.isOnLoop(extents, nanoClock.getAsLong());
  }

  String name() {
    return name;
  }

  /** Returns the volume's record. */
  VolumeRecordDescriptor record() {
    return record;
  }

  /** Throws an exception unless this connection has the lease. */
  void require(Holder who) throws RequestException {
    if (holder != who) {
      throw new RequestException(
          ErrorCode.LEASE_LOST, "the lease of volume " + name + " went to another connection");
    }
  }

  /** Returns what to tell a connection about a failure: only that it is fenced, if it is. */
  Throwable explain(Holder who, Throwable failure) {
    try {
      require(who);
      return failure;
    } catch (RequestException fenced) {
      return fenced;
    }
  }

  /**
   * Makes everything durable. If that fails, the medium may have dropped data that it could not
   * write, and a later sync would not report it. So the store is opened again under another
   * verifier; the client must reconnect, and then repeats the writes that were not synced. For use
   * on the serial executor.
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
   * Takes parts of the volume into memory, for as long as this connection has the volume. For use
   * on the serial executor.
   *
   * @param parts the parts, most frequently read first
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

  /** Requests that have arrived in between have their turn before the rest is loaded. */
  private void load(TopLevelCache loading) {
    try {
      if (loading.load(LOADED_AT_ONCE)) {
        serial.execute(() -> load(loading));
      }
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("parts of volume {} could not be read into memory", name, e);
    }
  }

  /** Checks that parts do not overlap and lie within the volume. */
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

  /** Closes a store that is no longer used; only logs a failure. */
  private void closeStore() {
    dropCache();
    try {
      opened.close();
    } catch (IOException e) {
      LOG.warn("the store of volume {} was not closed", name, e);
    }
  }

  /** Opens the store again after a failure. */
  private void mend() throws IOException {
    if (!broken) {
      return;
    }
    closeStore();
    opened = reopening.call();
    verifier = RANDOM.nextLong();
    broken = false;
  }

  /**
   * Makes the volume larger, and records the capacity that counts for its owner. For use on the
   * serial executor.
   */
  void extend(Holder who, long capacityBytes) throws IOException, RequestException {
    require(who);
    if (capacityBytes > store().capacityBytes() && !opened.store().extend(capacityBytes)) {
      throw new RequestException(
          ErrorCode.INVALID, "volume " + name + " cannot be made larger on this server");
    }
    replace(record.charged(Math.max(record.chargedBytes(), capacityBytes)));
  }

  /** Gives the lease to a connection, if the rules allow it. For use on the serial executor. */
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

  /** Returns whether a client is connected to the volume. */
  boolean isConnected() {
    return holder != null;
  }

  /**
   * Returns whether a client holds the lease or may still return to it. For use on the serial
   * executor.
   */
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

  /** Gives the connection's lease back. For use on the serial executor. */
  void release(Holder who) throws IOException, RequestException {
    require(who);
    keepWatermark(true);
    replace(record.released());
    holder = null;
    dropCache();
  }

  /**
   * Notes that the holder's connection has ended; its lease continues for a time. For use on the
   * serial executor.
   */
  void disconnected(Holder who) {
    if (holder == who) {
      holder = null;
      leftNanos = nanoClock.getAsLong();
      dropCache();
    }
  }

  /** Closes the store for good, unless the volume is held. For use on the serial executor. */
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
