package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import io.github.roram.object.ObjectVault;
import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.BucketTrees;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.FilterBucketStore;
import io.github.roram.store.OnFailure;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreLockedException;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;

/**
 * Creates, opens and deletes stores by URI. The part of a URI before the colon is the scheme of a
 * {@link StoreProvider}; the rest is a location that the provider interprets, without any decoding.
 * Roram has these:
 *
 * <ul>
 *   <li>{@code mem:} is a new store in memory, which is gone when it is closed.
 *   <li>{@code file:DIR} is a store in segment files in a directory, relative or absolute. The
 *       client's records are next to the segments, or in {@link StoreOptions#stateDirectory}.
 *   <li>{@code objects:DIR} is a store of objects in a directory. The client's records are in
 *       {@link StoreOptions#stateDirectory}.
 *   <li>{@code striped:URI,URI,…} is one store on several, its stripes, which are read and written
 *       concurrently. The client's records are with the first.
 *   <li>{@code tcp://HOST:PORT/VOLUME} and {@code tls://HOST:PORT/VOLUME} are volumes of a block
 *       server. The client's records stay on this machine, see {@link StoreOptions#stateDirectory}.
 * </ul>
 *
 * <p>Every method throws {@link ConfigurationException} if the URI is malformed or of an unknown
 * kind. Thread safety: safe.
 */
public final class Stores {

  private static final UriKinds<StoreProvider> KINDS =
      new UriKinds<>(
          "store",
          StoreProvider.class,
          StoreProvider::scheme,
          provider -> provider.form() + " (" + provider.about() + ")");

  private Stores() {}

  /**
   * Creates a store that reads as zeros.
   *
   * @param capacityBytes size of the address space, at least 1
   * @throws FileAlreadyExistsException if there is a store already; it stays unchanged
   * @throws ConfigurationException if the kind of store cannot have this capacity or option
   */
  public static OpenedStore create(String uri, long capacityBytes, StoreOptions options)
      throws IOException {
    StoreProvider provider = provider(uri);
    String location = UriKinds.locationOf(uri);
    Optional<VaultPlace> vault = VaultPlace.of(options);
    if (vault.isEmpty()) {
      return provider.create(location, capacityBytes, options);
    }
    VaultPlace place = vault.get();
    place.create();
    return OnFailure.close(
        place::delete,
        () -> {
          OpenedStore opened = provider.create(location, capacityBytes, alone(options));
          return OnFailure.close(
              () -> provider.delete(location, alone(options)), () -> place.with(opened));
        });
  }

  /**
   * Opens a store that was created before.
   *
   * @throws NoSuchFileException if there is no store
   * @throws StoreLockedException if it is open already, here or in another process
   * @throws StoreDamagedException if part of it is missing, truncated or corrupt
   * @throws ConfigurationException if stores of this kind cannot be reopened
   */
  public static OpenedStore open(String uri, StoreOptions options) throws IOException {
    Optional<VaultPlace> vault = VaultPlace.of(options);
    if (vault.isPresent() && options.get(StoreOptions.STAND_BY).orElse(false)) {
      // The store, too, may be held until the vault is left.
      ObjectVault taken = vault.get().take();
      OpenedStore opened = OnFailure.close(taken, () -> openAlone(uri, options));
      return OpenedStore.with(opened.store(), taken, taken);
    }
    OpenedStore opened = openAlone(uri, options);
    return vault.isPresent() ? vault.get().with(opened) : opened;
  }

  /**
   * Returns a read-only view of a store and its client's records in an engine, as they are now,
   * without taking them.
   *
   * @throws StoreLockedException if the store itself can be open only once, and is open
   */
  public static OpenedStore look(String uri, StoreOptions options) throws IOException {
    VaultPlace place =
        VaultPlace.of(options)
            .orElseThrow(
                () ->
                    new ConfigurationException(
                        "there is no " + StoreOptions.VAULT + " to look at"));
    StoreOptions asking =
        options.with(StoreOptions.STAND_BY, false).with(StoreOptions.TAKE_OVER, false);
    OpenedStore opened = openAlone(uri, asking);
    ObjectVault vault = OnFailure.close(opened, place::look);
    return OpenedStore.with(new LookedAt(opened.store()), vault, vault);
  }

