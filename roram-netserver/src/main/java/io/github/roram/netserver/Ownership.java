package io.github.roram.netserver;

import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the volumes of each identity take: of those that it created, wherever they are and whoever
 * uses them, until they are deleted.
 *
 * <p>Thread safety: safe.
 */
final class Ownership {

  private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);

  /** Volumes of one identity. */
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

  /**
   * Counts the volumes that are there.
   *
   * @param vaults theirs, by name
   */
  void load(Map<String, ClientVault> vaults) {
    vaults.forEach(
        (name, vault) -> {
          try {
            VolumeRecordDescriptor record = VolumeRecordDescriptor.load(vault, name);
            add(record.owner(), 1, record.chargedBytes());
          } catch (IOException e) {
            LOG.warn("volume {} counts for nobody: its record cannot be read", name, e);
          }
        });
  }

  /** A volume is being created: takes its room, or throws if that is more than there is. */
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
    if (bytes > limits.identityBytes() - used.bytes()) {
      throw new RequestException(
          ErrorCode.TOO_LARGE,
          "volume of "
              + bytes
              + " bytes: the volumes of "
              + owner
              + " have "
              + used.bytes()
              + " bytes, at most "
              + limits.identityBytes()
              + " are allowed: delete one, or ask the server's operator for more");
    }
    add(owner.name(), 1, bytes);
  }

  /** A volume is gone, or was not created after all. */
  void release(String owner, long bytes) {
    add(owner, -1, -bytes);
  }

  private synchronized void add(String owner, int volumes, long bytes) {
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
