package io.github.roram.netserver;

import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;

/** Walks through the bytes of a request, slice by slice. Used by one thread at a time. */
final class ExtentCursor {

  private final ExtentBatch request;
  private final ExtentBatch slice = new ExtentBatch();
  private int extent;
  private long inExtent;
  private long left;

  ExtentCursor(ExtentBatch request) {
    this.request = request;
    left = request.bytes();
  }

  /** Bytes not yet walked through. */
  long left() {
    return left;
  }

  /** The next bytes as extents of single bytes, valid until the next call. */
  ExtentBatch next(int bytes) {
    slice.reset(IoPhase.META, ExtentBatch.NO_TREE, 1);
    int missing = bytes;
    while (missing > 0) {
      int step = (int) Math.min(missing, request.bytes(extent) - inExtent);
      slice.add(request.offset(extent) + inExtent, step);
      missing -= step;
      inExtent += step;
      if (inExtent == request.bytes(extent)) {
        extent++;
        inExtent = 0;
      }
    }
    left -= bytes;
    return slice;
  }
}
