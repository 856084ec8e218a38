package io.github.roram.storage.remote;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.BlocksVault;
import io.github.roram.storage.CopiedVault;
import io.github.roram.storage.LostClient;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreDeletion;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreProvider;
import io.github.roram.storage.StoreTraits;
import io.github.roram.storage.file.StateDirectory;
import io.github.roram.storage.remote.RemoteOptions.DeclaredOptions;
import io.github.roram.storage.remote.protocol.Message.VolumeName;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.OnFailure;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Volumes of a block server: {@code tcp://HOST:PORT/VOLUME} and {@code tls://HOST:PORT/VOLUME}. The
 * client's records stay on this machine.
 */
public abstract class RemoteStoreProvider implements StoreProvider {

  /** The usual sector size of servers' disks, in bytes. */
  private static final int GRANULE_BYTES = 4096;

  /** Concurrent reads of a connection that a block server serves by default. */
  private static final int REQUESTS = 4;

  private final boolean tls;

  RemoteStoreProvider(boolean tls) {
    this.tls = tls;
  }

  @Override
  public final String scheme() {
    return tls ? "tls" : "tcp";
  }

  @Override
  public final String form() {
    return scheme() + "://HOST:PORT/VOLUME";
  }

  @Override
  public final String about() {
    return tls ? "a block server, over TLS" : "a block server";
  }

  @Override
  public final List<StoreOption<?>> options() {
    return DeclaredOptions.all(tls);
  }

  @Override
  public final StoreTraits traits(String location, StoreOptions options) {
    return new StoreTraits(
        GRANULE_BYTES,
        StoreTraits.Writes.IN_PLACE,
        1,
        REQUESTS,
        StoreTraits.Cost.ROUND_TRIP,
        true,
        true);
  }

  @Override
  public final OpenedStore create(String location, long capacityBytes, StoreOptions options)
      throws IOException {
    RemoteAddress address = address(location);
    Path directory = stateDirectory(address, options);
    StateDirectory.requireNoRecords(directory, address.toString());
    RemoteOptions remote = RemoteOptions.of(options);
    // First: a volume whose client cannot keep records would only be in the way.
    StateDirectory state = opened(directory, address);
    return OnFailure.close(
        state,
        () -> {
          RemoteVolumes.create(address, capacityBytes, remote);
          return OnFailure.close(
              () -> RemoteVolumes.delete(address, remote),
              () -> open(address, remote, state, options));
        });
  }

  @Override
  public final OpenedStore open(String location, StoreOptions options) throws IOException {
    RemoteAddress address = address(location);
    RemoteOptions remote = RemoteOptions.of(options);
    StateDirectory state = opened(stateDirectory(address, options), address);
    return OnFailure.close(state, () -> open(address, remote, state, options));
  }

  @Override
  public final boolean exists(String location, StoreOptions options) throws IOException {
    return RemoteVolumes.exists(address(location), RemoteOptions.of(options));
  }

  /** Deletes the volume and the client's records, and after an interruption what is left. */
  @Override
  public final void delete(String location, StoreOptions options) throws IOException {
    RemoteAddress address = address(location);
    RemoteOptions remote = RemoteOptions.of(options);
    Path directory = stateDirectory(address, options);
    StateDirectory.deleteStore(
        directory,
        new StoreDeletion(
            address.toString(),
            () -> RemoteVolumes.exists(address, remote),
            () -> RemoteVolumes.delete(address, remote)));
    new CopyVolume(address, options, LeaseKeeper.NONE).delete();
    StateDirectory.delete(directory);
  }

  private static StateDirectory opened(Path directory, RemoteAddress address) throws IOException {
    StateDirectory.requireNotOfFiles(directory, address.toString());
    return StateDirectory.open(directory);
  }

  private static OpenedStore open(
      RemoteAddress address, RemoteOptions remote, StateDirectory state, StoreOptions options)
      throws IOException {
    CopyVolume copy = new CopyVolume(address, options, LeaseKeeper.in(state.vault(), "lease-copy"));
    return OnFailure.close(
        copy,
        () -> {
          BlockStore store = RemoteStore.open(address, remote, LeaseKeeper.in(state.vault()));
          long bytes = store.capacityBytes();
          ClientVault vault =
              OnFailure.close(
                  store,
                  () ->
                      CopiedVault.keeping(
                          state.vault(), options, create -> copy.open(create ? bytes : 0)));
          return OpenedStore.with(store, vault, () -> closeAll(copy, state));
        });
  }

  private static void closeAll(Closeable first, Closeable second) throws IOException {
    try (second) {
      first.close();
    }
  }

  /** Opens the volume without keeping its lease, since the same process closes it again. */
  @Override
  public final LostClient openLost(String location, StoreOptions options) throws IOException {
    RemoteAddress address = address(location);
    Path directory = stateDirectory(address, options);
    BlockStore store = RemoteStore.open(address, RemoteOptions.of(options), LeaseKeeper.NONE);
    CopyVolume volume = new CopyVolume(address, options, LeaseKeeper.NONE);
    Optional<ClientVault> copy =
        OnFailure.close(
            () -> closeAll(volume, store),
            () -> volume.exists() ? Optional.of(volume.open(0)) : Optional.empty());
    return new LostClient(
        OpenedStore.with(store, ClientVault.inMemory(), volume).store(),
        copy,
        () -> place(directory));
  }

  private static LostClient.Place place(Path directory) throws IOException {
    StateDirectory state = StateDirectory.open(directory);
    return OnFailure.close(
        state,
        () -> {
          LostClient.requireFree(state.vault(), directory);
          return new LostClient.Place(state.vault(), state);
        });
  }

  /** Returns the volume's address. */
  final RemoteAddress address(String location) {
    return RemoteAddress.parse(tls, location);
  }

  private static Path stateDirectory(RemoteAddress address, StoreOptions options) {
    Path given = options.stateDirectory();
    return given != null ? given : address.stateDirectory();
  }

  /**
   * The volume with the copy of a client's records: {@code VOLUME-client}, next to the store's own.
   * It takes room on the server as it is written.
   */
  private static final class CopyVolume implements Closeable {

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

    /** Returns the address of the copy; null if the store's name is too long for one. */
    private @Nullable RemoteAddress place() {
      String name = store.volume() + SUFFIX;
      return VolumeName.isValid(name)
          ? new RemoteAddress(store.tls(), store.host(), store.port(), name)
          : null;
    }

    /**
     * Returns whether this client may use a copy that exists: a client that keeps none needs no
     * right to it.
     */
    boolean exists() throws IOException {
      RemoteAddress place = place();
      try {
        return place != null && RemoteVolumes.exists(place, options);
      } catch (AccessDeniedException e) {
        return false;
      }
    }

    /**
     * Opens the copy until this is closed.
     *
     * @param storeBytes size of the store, to create the copy if there is none; 0 to create none
     * @throws NoSuchFileException if there is no copy
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

  /** Volumes of a block server: {@code tcp://HOST:PORT/VOLUME}. */
  public static final class Tcp extends RemoteStoreProvider {

    /** Creates a provider, for the service loader. */
    public Tcp() {
      super(false);
    }
  }

  /** Volumes of a block server, over TLS: {@code tls://HOST:PORT/VOLUME}. */
  public static final class Tls extends RemoteStoreProvider {

    /** Creates a provider, for the service loader. */
    public Tls() {
      super(true);
    }
  }
}
