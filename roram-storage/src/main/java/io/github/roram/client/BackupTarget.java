package io.github.roram.client;

import io.github.roram.ConfigurationException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.storage.Engines;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.objects.VolumeObjects;
import io.github.roram.store.BlockStore;
import io.github.roram.store.OnFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Where a target says that backups are.
 *
 * @param uri for messages
 * @param opening how
 */
record BackupTarget(String uri, Opening opening) {

  /** Opens the objects, once. */
  interface Opening {
    /**
     * Opens them.
     *
     * @param roomBytes of a place that is made for them where there is none; 0 to make none
     * @return none where there is no place for them
     */
    Optional<ObjectSpace> open(long roomBytes) throws IOException;
  }

  private static final String FILE = "file:";

  /** A directory, if the target is one; a letter before a colon is a drive. */
  static Optional<Path> directory(String target) {
    if (target.startsWith(FILE)) {
      return Optional.of(Path.of(target.substring(FILE.length())));
    }
    return target.indexOf(':') > 1 ? Optional.empty() : Optional.of(Path.of(target));
  }

  /** Objects that are open. */
  static BackupTarget of(ObjectSpace objects) {
    return new BackupTarget(objects.toString(), room -> Optional.of(objects));
  }

  /** Returns an engine, or a volume. */
  static BackupTarget of(String target, StoreOptions options) {
    String kind = target.substring(0, target.indexOf(':')).toLowerCase(Locale.ROOT);
    if (Engines.providers().stream().anyMatch(engine -> engine.scheme().equals(kind))) {
      if (!Stores.traits(target, options).lasting()) {
        throw new ConfigurationException(target + " ends with the process; name another target");
      }
      return new BackupTarget(target, room -> Optional.of(Engines.open(target, options)));
    }
    if (kind.equals("striped")) {
      throw new ConfigurationException(
          target + " is a store in parts, no place for backups: name one volume, or a directory");
    }
    Stores.provider(target);
    return new BackupTarget(target, room -> volume(target, options, room));
  }

  /** A volume keeps no records of a client, as no store is in it. */
  private static Optional<ObjectSpace> volume(String uri, StoreOptions options, long roomBytes)
      throws IOException {
    BlockStore volume;
    if (Stores.exists(uri, options)) {
      volume = Stores.open(uri, options).store();
    } else if (roomBytes > 0) {
      volume = Stores.create(uri, VolumeObjects.capacityFor(roomBytes), options).store();
    } else {
      return Optional.empty();
    }
    return Optional.of(OnFailure.close(volume, () -> VolumeObjects.in(volume)));
  }

  @Override
  public String toString() {
    return uri;
  }
}
