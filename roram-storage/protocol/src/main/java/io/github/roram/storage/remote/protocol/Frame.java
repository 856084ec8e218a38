package io.github.roram.storage.remote.protocol;

import io.netty.buffer.ByteBuf;

/**
 * A frame that arrived whole. Who takes it releases the payload.
 *
 * @param head its head
 * @param payload its payload, checked against the head's checksum
 */
public record Frame(FrameDescriptor head, ByteBuf payload) {

  /** What the frame is for. */
  public FrameType type() {
    return head.type();
  }

  /** The request that it belongs to. */
  public long requestId() {
    return head.requestId();
  }

  /** Frees the payload. */
  public void release() {
    payload.release();
  }
}
