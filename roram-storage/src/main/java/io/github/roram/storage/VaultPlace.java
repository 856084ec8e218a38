package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import io.github.roram.object.ObjectSelfTest;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectVault;
import io.github.roram.object.ObjectVault.Tenancy;
import io.github.roram.store.OnFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.util.Optional;

/**
 * The vault of a store's client in an engine: {@link StoreOptions#VAULT}. The vault that the store
 * has on this machine then stays empty, except for the store's own records.
 *
 * @param uri the engine's URI
 */
record VaultPlace(String uri, StoreOptions options) {

  private static final String SELF_TEST = "self-test";

  /**
   * Returns the place of the vault, if it is in an engine.
   *
   * @throws ConfigurationException if a copy with the store is also asked for: that would be of the
   *     empty vault on this machine
   */
  static Optional<VaultPlace> of(StoreOptions options) {
    Optional<String> copy = options.get(ClientCopy.OPTION);
    if (options.get(StoreOptions.VAULT).isPresent()
        && copy.filter(word -> ClientCopy.of(word) != ClientCopy.NONE).isPresent()) {
      throw new ConfigurationException(
          ClientCopy.OPTION
              + " is \""
              + copy.get()
              + "\", but the client's records are in an engine ("
              + StoreOptions.VAULT
              + ") and are not lost with this machine: leave it out");
    }
    return options.get(StoreOptions.VAULT).map(uri -> new VaultPlace(uri, options));
  }

  private ObjectSpace objects() throws IOException {
    return Engines.open(uri, options);
  }

  /**
   * Creates an empty vault, in an engine that is fit for it.
   *
   * @throws FileAlreadyExistsException if there is one already
   */
  void create() throws IOException {
    try (ObjectSpace objects = objects()) {
      if (ObjectVault.isIn(objects)) {
        throw new FileAlreadyExistsException(
            uri,
            null,
            "holds a client's records, without which their store cannot be read: delete that store"
                + " first, or name another place");
      }
      ObjectSelfTest.run(objects, SELF_TEST);
      ObjectVault.create(objects);
    }
  }

  /**
   * Takes the vault, which from then on belongs to this client.
   *
   * @throws io.github.roram.store.StoreLockedException if another client has it
   */
  ObjectVault take() throws IOException {
    return opened(objects -> ObjectVault.open(objects, holder(), tenancy()));
  }

  /** Returns a read-only view of the vault. */
  ObjectVault look() throws IOException {
    return opened(ObjectVault::look);
  }

  private interface Opening {
    ObjectVault of(ObjectSpace objects) throws IOException;
  }

  private ObjectVault opened(Opening opening) throws IOException {
    ObjectSpace objects = objects();
    return OnFailure.close(objects, () -> opening.of(objects));
  }

  private Tenancy tenancy() {
    return new Tenancy(
        options.get(StoreOptions.TAKE_OVER).orElse(false),
        options.get(StoreOptions.STAND_BY).orElse(false),
        options
            .get(StoreOptions.VAULT_SECONDS)
            .map(Duration::toMillis)
            .orElse(Tenancy.POLITE.waitMillis()));
  }

  private static String holder() {
    String process = "process " + ProcessHandle.current().pid();
    try {
      return process + " on " + InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return process;
    }
  }

  /** Returns whether there is a vault. */
  boolean exists() throws IOException {
    try (ObjectSpace objects = objects()) {
      return ObjectVault.isIn(objects);
    }
  }

  /** Deletes the vault, which nobody may have open. */
  void delete() throws IOException {
    try (ObjectSpace objects = objects()) {
      ObjectVault.delete(objects);
    }
  }

  /** Returns a store with this vault in place of its own. */
  OpenedStore with(OpenedStore opened) throws IOException {
    ObjectVault vault = OnFailure.close(opened, this::take);
    return OpenedStore.with(opened.store(), vault, vault);
  }
}
