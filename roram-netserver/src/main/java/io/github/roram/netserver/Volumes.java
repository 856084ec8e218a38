package io.github.roram.netserver;

import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.VolumeCreateDescriptor;
import io.github.roram.storage.remote.protocol.VolumeNameDescriptor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The volumes of a server: opened when first asked for, then kept open.
 *
 * <p>Thread safety: safe.
 */
final class Volumes {

  private static final Logger LOG = LoggerFactory.getLogger(Volumes.class);

  private final VolumeBacking backing;
  private final Executor threads;
  private final Duration lease;
  private final long maxVolumeBytes;
  private final ServerObserver observer;
  private final Map<String, Volume> open = new HashMap<>();

  Volumes(
      VolumeBacking backing,
      Executor threads,
      Duration lease,
      long maxVolumeBytes,
      ServerObserver observer) {
    this.backing = backing;
    this.threads = threads;
    this.lease = lease;
    this.maxVolumeBytes = maxVolumeBytes;
    this.observer = observer;
  }

  /** A volume that exists. */
  synchronized Volume get(String name) throws IOException, RequestException {
    Volume volume = open.get(name);
    if (volume == null) {
      if (!VolumeNameDescriptor.isValid(name) || !backing.exists(name)) {
        throw missing(name);
      }
      volume = add(name, backing.open(name));
    }
    return volume;
  }

  /** Creates a volume of at most {@code quotaBytes}. */
  synchronized void create(VolumeCreateDescriptor request, long quotaBytes)
      throws IOException, RequestException {
    long most = Math.min(maxVolumeBytes, quotaBytes);
    String name = request.name();
    if (!VolumeNameDescriptor.isValid(name)) {
      throw new RequestException(
          ErrorCode.INVALID, "volume name must be 1 to 64 of a-z, 0-9, '.', '_' and '-'");
    }
    if (request.capacityBytes() <= 0 || request.capacityBytes() > most) {
      throw new RequestException(
          ErrorCode.INVALID,
          "volume " + name + " of " + request.capacityBytes() + " bytes: allowed are 1 to " + most);
    }
    if (open.containsKey(name) || backing.exists(name)) {
      if (get(name).creationId() == request.creationId()) {
        return; // a repetition, whose first answer was lost
      }
      throw new RequestException(ErrorCode.VOLUME_EXISTS, "volume " + name + " exists already");
    }
    add(name, backing.create(name, request.capacityBytes())).created(request.creationId());
    LOG.info("volume {} of {} bytes was created", name, request.capacityBytes());
  }

  private Volume add(String name, OpenedStore opened) throws IOException {
    try {
      Volume volume =
          new Volume(name, opened, () -> reopen(name), threads, lease, backing.verifier());
      open.put(name, volume);
      observer.volumeOpened(name, volume.store().capacityBytes());
      return volume;
    } catch (IOException | RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  private synchronized OpenedStore reopen(String name) throws IOException {
    return backing.open(name);
  }

  /** On the volume's serial executor: deletes it unless it is held. */
  void delete(String name, Volume volume) throws IOException, RequestException {
    volume.closeForDeletion();
    synchronized (this) {
      open.remove(name);
      backing.delete(name);
    }
    observer.volumeDeleted(name);
    LOG.info("volume {} was deleted", name);
  }

  /** Syncs and closes all. */
  synchronized void close(boolean sync) {
    List<Volume> all = new ArrayList<>(open.values());
    open.clear();
    for (Volume volume : all) {
      try {
        if (sync) {
          volume.store().sync();
        }
      } catch (IOException | RuntimeException | Error e) {
        LOG.error("a volume was not synced at the end", e);
      }
      try {
        volume.close();
      } catch (IOException | RuntimeException | Error e) {
        LOG.error("a volume was not closed at the end", e);
      }
    }
  }

  static RequestException missing(String name) {
    return new RequestException(
        ErrorCode.NO_SUCH_VOLUME,
        "there is no volume of this name: create one first (" + name + ")");
  }
}
