package io.github.roram.netserver;

import io.github.roram.netserver.ServerLimits.VolumeLimits;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.Message.VolumeCreate;
import io.github.roram.storage.remote.protocol.Message.VolumeName;
import io.github.roram.storage.remote.protocol.VolumePage;
import io.github.roram.storage.remote.protocol.VolumePage.Listed;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The volumes of a server. Each is opened when it is first needed, and then stays open.
 *
 * <p>Files are created, opened and deleted without holding the lock, and off the calling thread, so
 * that requests for other volumes do not wait. Requests for the same volume wait for the result. Of
 * one identity, one volume is created at a time; further creations wait in the identity's own
 * queue.
 *
 * <p>Thread safety: safe.
 */
final class Volumes {

  private static final Logger LOG = LoggerFactory.getLogger(Volumes.class);

  private final VolumeBacking backing;
  private final Executor threads;
  private final Executor creators;
  private final Duration lease;
  private final LongSupplier nanoClock;
  private final VolumeLimits limits;
  private final Ownership ownership;
  private final ServerObserver observer;
  private final Map<String, Volume> open = new HashMap<>();

  /** The records of all volumes, as written at their creation. */
  private final NavigableMap<String, VolumeRecordDescriptor> made = new ConcurrentSkipListMap<>();

  /** Volumes whose files are being created, opened or deleted. */
  private final Map<String, CompletableFuture<?>> changing = new HashMap<>();

  private final Map<ClientIdentity, SerialExecutor> creations = new HashMap<>();
  private boolean closed;

  /**
   * Creates the collection of a backing's volumes, none of them open.
   *
   * @param threads executor that uses and opens volumes
   * @param creators executor that creates files
   */
  Volumes(
      VolumeBacking backing,
      Executor threads,
      Executor creators,
      Duration lease,
      LongSupplier nanoClock,
      VolumeLimits limits,
      ServerObserver observer)
      throws IOException {
    this.backing = backing;
    this.threads = threads;
    this.creators = creators;
    this.lease = lease;
    this.nanoClock = nanoClock;
    this.limits = limits;
    this.observer = observer;
    ownership = new Ownership(limits);
    backing.vaults().forEach(this::found);
  }

  /** Adds a volume that existed before this server started. */
  private void found(String name, ClientVault vault) {
    try {
      VolumeRecordDescriptor record = VolumeRecordDescriptor.load(vault, name);
      made.put(name, record);
      ownership.add(record.owner(), 1, record.chargedBytes());
    } catch (IOException e) {
      made.put(name, VolumeRecordDescriptor.NONE);
      LOG.warn("volume {} is charged to no identity: its record cannot be read", name, e);
    }
  }

  /**
   * Returns a page of volumes in the order of their names; opens none.
   *
   * @param after name after which the page starts
   * @param shown which names may be listed
   */
  VolumePage list(String after, Predicate<String> shown) {
    return VolumePage.firstOf(
        made.tailMap(after, false).entrySet().stream()
            .filter(entry -> shown.test(entry.getKey()))
            .map(entry -> listed(entry.getKey(), entry.getValue()))
            .iterator());
  }

  private synchronized Listed listed(String name, VolumeRecordDescriptor creation) {
    Volume volume = open.get(name);
    return new Listed(
        name,
        volume == null ? creation.chargedBytes() : volume.store().capacityBytes(),
        volume != null && volume.isConnected(),
        creation.owner());
  }

