package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreLockedException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/**
 * A kind of store: the operations on URIs of one scheme. A jar adds its own kinds by naming them in
 * {@code META-INF/services/io.github.roram.storage.StoreProvider}; {@link Stores} and the command
 * line find them there.
 *
 * <h2>Obligations of an implementation</h2>
 *
 * <ul>
 *   <li>It is public, has a public constructor without arguments that does nothing slow, and no
 *       state: instances are made and dropped at any time.
 *   <li>Stores keep the contract of {@link BlockStore}, their vaults that of {@link ClientVault}.
 *       Closing the {@link OpenedStore} releases what opening it took, such as a lock, once this
 *       handle can no longer change the store.
 *   <li>A store is open only once at a time: meanwhile, opening and deleting it throw {@link
 *       StoreLockedException}.
 *   <li>A call that fails changes nothing: it leaves no part of a store, and no lock.
 *   <li>An invalid location is answered with a {@link ConfigurationException} that quotes the URI
 *       and gives the right form.
 *   <li>Options are declared in {@link #options}. Missing options, and options of other kinds, are
 *       no error.
 * </ul>
 *
 * <p>Thread safety: safe.
 */
public interface StoreProvider {

  /** Returns the part of the URI before the colon, in lower case. It must be unique. */
  String scheme();

  /** Returns the form of such a URI, as in {@code file:DIR}. */
  String form();

  /** Describes such a store in a few words, as in "segment files in a directory". */
  String about();

  /**
   * Returns the options that these stores have. An option's name should begin with the scheme
   * unless it is of general use: the command line has it next to options of commands and of other
   * kinds.
   */
  List<StoreOption<?>> options();

  /** Returns the options that may be given, including those of kinds of stores below these. */
  default List<StoreOption<?>> accepted() {
    return options();
  }

  /** Returns the properties of a store's medium, from the arguments alone. */
  StoreTraits traits(String location, StoreOptions options);

  /**
   * Creates a store that reads as zeros.
   *
   * @param location the part of the URI after the colon
   * @param capacityBytes size of the address space, at least 1
   * @throws FileAlreadyExistsException if there is a store already; it stays unchanged
   * @throws ConfigurationException if such stores cannot have this capacity or option
   */
  OpenedStore create(String location, long capacityBytes, StoreOptions options) throws IOException;

  /**
   * Opens a store that was created before.
   *
   * @throws NoSuchFileException if there is no store
   * @throws StoreLockedException if it is open already, here or in another process
   * @throws StoreDamagedException if part of it is missing, truncated or corrupt
   * @throws ConfigurationException if stores of this kind cannot be reopened
   */
  OpenedStore open(String location, StoreOptions options) throws IOException;

  /**
   * Opens a store without its client's records, as if they were lost. By default it is opened with
   * them, whatever they are worth, and keeps no copy.
   *
   * @throws NoSuchFileException if there is no store
   * @throws StoreLockedException if it is open already, here or in another process
   */
  default LostClient openLost(String location, StoreOptions options) throws IOException {
    return LostClient.without(
        open(location, options).store(),
        "stores of kind "
            + form()
            + " keep no copy of their client's records: restore a backup (roram restore)");
  }

  /** Returns whether there is a store that {@link #create} would refuse to replace. */
  boolean exists(String location, StoreOptions options) throws IOException;

  /**
   * Deletes a store with all its files, including the client's records.
   *
   * @throws NoSuchFileException if there is no store
   * @throws StoreLockedException if it is open; nothing was deleted
   */
  void delete(String location, StoreOptions options) throws IOException;
}
