package io.github.roram.storage.view;

/** An observer of a run. */
public enum Observer {
  /** Nobody: what a run declares of itself, such as the size class of an access. */
  DECLARED,
  /** The store's operator: extents of every request, in order. */
  STORE,
  /** The holder of the vault's disk: which records and logs change, and their lengths. */
  VAULT,
  /** An observer of the line between client and server: lengths and directions. */
  NETWORK,
  /** Who has the place of a backup: requests for named contents, and their lengths. */
  BACKUP,
  /**
   * The engine that keeps a store's objects, and perhaps the client's records, too: requests by
   * name, place and length.
   */
  ENGINE
}
