package io.github.roram.storage.remote.protocol;

import org.jspecify.annotations.Nullable;

/** What a frame is for. The codes are those of the wire and never change. */
public enum FrameType {
  /** Client: opens the conversation. */
  HELLO(1),
  /** Server: accepts it. */
  WELCOME(2),
  /** Server: a request failed. */
  ERROR(3),
  /** Server: a request without an answer of its own succeeded. */
  DONE(4),
  /** Either: bytes of a read's answer or of a write. */
  DATA(5),
  /** Client: reads extents of the open volume. */
  READ(6),
  /** Client: writes extents of the open volume; {@link #DATA} follows. */
  WRITE(7),
  /** Client: makes all writes before durable. */
  SYNC(8),
  /** Client: is the server there? */
  PING(9),
  /** Client: creates a volume. */
  VOLUME_CREATE(10),
  /** Client: opens a volume under an exclusive lease. */
  VOLUME_OPEN(11),
  /** Server: the volume is open. */
  VOLUME_OPENED(12),
  /** Client: is there a volume? */
  VOLUME_STAT(13),
  /** Server: what is known of a volume. */
  VOLUME_INFO(14),
  /** Client: deletes a volume. */
  VOLUME_DELETE(15),
  /** Client: gives the lease of the open volume back. */
  VOLUME_CLOSE(16),
  /** Client: says how it uses the open volume. */
  VOLUME_USE(17),
  /** Server: what it does for that. */
  VOLUME_SERVICE(18);

  private static final FrameType[] BY_CODE = new FrameType[19];

  static {
    for (FrameType type : values()) {
      BY_CODE[type.code] = type;
    }
  }

  private final byte code;

  FrameType(int code) {
    this.code = (byte) code;
  }

  byte code() {
    return code;
  }

  /** The type of a code, or null if there is none. */
  static @Nullable FrameType of(int code) {
    return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
  }
}
