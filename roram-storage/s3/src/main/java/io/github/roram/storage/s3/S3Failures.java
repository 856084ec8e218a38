package io.github.roram.storage.s3;

import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.NonRetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.S3Error;

/** Which failures of a request may pass. */
final class S3Failures {

  private static final int TIMEOUT = 408;
  private static final int CONFLICT = 409;
  private static final int TOO_MANY = 429;
  private static final int SERVER_ERROR = 500;

  /** What is said of an object instead of a status. */
  private static final Set<String> PASSING =
      Set.of(
          "InternalError", "OperationAborted", "RequestTimeout", "ServiceUnavailable", "SlowDown");

  private S3Failures() {}

  /** Whether the same request can be answered otherwise: no refusal is, a lost answer is. */
  static boolean mayPass(RuntimeException e) {
    if (!(e instanceof SdkServiceException answer)) {
      return e instanceof SdkException failure
          && (failure.retryable() || e instanceof AbortedException || isOfTheLine(failure));
    }
    int status = answer.statusCode();
    // Said of an upload that an attempt completed whose answer was lost, too.
    return answer instanceof NoSuchUploadException
        || status >= SERVER_ERROR
        || status == CONFLICT
        || status == TIMEOUT
        || status == TOO_MANY
        || answer.isThrottlingException();
  }

  /** The same of an object that an answer names among those that it deleted not. */
  static boolean mayPass(S3Error error) {
    return PASSING.contains(String.valueOf(error.code()));
  }

  /** Whether a connection could not be made, or broke. */
  private static boolean isOfTheLine(SdkException e) {
    if (e instanceof NonRetryableException) {
      return false;
    }
    @Nullable Throwable cause = e.getCause();
    while (cause != null && !(cause instanceof IOException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }
}
