package io.github.roram.storage.view;

/** Who sees something of a run. */
public enum Observer {
  /** Nobody: what a run declares of itself, such as the size class of an access. */
  DECLARED,
  /** Who holds the store: extents of every request, in order. */
  STORE,
  /** Who holds the disk of the client's vault: which records and logs change, and their lengths. */
  VAULT,
  /** Who watches the line between client and server: lengths and directions. */
  NETWORK
}
