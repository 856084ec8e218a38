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
 * A kind of stores: what can be done with the URIs of one scheme. A jar adds its own kinds by
 * naming them in {@code META-INF/services/io.github.roram.storage.StoreProvider}; {@link Stores}
 * and the command line find them there.
 *
 * <h2>Obligations of an implementation</h2>
 *
 * <ul>
 *   <li>It is public, has a public constructor without arguments that does nothing slow, and no
 *       state: instances are made and dropped at any time.
 *   <li>Stores keep the contract of {@link BlockStore}, their vaults that of {@link ClientVault}.
 *       Closing the {@link OpenedStore} frees what opening it took, a lock for example, once
 *       nothing of this handle can change the store any more.
 *   <li>A store is open once: while it is, opening and deleting it throw {@link
 *       StoreLockedException}.
 *   <li>A call that fails leaves things as they were: no half of a store, no lock.
 *   <li>A location that cannot be is a {@link ConfigurationException} that quotes the URI and says
 *       how it is written.
 *   <li>Options are declared in {@link #options}. Values that are not given, and options of other
 *       kinds, are no error.
 * </ul>
 *
 * <p>Thread safety: safe.
 */
public interface StoreProvider {

  /** What comes before the colon of the URI, in lower case. No other provider may have the same. */
  String scheme();

  /** How such a URI is written, as in {@code file:DIR}. */
  String form();

  /** What such a store is, in a few words, as in "segment files in a directory". */
  String about();

  /**
   * The options that these stores have. An option's name should begin with the scheme unless it is
   * of general use: on the command line it stands next to those of the commands and of other kinds.
   */
  List<StoreOption<?>> options();

  /** The options that may be given: also those of other kinds, if such stores are below these. */
  default List<StoreOption<?>> accepted() {
    return options();
  }

  /** What is good to know of a store before it is used. Looks at nothing but the arguments. */
  StoreTraits traits(String location, StoreOptions options);

  /**
   * Creates a store that reads as zeros.
   *
   * @param location what comes after the colon of the URI
   * @param capacityBytes size of the address space, at least 1
   * @throws FileAlreadyExistsException if one exists there: it is left alone
   * @throws ConfigurationException if the capacity or an option cannot be had there
   */
  OpenedStore create(String location, long capacityBytes, StoreOptions options) throws IOException;

  /**
   * Opens a store that was created before.
   *
   * @throws NoSuchFileException if there is none
   * @throws StoreLockedException if it is open already, here or in another process
   * @throws StoreDamagedException if a part of it is missing, truncated or corrupt
   * @throws ConfigurationException if stores of this kind cannot be opened again
   */
  OpenedStore open(String location, StoreOptions options) throws IOException;

  /**
   * Opens a store whose client's records are lost, or as if they were.
   *
   * @throws NoSuchFileException if there is none
   * @throws StoreLockedException if it is open already, here or in another process
   * @throws ConfigurationException if stores of this kind have their records with them always
   */
  default LostClient openLost(String location, StoreOptions options) throws IOException {
    throw new ConfigurationException(
        "stores of kind " + form() + " cannot be opened without their client's records");
  }

  /** Whether there is a store that {@link #create} would refuse to replace. */
  boolean exists(String location, StoreOptions options) throws IOException;

  /**
   * Deletes a store with all that it owns, the client's records too.
   *
   * @throws NoSuchFileException if there is none
   * @throws StoreLockedException if it is open; nothing was deleted
   */
  void delete(String location, StoreOptions options) throws IOException;
}
