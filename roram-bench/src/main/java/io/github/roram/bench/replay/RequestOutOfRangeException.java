package io.github.roram.bench.replay;

import io.github.roram.bench.trace.TraceRequest;
import java.io.IOException;

/** A trace asks for bytes that the device does not have. */
public final class RequestOutOfRangeException extends IOException {
  private static final long serialVersionUID = 1L;

  RequestOutOfRangeException(
      String trace, long line, TraceRequest request, long capacityBytes, int blockBytes) {
    super(
        trace
            + ", line "
            + line
            + ": "
            + request.lengthBytes()
            + " bytes at offset "
            + request.offsetBytes()
            + " exceed the device of "
            + capacityBytes
            + " bytes; take addresses modulo its size (--fold), or make it larger (--blocks "
            + ((request.endBytes() - 1) / blockBytes + 1)
            + " or more)");
  }
}
