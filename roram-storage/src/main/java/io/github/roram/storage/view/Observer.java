package io.github.roram.storage.view;

/** An observer of a run. */
public enum Observer {
  /** Nobody: what a run declares about itself, such as the size class of an access. */
  DECLARED,
  /** The store's operator: extents of every request, in order. */
  STORE,
  /** The holder of the vault's disk: which records and logs change, and their lengths. */
  VAULT,
  /** An observer of the line between client and server: lengths and directions. */
  NETWORK,
  /** The holder of a backup's place: requests for named contents, and their lengths. */
  BACKUP,
  /**
   * The engine that keeps a store's objects, and possibly the client's records: requests by name,
   * place and length.
   */
  ENGINE
}
