package io.github.roram.nbd;

import io.github.roram.store.StoreFullException;
import java.nio.channels.ClosedChannelException;

/** What went wrong with a request, as the protocol says it. */
enum NbdError {
  NONE(0),
  /** The export is read-only. */
  EPERM(1),
  /** The store failed, or returned what was not written there. */
  EIO(5),
  /** The request is not one, or reads beyond the end. */
  EINVAL(22),
  /** It writes beyond the end, or the store's disk is full. */
  ENOSPC(28),
  /** The server ends. */
  ESHUTDOWN(108);

  private final int code;

  NbdError(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** What clients are told of a failure. */
  static NbdError of(Throwable failure) {
    if (failure instanceof StoreFullException) {
      return ENOSPC;
    }
    return failure instanceof ClosedChannelException ? ESHUTDOWN : EIO;
  }
}
