package io.github.roram.storage.remote;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.BlocksVault;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.remote.protocol.Message.VolumeName;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/**
 * The volume with the copy of a client's records: {@code VOLUME-client}, next to the store's own.
 * It takes room on the server as it is written.
 */
final class CopyVolume implements Closeable {

  private static final String SUFFIX = "-client";

  /** Room for two states and a journal; the state is a few hundredths of the store. */
  private static final long LEAST_BYTES = 256L << 20;

  private final RemoteAddress store;
  private final RemoteOptions options;
  private final LeaseKeeper keeper;
  private @Nullable BlockStore opened;

  CopyVolume(RemoteAddress store, StoreOptions options, LeaseKeeper keeper) {
    this.store = store;
    this.options = RemoteOptions.of(options);
    this.keeper = keeper;
  }

  /** Where it is; a store with a name too long for that has none. */
  private @Nullable RemoteAddress place() {
    String name = store.volume() + SUFFIX;
    return VolumeName.isValid(name)
        ? new RemoteAddress(store.tls(), store.host(), store.port(), name)
        : null;
  }

  /** Whether there is one that this client may use: who keeps none needs no right to it. */
  boolean exists() throws IOException {
    RemoteAddress place = place();
    try {
      return place != null && RemoteVolumes.exists(place, options);
    } catch (AccessDeniedException e) {
      return false;
    }
  }

  /**
   * Opens it until this is closed.
   *
   * @param storeBytes size of a store for which it is made where there is none; 0 to make none
   * @throws NoSuchFileException if there is none
   */
  ClientVault open(long storeBytes) throws IOException {
    RemoteAddress place = place();
    if (place == null) {
      throw new ConfigurationException(
          "the volume is named "
              + store.volume()
              + ", and the copy's would be longer than 64 characters: use a shorter name");
    }
    if (storeBytes > 0) {
      create(place, LEAST_BYTES + storeBytes / 2);
    }
    BlockStore volume = RemoteStore.open(place, options, keeper);
    opened = volume;
    return BlocksVault.in(volume);
  }

  private void create(RemoteAddress place, long bytes) throws IOException {
    try {
      RemoteVolumes.create(place, bytes, options);
    } catch (FileAlreadyExistsException e) {
      // what is in it is made the same as the records
    }
  }

  /** Deletes it; nothing if there is none that this client may use. */
  void delete() throws IOException {
    RemoteAddress place = place();
    if (place != null && exists()) {
      RemoteVolumes.delete(place, options);
    }
  }

  @Override
  public void close() throws IOException {
    if (opened != null) {
      opened.close();
    }
  }
}
