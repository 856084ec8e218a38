package io.github.roram.netserver;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.Message.Failure;
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

  /**
   * Returns what to tell the client about a failure. Only messages written for clients are passed
   * on; others name files of the server, and go to its log.
   */
  static Failure describe(Throwable failure) {
    ErrorCode code = codeOf(failure);
    String message;
    if (isForClients(failure)) {
      message = String.valueOf(failure.getMessage());
    } else if (failure instanceof Error) {
      message =
          "the server failed at this request, its log has more: " + failure.getClass().getName();
    } else {
      message = inGeneral(code);
    }
    return new Failure(code, message);
  }

  /** Returns whether the operator of the server should learn of a failure. */
  static boolean isServersOwn(Throwable failure) {
    return !isForClients(failure);
  }

  private static boolean isForClients(Throwable failure) {
    return failure instanceof RequestException || failure instanceof ProtocolException;
  }

  private static String inGeneral(ErrorCode code) {
    return switch (code) {
      case FULL -> "no room left on the server: have its operator make some, then try again";
      case DAMAGED ->
          "a part of the volume is missing or damaged, the server's log says which: have its"
              + " operator restore it from a copy";
      case LOCKED -> "the volume is in use by another process on the server: close it there first";
      case NO_SUCH_VOLUME -> "there is no such volume: check its name, or create it";
      case VOLUME_EXISTS ->
          "the server has files of a volume of this name, perhaps left by a creation that was"
              + " broken off: have its operator move them away, or choose another name";
      case OUT_OF_BOUNDS -> "an extent lies outside of the volume";
      case INVALID -> "the server cannot do this, its log says why: ask its operator";
      default -> "the server failed at this request, its log has more: ask its operator";
    };
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