  private static OpenedStore openAlone(String uri, StoreOptions options) throws IOException {
    return provider(uri).open(UriKinds.locationOf(uri), alone(options));
  }

  /**
   * Returns the options for the store itself: the stores it consists of must not take its vault
   * again.
   */
  private static StoreOptions alone(StoreOptions options) {
    return options.without(StoreOptions.VAULT);
  }

  /** A store that another client holds: refuses changes, and deletes nothing. */
  private static final class LookedAt extends FilterBlockStore {
    LookedAt(BlockStore delegate) {
      super(delegate);
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      throw refused();
    }

    @Override
    public boolean extend(long capacityBytes) throws IOException {
      throw refused();
    }

    @Override
    public void keepWatermark(byte[] watermark, boolean durably) throws IOException {
      throw refused();
    }

    private IOException refused() {
      return new IOException(this + " is looked at only");
    }

    @Override
    public Optional<BucketStore> buckets(BucketTrees trees) {
      return delegate.buckets(trees).map(Buckets::new);
    }

    private final class Buckets extends FilterBucketStore {
      Buckets(BucketStore delegate) {
        super(delegate);
      }

      @Override
      public void write(BucketRuns runs, UnitSource source) throws IOException {
        throw refused();
      }

      @Override
      public void discardOlder(int tree, long eviction) {}

      @Override
      public void discardOrphans(int epoch, Current current) {}
    }
  }

  /**
   * Opens a store whose client's records are lost.
   *
   * @throws NoSuchFileException if there is no store
   * @throws StoreLockedException if it is open already, here or in another process
   * @throws ConfigurationException if stores of this kind cannot be reopened
   */
  public static LostClient openLost(String uri, StoreOptions options) throws IOException {
    return provider(uri).openLost(UriKinds.locationOf(uri), alone(options));
  }

  /** Returns whether there is a store that {@link #create} would refuse to replace. */
  public static boolean exists(String uri) throws IOException {
    return exists(uri, StoreOptions.defaults());
  }

  /** Returns whether there is a store, with the options that reach it. */
  public static boolean exists(String uri, StoreOptions options) throws IOException {
    return provider(uri).exists(UriKinds.locationOf(uri), options);
  }

  /**
   * Deletes a store with all its files, and its directory unless that has foreign files.
   *
   * @throws NoSuchFileException if there is no store
   * @throws StoreLockedException if it is open; nothing was deleted
   */
  public static void delete(String uri) throws IOException {
    delete(uri, StoreOptions.defaults());
  }

  /**
   * Deletes a store, with the options that reach it, and the client's records. If a deletion is
   * broken off when only those in an engine ({@link StoreOptions#VAULT}) are left, it can be
   * repeated.
   */
  public static void delete(String uri, StoreOptions options) throws IOException {
    Optional<VaultPlace> vault = VaultPlace.of(options);
    if (vault.isEmpty() || !vault.get().exists()) {
      provider(uri).delete(UriKinds.locationOf(uri), alone(options));
      return;
    }
    // Nobody has it open, here or elsewhere.
    try (ObjectVault held = vault.get().take()) {
      new StoreDeletion(
              uri,
              () -> exists(uri, options),
              () -> provider(uri).delete(UriKinds.locationOf(uri), alone(options)))
          .run(held);
    }
    vault.get().delete();
  }

  /** Deletes a store if there is one. */
  public static void deleteIfThere(String uri, StoreOptions options) throws IOException {
    if (exists(uri, options)) {
      delete(uri, options);
    }
  }

  /** Returns the properties of the store's medium, without looking at the store. */
  public static StoreTraits traits(String uri, StoreOptions options) {
    return provider(uri).traits(UriKinds.locationOf(uri), options);
  }

  /**
   * Returns all kinds of stores, in alphabetical order: those that the current thread's class
   * loader finds, and those that come with this library.
   */
  public static List<StoreProvider> providers() {
    return KINDS.all();
  }

  /** Returns the kind of store that a URI names. */
  public static StoreProvider provider(String uri) {
    return KINDS.of(uri, "file:" + uri);
  }
}
