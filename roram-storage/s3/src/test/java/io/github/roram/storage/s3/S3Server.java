package io.github.roram.storage.s3;

import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.objects.ObjectPlace;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** Where a server of S3's protocol listens, and how it is reached in tests. */
record S3Server(URI endpoint) {

  static final String BUCKET = "roram-tests";
  static final String ACCESS_KEY = "test";
  static final String SECRET_KEY = "testsecret";

  // The SDK finds them in the first place where it looks.
  static {
    System.setProperty("aws.accessKeyId", ACCESS_KEY);
    System.setProperty("aws.secretAccessKey", SECRET_KEY);
  }

  static S3Server at(int port) {
    return new S3Server(URI.create("http://127.0.0.1:" + port));
  }

  StoreOptions options() {
    return StoreOptions.defaults()
        .with(S3Options.ENDPOINT, endpoint.toString())
        .with(S3Options.PATH_STYLE, true)
        .with(S3Options.RETRY, Duration.ofMinutes(3)); // servers are killed, and take time to start
  }

  S3Server withBucket() {
    try (S3Client s3 =
        S3Client.builder()
            .endpointOverride(endpoint)
            .forcePathStyle(true)
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(ACCESS_KEY, SECRET_KEY)))
            .httpClientBuilder(Apache5HttpClient.builder())
            .build()) {
      s3.createBucket(bucket -> bucket.bucket(BUCKET));
    }
    return this;
  }

  S3Objects objects(String bucket, String prefix) {
    return S3Objects.open(new ObjectPlace("s3", bucket, prefix), options());
  }
}
