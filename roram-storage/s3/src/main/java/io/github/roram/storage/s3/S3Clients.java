package io.github.roram.storage.s3;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.StoreOptions;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.NonRetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.S3Error;

/**
 * Two clients of the SDK on the same connections, and which of their failures may pass.
 *
 * @param data repeats what fails
 * @param slots repeats nothing: the caller must know of each attempt how it ended
 */
record S3Clients(S3Client data, S3Client slots, SdkHttpClient connections)
    implements AutoCloseable {

  private static final Duration CONNECTING = Duration.ofSeconds(5);
  private static final Duration SILENCE = Duration.ofSeconds(30);
  private static final Duration QUEUE = Duration.ofMinutes(5);

  private static final int TIMEOUT = 408;
  private static final int CONFLICT = 409;
  private static final int TOO_MANY = 429;
  private static final int SERVER_ERROR = 500;

  /** Codes that S3 reports for an object in place of a status. */
  private static final Set<String> PASSING =
      Set.of(
          "InternalError", "OperationAborted", "RequestTimeout", "ServiceUnavailable", "SlowDown");

  /**
   * Creates clients as the options say. Connects to no bucket yet.
   *
   * @throws ConfigurationException if there are no credentials, or no region
   */
  static S3Clients of(StoreOptions options) {
    SdkHttpClient connections =
        Apache5HttpClient.builder()
            .maxConnections(S3Options.connections(options))
            .connectionTimeout(CONNECTING)
            .socketTimeout(SILENCE)
            .connectionAcquisitionTimeout(QUEUE)
            .build();
    try {
      return on(connections, options);
    } catch (RuntimeException e) {
      connections.close();
      throw e;
    }
  }

  private static S3Clients on(SdkHttpClient connections, StoreOptions options) {
    AwsCredentialsProvider who = DefaultCredentialsProvider.builder().build();
    try {
      who.resolveCredentials();
    } catch (SdkException e) {
      throw new ConfigurationException(
          "there are no credentials for S3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or"
              + " another of the places in which the SDK looks",
          e);
    }
    S3ClientBuilder data = builder(options, connections, who);
    S3ClientBuilder slots =
        builder(options, connections, who)
            .overrideConfiguration(o -> o.retryStrategy(DefaultRetryStrategy.doNotRetry()));
    try {
      return new S3Clients(data.build(), slots.build(), connections);
    } catch (SdkException e) {
      throw new ConfigurationException(
          "there is no region for S3: set the option s3-region to the bucket's, or AWS_REGION, or"
              + " another of the places in which the SDK looks",
          e);
    }
  }

  private static S3ClientBuilder builder(
      StoreOptions options, SdkHttpClient connections, AwsCredentialsProvider who) {
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClient(connections)
            .credentialsProvider(who)
            .forcePathStyle(S3Options.pathStyle(options))
            // Waiting for "100 Continue" would cost a round trip for each object.
            .serviceConfiguration(s3 -> s3.expectContinueEnabled(false));
    Optional<URI> endpoint = S3Options.endpoint(options);
    endpoint.ifPresent(builder::endpointOverride);
    Optional<String> region = options.get(S3Options.REGION);
    if (region.isPresent()) {
      builder.region(Region.of(region.get()));
    } else if (endpoint.isPresent()) {
      // Servers that are not Amazon's take any.
      builder.region(Region.US_EAST_1);
    }
    return builder;
  }

  /**
   * Returns whether the same request may succeed when it is repeated: after a lost answer it may,
   * after a refusal not.
   */
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
        || answer.isThrottlingException()
        // The SDK uses the server's clock from then on.
        || answer.isClockSkewException();
  }

  /** Returns the same for an object that an answer lists as not deleted. */
  static boolean mayPass(S3Error error) {
    return PASSING.contains(String.valueOf(error.code()));
  }

  /** Returns whether a connection could not be made, or broke. */
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

  @Override
  public void close() {
    data.close();
    slots.close();
    connections.close();
  }
}
