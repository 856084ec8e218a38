package io.github.roram.bench.trace;

/**
 * One request to a block device.
 *
 * @param timestampMicros when it was issued, in microseconds since the trace's own zero; formats
 *     without times have 0
 * @param write whether it writes
 * @param offsetBytes first byte on the device, at least 0
 * @param lengthBytes bytes, at least 1
 */
public record TraceRequest(
    long timestampMicros, boolean write, long offsetBytes, long lengthBytes) {

  /** Checks that the request names bytes that can exist. */
  public TraceRequest {
    if (offsetBytes < 0 || lengthBytes < 1 || offsetBytes > Long.MAX_VALUE - lengthBytes) {
      throw new IllegalArgumentException(
          "request of "
              + lengthBytes
              + " bytes at "
              + offsetBytes
              + ": the offset must not be negative and the length at least 1");
    }
  }

  /** The first byte after the request. */
  public long endBytes() {
    return offsetBytes + lengthBytes;
  }
}
