package io.github.roram.storage.remote.protocol;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Why a request failed. The codes are those of the wire and never change. */
public enum ErrorCode {
  /** The volume's medium failed. */
  IO(1),
  /** There is no space left on the server, or for this volume. */
  FULL(2),
  /** Part of the volume is missing or damaged. */
  DAMAGED(3),
  /** Another client holds the volume's lease. */
  LOCKED(4),
  /** The volume does not exist. */
  NO_SUCH_VOLUME(5),
  /** The volume already exists. */
  VOLUME_EXISTS(6),
  /** An extent lies outside of the volume. */
  OUT_OF_BOUNDS(7),
  /** The lease went to another client, or was given back. */
  LEASE_LOST(8),
  /** The client is unknown, or may not do what it asks for. */
  UNAUTHORISED(9),
  /** The request exceeds a limit. */
  TOO_LARGE(10),
  /** The server is busy: try again. */
  BUSY(11),
  /** The server is shutting down: try again later. */
  DRAINING(12),
  /** The request breaks the protocol; the connection ends. */
  PROTOCOL(13),
  /** A name or number in the request is not allowed. */
  INVALID(14);

  private static final Map<Integer, ErrorCode> BY_CODE =
      Arrays.stream(values()).collect(Collectors.toMap(ErrorCode::code, Function.identity()));

  private final int code;

  ErrorCode(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** Returns the error of a code; {@link #IO} for unknown codes. */
  static ErrorCode of(int code) {
    return BY_CODE.getOrDefault(code, IO);
  }
}
