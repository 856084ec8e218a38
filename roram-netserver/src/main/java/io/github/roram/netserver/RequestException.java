package io.github.roram.netserver;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.ErrorDescriptor;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreFullException;
import io.github.roram.store.StoreLockedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** A request that is answered with an error. */
final class RequestException extends Exception {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  RequestException(ErrorCode code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  /** What the client is told of a failure. */
  static ErrorDescriptor describe(Throwable failure) {
    String message =
        failure instanceof Error
            ? "the server failed at this request, its log has more: " + failure.getClass().getName()
            : String.valueOf(failure.getMessage());
    return new ErrorDescriptor(codeOf(failure), message);
  }

  /** Whether the server's operator should know of a failure. */
  static boolean isServersOwn(Throwable failure) {
    ErrorCode code = codeOf(failure);
    return code == ErrorCode.IO || code == ErrorCode.FULL || code == ErrorCode.DAMAGED;
  }

  private static ErrorCode codeOf(Throwable failure) {
    if (failure instanceof RequestException request) {
      return request.code;
    } else if (failure instanceof ProtocolException) {
      return ErrorCode.PROTOCOL;
    } else if (failure instanceof StoreFullException) {
      return ErrorCode.FULL;
    } else if (failure instanceof StoreDamagedException) {
      return ErrorCode.DAMAGED;
    } else if (failure instanceof StoreLockedException) {
      return ErrorCode.LOCKED;
    } else if (failure instanceof NoSuchFileException) {
      return ErrorCode.NO_SUCH_VOLUME;
    } else if (failure instanceof FileAlreadyExistsException) {
      return ErrorCode.VOLUME_EXISTS;
    } else if (failure instanceof IndexOutOfBoundsException) {
      return ErrorCode.OUT_OF_BOUNDS;
    } else if (failure instanceof ConfigurationException) {
      return ErrorCode.INVALID;
    }
    return ErrorCode.IO;
  }
}