  /** Returns an existing volume; the future fails with the reason why it is unavailable. */
  synchronized CompletableFuture<Volume> get(String name) {
    CompletableFuture<?> before = changing.get(name);
    if (before != null) {
      return before.handle((done, failure) -> name).thenCompose(this::get);
    }
    Volume volume = open.get(name);
    if (volume != null) {
      return CompletableFuture.completedFuture(volume);
    }
    try {
      if (!VolumeName.isValid(name) || !backing.exists(name)) {
        throw missing(name);
      }
    } catch (IOException | RequestException | RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
    return change(name, threads, () -> add(newVolume(name, backing.open(name))));
  }

  /**
   * Creates a volume, unless the same creation has already succeeded.
   *
   * @param owner identity that is charged for the volume
   * @param access limits the volume's capacity
   * @return a future that fails with the reason why the volume was not created
   */
  synchronized CompletableFuture<Volume> create(
      VolumeCreate request, ClientIdentity owner, AccessPolicy access) {
    String name = request.name();
    CompletableFuture<?> before = changing.get(name);
    if (before != null) {
      return before
          .handle((done, failure) -> request)
          .thenCompose(again -> create(again, owner, access));
    }
    try {
      check(request, access.maxVolumeBytes(name, limits.volumeBytes()));
      if (open.containsKey(name) || backing.exists(name)) {
        return get(name).thenCompose(there -> repeated(there, request));
      }
      ownership.charge(owner, request.capacityBytes());
    } catch (IOException | RequestException | RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
    Executor queue = creations.computeIfAbsent(owner, identity -> new SerialExecutor(creators));
    return change(name, queue, () -> createFiles(request, owner));
  }

  private static void check(VolumeCreate request, long most) throws RequestException {
    if (!VolumeName.isValid(request.name())) {
      throw new RequestException(
          ErrorCode.INVALID, "volume name must be 1 to 64 of a-z, 0-9, '.', '_' and '-'");
    }
    checkBytes(request.name(), request.capacityBytes(), most);
  }

  private static void checkBytes(String name, long bytes, long most) throws RequestException {
    if (bytes <= 0 || bytes > most) {
      throw new RequestException(
          ErrorCode.INVALID,
          "volume "
              + name
              + " of "
              + bytes
              + " bytes: allowed are 1 to "
              + most
              + "; the server's operator can allow more");
    }
  }

  /**
   * Makes a volume larger at its owner's expense. A repetition succeeds, whether the first answer
   * was lost or its last record was not written. For use on the volume's serial executor.
   */
  void extend(Volume volume, Volume.Holder who, long capacityBytes, AccessPolicy access)
      throws IOException, RequestException {
    String name = volume.name();
    checkBytes(name, capacityBytes, access.maxVolumeBytes(name, limits.volumeBytes()));
    String owner = volume.record().owner();
    long more = Math.max(0, capacityBytes - volume.record().chargedBytes());
    ownership.chargeMore(owner, more);
    boolean done = false;
    try {
      volume.extend(who, capacityBytes);
      done = true;
    } finally {
      if (!done) {
        ownership.add(owner, 0, -more);
      }
    }
    made.put(name, volume.record());
    observer.volumeOpened(name, volume.store().capacityBytes());
    LOG.info("volume {} has {} bytes now", name, volume.store().capacityBytes());
  }

  /** A repetition, whose first answer was lost, succeeds again. */
  private static CompletableFuture<Volume> repeated(Volume there, VolumeCreate request) {
    return there.record().creationId() == request.creationId()
        ? CompletableFuture.completedFuture(there)
        : CompletableFuture.failedFuture(
            new RequestException(
                ErrorCode.VOLUME_EXISTS, "volume " + request.name() + " exists already"));
  }

  /** Creates the files, with a record of the owner. */
  private Volume createFiles(VolumeCreate request, ClientIdentity owner)
      throws IOException, RequestException {
    String name = request.name();
    long bytes = request.capacityBytes();
    VolumeRecordDescriptor record =
        VolumeRecordDescriptor.created(request.creationId(), owner, bytes);
    boolean done = false;
    try {
      Volume volume = newVolume(name, backing.create(name, bytes, record::save));
      made.put(name, volume.record());
      done = true;
      LOG.info("volume {} of {} bytes was created by {}", name, bytes, owner);
      return add(volume);
    } finally {
      if (!done) {
        ownership.release(owner.name(), bytes);
      }
    }
  }

  /** Work on the files of one volume. */
  @FunctionalInterface
  private interface FileWork {
    Volume run() throws IOException, RequestException;
  }

  /** Has another thread change the files of a volume. Requires the lock. */
  private CompletableFuture<Volume> change(String name, Executor where, FileWork work) {
    CompletableFuture<Volume> result = new CompletableFuture<>();
    changing.put(name, result);
    try {
      where.execute(() -> change(name, work, result));
    } catch (RejectedExecutionException | OutOfMemoryError e) { // no thread to be had
      changed(name);
      result.completeExceptionally(e);
    }
    return result;
  }

  private void change(String name, FileWork work, CompletableFuture<Volume> result) {
    try {
      Volume volume = work.run();
      changed(name);
      result.complete(volume);
    } catch (IOException | RequestException | RuntimeException | Error e) {
      changed(name);
      result.completeExceptionally(e);
    }
  }

  private synchronized void changed(String name) {
    changing.remove(name);
  }

  private Volume newVolume(String name, OpenedStore opened) throws IOException {
    try {
      return new Volume(name, opened, () -> backing.open(name), threads, lease, nanoClock);
    } catch (IOException | RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  private synchronized Volume add(Volume volume) throws IOException, RequestException {
    if (closed) {
      volume.close();
      throw new RequestException(ErrorCode.DRAINING, "the server is shutting down");
    }
    open.put(volume.name(), volume);
    VolumeRecordDescriptor record = volume.record();
    VolumeRecordDescriptor known = made.put(volume.name(), record);
    if (known == null || known.owner().isEmpty()) { // not readable when the server began
      ownership.add(record.owner(), 1, record.chargedBytes());
    }
    observer.volumeOpened(volume.name(), volume.store().capacityBytes());
    return volume;
  }

  /** Deletes a volume unless it is held. For use on the volume's serial executor. */
  void delete(String name, Volume volume) throws IOException, RequestException {
    volume.closeForDeletion();
    CompletableFuture<@Nullable Void> deletion = new CompletableFuture<>();
    synchronized (this) {
      open.remove(name);
      changing.put(name, deletion);
    }
    try {
      backing.delete(name);
      made.remove(name);
      ownership.release(volume.record().owner(), volume.record().chargedBytes());
    } finally {
      changed(name);
      deletion.complete(null);
    }
    observer.volumeDeleted(name);
    LOG.info("volume {} was deleted", name);
  }

  /**
   * Closes all volumes.
   *
   * @param sync whether to sync them first
   * @return whether all of them were synced, if asked for
   */
  synchronized boolean close(boolean sync) {
    closed = true;
    boolean synced = true;
    List<Volume> all = new ArrayList<>(open.values());
    open.clear();
    for (Volume volume : all) {
      try {
        if (sync) {
          volume.store().sync();
        }
      } catch (IOException | RuntimeException | Error e) {
        synced = false;
        LOG.error("a volume was not synced at the end", e);
      }
      try {
        volume.close();
      } catch (IOException | RuntimeException | Error e) {
        LOG.error("a volume was not closed at the end", e);
      }
    }
    return synced;
  }

  static RequestException missing(String name) {
    return new RequestException(
        ErrorCode.NO_SUCH_VOLUME, "there is no volume " + name + ": check its name, or create it");
  }

  /**
   * The volumes and bytes charged to each identity: those of all volumes that it created, whoever
   * uses them, until they are deleted.
   *
   * <p>Thread safety: safe.
   */
  private static final class Ownership {

    /** Volumes and bytes of one identity. */
    private record Used(int volumes, long bytes) {

      static final Used NOTHING = new Used(0, 0);

      Used plus(int moreVolumes, long moreBytes) {
        return new Used(volumes + moreVolumes, bytes + moreBytes);
      }
    }

    private final VolumeLimits limits;
    private final Map<String, Used> byOwner = new HashMap<>();

    Ownership(VolumeLimits limits) {
      this.limits = limits;
    }

    /** Charges for a volume to be created; throws if that exceeds the limits. */
    synchronized void charge(ClientIdentity owner, long bytes) throws RequestException {
      Used used = byOwner.getOrDefault(owner.name(), Used.NOTHING);
      if (used.volumes() >= limits.identityVolumes()) {
        throw new RequestException(
            ErrorCode.TOO_LARGE,
            owner
                + " has "
                + used.volumes()
                + " volumes, at most "
                + limits.identityVolumes()
                + " are allowed: delete one, or ask the server's operator for more");
      }
      requireRoom(owner.name(), bytes);
      add(owner.name(), 1, bytes);
    }

    /** Charges for more bytes of a volume; throws if that exceeds the limits. */
    synchronized void chargeMore(String owner, long bytes) throws RequestException {
      if (!owner.isEmpty()) {
        requireRoom(owner, bytes);
        add(owner, 0, bytes);
      }
    }

    private void requireRoom(String owner, long bytes) throws RequestException {
      Used used = byOwner.getOrDefault(owner, Used.NOTHING);
      if (bytes > limits.identityBytes() - used.bytes()) {
        throw new RequestException(
            ErrorCode.TOO_LARGE,
            bytes
                + " bytes for a volume: the volumes of "
                + owner
                + " have "
                + used.bytes()
                + " bytes, at most "
                + limits.identityBytes()
                + " are allowed: delete one, or ask the server's operator for more");
      }
    }

    /** Gives back the charge of a volume that was deleted, or not created after all. */
    void release(String owner, long bytes) {
      add(owner, -1, -bytes);
    }

    /** Changes the charges of an identity. */
    synchronized void add(String owner, int volumes, long bytes) {
      if (owner.isEmpty()) {
        return; // created by a server that did not write down by whom
      }
      byOwner.merge(
          owner,
          Used.NOTHING.plus(volumes, bytes),
          (used, more) -> {
            Used sum = used.plus(more.volumes(), more.bytes());
            return sum.volumes() == 0 ? null : sum;
          });
    }
  }
}
