package io.github.roram.storage;

import io.github.roram.storage.file.StateDirectory;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.storage.remote.VaultLeaseKeeper;
import io.github.roram.store.BlockStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Volumes of a block server: {@code tcp://HOST:PORT/VOLUME} and {@code tls://HOST:PORT/VOLUME}. The
 * client's records stay on this machine.
 */
final class RemoteKind implements StoreKind {

  private final boolean tls;

  RemoteKind(boolean tls) {
    this.tls = tls;
  }

  @Override
  public String scheme() {
    return tls ? "tls" : "tcp";
  }

  @Override
  public String form() {
    return scheme() + "://HOST:PORT/VOLUME (a block server" + (tls ? ", over TLS)" : ")");
  }

  @Override
  public OpenedStore create(String location, long capacityBytes, StoreOptions options)
      throws IOException {
    RemoteAddress address = RemoteAddress.parse(tls, location);
    Path state = options.stateDirectoryOf(address);
    if (StateDirectory.hasRecords(state)) {
      throw new FileAlreadyExistsException(
          state.toString(),
          null,
          "holds a client's records of "
              + address
              + ", without which that store cannot be read: delete the store first, move the"
              + " directory away, or choose another state directory");
    }
    RemoteVolumes.create(address, capacityBytes, options.remote());
    return open(address, state, options);
  }

  @Override
  public OpenedStore open(String location, StoreOptions options) throws IOException {
    RemoteAddress address = RemoteAddress.parse(tls, location);
    return open(address, options.stateDirectoryOf(address), options);
  }

  @Override
  public boolean exists(String location, StoreOptions options) throws IOException {
    return RemoteVolumes.exists(RemoteAddress.parse(tls, location), options.remote());
  }

  /** What is left of the client's records of a volume that is gone goes with it. */
  @Override
  public void delete(String location, StoreOptions options) throws IOException {
    RemoteAddress address = RemoteAddress.parse(tls, location);
    Path state = options.stateDirectoryOf(address);
    StateDirectory.requireNotOfFiles(state, address.toString());
    try {
      RemoteVolumes.delete(address, options.remote());
    } catch (NoSuchFileException e) {
      if (!StateDirectory.hasRecords(state)) {
        throw e;
      }
    }
    StateDirectory.delete(state);
  }

  private static OpenedStore open(RemoteAddress address, Path directory, StoreOptions options)
      throws IOException {
    StateDirectory.requireNotOfFiles(directory, address.toString());
    boolean isNew = !Files.exists(directory);
    StateDirectory state = StateDirectory.open(directory);
    try {
      VaultLeaseKeeper keeper = new VaultLeaseKeeper(state.vault());
      BlockStore store = RemoteStore.open(address, options.remote(), keeper);
      return StoreWithState.opened(store, state);
    } catch (IOException | RuntimeException e) {
      state.close();
      if (isNew) {
        StateDirectory.delete(directory);
      }
      throw e;
    }
  }
}
