package io.github.roram.storage.s3;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Options for reaching S3. Credentials are no option: the SDK finds them in its usual places, from
 * environment variables to the role of a machine.
 */
public final class S3Options {

  private static final int MOST_CONNECTIONS = 1024;
  private static final int MOST_SECONDS = 86_400;

  /** The server, if it is not Amazon's. */
  public static final StoreOption<String> ENDPOINT =
      StoreOption.text(
              "s3-endpoint", "URL", "The server of S3's protocol, where it is not Amazon's.")
          .orVariable("RORAM_S3_ENDPOINT");

  /** The region of the bucket. */
  public static final StoreOption<String> REGION =
      StoreOption.text("s3-region", "REGION", "The region of the bucket.")
          .byDefault("as AWS_REGION or the SDK's settings say");

  /** Whether URLs have the bucket in their path and not in their host. */
  public static final StoreOption<Boolean> PATH_STYLE =
      StoreOption.flag(
          "s3-path-style",
          "Name the bucket in the path of URLs and not in their host, as most servers that are not"
              + " Amazon's want it.");

  /** Most concurrent requests. */
  public static final StoreOption<Integer> CONNECTIONS =
      StoreOption.number(
              "s3-connections", 1, MOST_CONNECTIONS, "Most requests to S3 at the same time.")
          .byDefault("64");

  /** How long a failed request is retried. */
  public static final StoreOption<Duration> RETRY =
      StoreOption.seconds(
              "s3-retry-seconds", 0, MOST_SECONDS, "How long to try a request that S3 fails.")
          .byDefault("60");

  private static final int DEFAULT_CONNECTIONS = 64;
  private static final Duration DEFAULT_RETRY = Duration.ofSeconds(60);

  private S3Options() {}

  /** Returns all options. */
  static List<StoreOption<?>> all() {
    return List.of(ENDPOINT, REGION, PATH_STYLE, CONNECTIONS, RETRY);
  }

  static Optional<URI> endpoint(StoreOptions options) {
    return options.get(ENDPOINT).map(S3Options::parseEndpoint);
  }

  private static URI parseEndpoint(String text) {
    try {
      URI uri = new URI(text);
      boolean isWeb = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (isWeb && uri.getHost() != null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // told below, like one of another scheme
    }
    throw new ConfigurationException(
        "s3-endpoint is " + text + ", must be a URL as https://s3.example.com:9000");
  }

  static boolean pathStyle(StoreOptions options) {
    return options.get(PATH_STYLE).orElse(false);
  }

  static int connections(StoreOptions options) {
    return options.get(CONNECTIONS).orElse(DEFAULT_CONNECTIONS);
  }

  static Duration retry(StoreOptions options) {
    return options.get(RETRY).orElse(DEFAULT_RETRY);
  }
}
