package io.github.roram.storage.s3;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.StoreOptions;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Two clients of the SDK on the same connections.
 *
 * @param data repeats what fails
 * @param slots repeats nothing: the caller must know of each attempt how it ended
 */
record S3Clients(S3Client data, S3Client slots, SdkHttpClient connections)
    implements AutoCloseable {

  private static final Duration CONNECTING = Duration.ofSeconds(5);
  private static final Duration SILENCE = Duration.ofSeconds(30);
  private static final Duration QUEUE = Duration.ofMinutes(5);

  /**
   * As options say. Connects to no bucket yet.
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
            // It would cost a round trip for each object.
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

  @Override
  public void close() {
    data.close();
    slots.close();
    connections.close();
  }
}
