package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreLockedException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Creates, opens and deletes stores by URI.
 *
 * <ul>
 *   <li>{@code mem:} is a new store in memory, which ends when it is closed.
 *   <li>{@code file:DIR} is a store in segment files in a directory. What follows the colon is a
 *       path as it stands, relative or absolute; nothing is decoded. The client's records are
 *       beside the segments, or in {@link StoreOptions#stateDirectory}.
 *   <li>{@code tcp://HOST:PORT/VOLUME} and {@code tls://HOST:PORT/VOLUME} are volumes of a block
 *       server. The client's records stay on this machine, see {@link StoreOptions#stateDirectory}.
 * </ul>
 *
 * <p>Every method throws {@link ConfigurationException} if the URI is of no known kind, or
 * malformed. Thread safety: safe.
 */
public final class Stores {

  private static final List<StoreKind> KINDS =
      List.of(new MemoryKind(), new FileKind(), new RemoteKind(false), new RemoteKind(true));

  private Stores() {}

  /**
   * Creates a store that reads as zeros.
   *
   * @param capacityBytes size of the address space, at least 1
   * @throws FileAlreadyExistsException if one exists there: it is left alone
   * @throws ConfigurationException if the capacity or an option cannot be had there
   */
  public static OpenedStore create(String uri, long capacityBytes, StoreOptions options)
      throws IOException {
    return kindOf(uri).create(locationOf(uri), capacityBytes, options);
  }

  /**
   * Opens a store that was created before.
   *
   * @throws NoSuchFileException if there is none
   * @throws StoreLockedException if it is open already, here or in another process
   * @throws StoreDamagedException if a part of it is missing, truncated or corrupt
   * @throws ConfigurationException if stores of this kind cannot be opened again
   */
  public static OpenedStore open(String uri, StoreOptions options) throws IOException {
    return kindOf(uri).open(locationOf(uri), options);
  }

  /** Whether there is a store that {@link #create} would refuse to replace. */
  public static boolean exists(String uri) throws IOException {
    return exists(uri, StoreOptions.defaults());
  }

  /** As above, with what it takes to reach the store. */
  public static boolean exists(String uri, StoreOptions options) throws IOException {
    return kindOf(uri).exists(locationOf(uri), options);
  }

  /**
   * Deletes a store with all that it owns, and its directory unless there are foreign files in it.
   *
   * @throws NoSuchFileException if there is none
   * @throws StoreLockedException if it is open; nothing was deleted
   */
  public static void delete(String uri) throws IOException {
    delete(uri, StoreOptions.defaults());
  }

  /** As above, with what it takes to reach the store. */
  public static void delete(String uri, StoreOptions options) throws IOException {
    kindOf(uri).delete(locationOf(uri), options);
  }

  private static StoreKind kindOf(String uri) {
    int colon = uri.indexOf(':');
    if (colon < 0) {
      throw new ConfigurationException(
          "store URI is \"" + uri + "\", without a kind: write file:" + uri + ", or " + forms());
    }
    String scheme = uri.substring(0, colon).toLowerCase(Locale.ROOT);
    for (StoreKind kind : KINDS) {
      if (kind.scheme().equals(scheme)) {
        return kind;
      }
    }
    throw new ConfigurationException(
        "store URI is \"" + uri + "\", of unknown kind \"" + scheme + "\": write " + forms());
  }

  private static String locationOf(String uri) {
    return uri.substring(uri.indexOf(':') + 1);
  }

  private static String forms() {
    return KINDS.stream().map(StoreKind::form).collect(Collectors.joining(" or "));
  }
}
