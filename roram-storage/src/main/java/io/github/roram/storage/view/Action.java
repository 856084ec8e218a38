package io.github.roram.storage.view;

/** What an {@link Observer} saw happen. */
public enum Action {
  /** DECLARED: an access begins; {@code bytes} is the number of blocks of its size class. */
  ACCESS,
  /** DECLARED: the client is killed, or its machine loses power. */
  CRASH,
  /** DECLARED: a bulk load begins; {@code bytes} is the number of bytes to load. */
  BULK_LOAD,
  /** DECLARED: a scan begins, a pass over everything ever written of one tree. */
  SCAN,
  /** DECLARED: the store is to grow; {@code bytes} is the new number of blocks. */
  GROW,
  /** The store, or a log of the vault, is opened. */
  OPEN,
  /** The store is closed. */
  CLOSE,
  /**
   * An extent is read; extents of one request have the same number. BACKUP, ENGINE: part of an
   * object is read, or names are listed.
   */
  READ,
  /** An extent is written; extents of one request have the same number. */
  WRITE,
  /** Everything written before is made durable. */
  SYNC,
  /** STORE: the client's watermark is replaced by one of {@code bytes} bytes. */
  WATERMARK,
  /** VAULT: {@code bytes} bytes replace a record. BACKUP, ENGINE: an object is put. */
  SAVE,
  /** VAULT: {@code bytes} bytes are appended to a log. */
  APPEND,
  /** VAULT: a log is cut to {@code bytes} bytes. */
  TRUNCATE,
  /** VAULT: a log is deleted. BACKUP, ENGINE: an object is deleted. */
  DELETE,
  /** NETWORK: {@code bytes} bytes go to the server. */
  SEND,
  /** NETWORK: {@code bytes} bytes come from the server. */
  RECEIVE
}
