package io.github.roram.storage.view;

/** What an {@link Observer} saw being done. */
public enum Action {
  /** DECLARED: an access begins; {@code bytes} is how many blocks its size class has. */
  ACCESS,
  /** DECLARED: the client is killed, or its machine loses power. */
  CRASH,
  /** DECLARED: a bulk load begins; {@code bytes} is how many bytes it brings. */
  BULK_LOAD,
  /** DECLARED: a scan begins, a pass over all that was ever written of one tree. */
  SCAN,
  /** DECLARED: the store is to grow; {@code bytes} is how many blocks it gets in all. */
  GROW,
  /** The store, or a log of the vault, is opened. */
  OPEN,
  /** It is closed. */
  CLOSE,
  /**
   * An extent is read; extents of one request have the same number. BACKUP, ENGINE: so much of an
   * object is read, or names are listed.
   */
  READ,
  /** An extent is written; extents of one request have the same number. */
  WRITE,
  /** All before is made durable. */
  SYNC,
  /** STORE: the client's watermark is replaced by one of so many bytes. */
  WATERMARK,
  /** VAULT: a record is replaced by one of so many bytes. BACKUP, ENGINE: an object is written. */
  SAVE,
  /** VAULT: so many bytes are appended to a log. */
  APPEND,
  /** VAULT: a log is cut to so many bytes. */
  TRUNCATE,
  /** VAULT: a log is deleted. BACKUP, ENGINE: an object is. */
  DELETE,
  /** NETWORK: so many bytes go to the server. */
  SEND,
  /** NETWORK: so many bytes come from the server. */
  RECEIVE
}
