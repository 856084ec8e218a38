package io.github.roram.proxy.protocol;

/** How a request ended. The codes are those of the wire and never change. */
public enum AnswerStatus {
  /** It was done. */
  OK(0),
  /** It asks for what the ORAM does not have, or for too much at once; nothing was done. */
  INVALID(1),
  /** Who asks may not; the connection ends. */
  UNAUTHORISED(2),
  /** The proxy is ending; nothing was done. */
  DRAINING(3),
  /** The store or the client's disk failed: the request may be repeated. */
  IO(4),
  /** The store returned anything but what was last written. */
  DAMAGED(5),
  /** The stash limit was reached by an earlier access. */
  FULL(6),
  /** Something failed that should not. */
  INTERNAL(7);

  private final int code;

  AnswerStatus(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** The status of a code; {@link #INTERNAL} for codes of the future. */
  static AnswerStatus of(int code) {
    for (AnswerStatus status : values()) {
      if (status.code == code) {
        return status;
      }
    }
    return INTERNAL;
  }
}
