package io.github.roram.proxy.protocol;

import org.jspecify.annotations.Nullable;

/** What a client asks for. The codes are those of the wire and never change. */
public enum RequestType {
  /** Who it is: the first request of a connection. Its payload is a token, or empty. */
  HELLO(1),
  /** One access that reads bytes. */
  READ(2),
  /** One access that writes bytes, its payload. */
  WRITE(3),
  /** That everything acknowledged before is durable. */
  FLUSH(4),
  /** Counters of the ORAM. */
  STATS(5);

  private final int code;

  RequestType(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** The type of a code; null if there is none. */
  static @Nullable RequestType of(int code) {
    for (RequestType type : values()) {
      if (type.code == code) {
        return type;
      }
    }
    return null;
  }

  /** Whether its payload follows its head. */
  public boolean hasPayload() {
    return this == HELLO || this == WRITE;
  }
}
