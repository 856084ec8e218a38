package io.github.roram.storage.ignite;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** Options for reaching a cluster. */
public final class IgniteOptions {

  private static final int MOST_REQUESTS = 1024;
  private static final int MOST_SECONDS = 86_400;
  private static final int DEFAULT_REQUESTS = 32;
  private static final Duration DEFAULT_RETRY = Duration.ofSeconds(60);
  private static final String DEFAULT_ADDRESS = "127.0.0.1:10800";
  private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9._-]+:[0-9]{1,5}");

  /** Addresses at which nodes accept clients. */
  public static final StoreOption<String> ADDRESSES =
      StoreOption.text(
              "ignite-addresses",
              "HOST:PORT,…",
              "Where nodes take clients: some of them, which name the others.")
          .orVariable("RORAM_IGNITE_ADDRESSES")
          .byDefault(DEFAULT_ADDRESS);

  /** The user that the client logs in as. */
  public static final StoreOption<String> USER =
      StoreOption.text("ignite-user", "NAME", "User, where the cluster wants one.");

  /** The user's password. */
  public static final StoreOption<String> PASSWORD =
      StoreOption.text("ignite-password", "TEXT", "The user's password.")
          .orVariable("RORAM_IGNITE_PASSWORD")
          .secret();

  /** Whether connections are encrypted. */
  public static final StoreOption<Boolean> TLS =
      StoreOption.flag(
          "ignite-tls",
          "Connect by TLS, with the keys and authorities that Java's settings name"
              + " (javax.net.ssl.trustStore and so on).");

  /** Most concurrent requests. */
  public static final StoreOption<Integer> REQUESTS =
      StoreOption.number(
              "ignite-requests", 1, MOST_REQUESTS, "Most requests to a cluster at the same time.")
          .byDefault(Integer.toString(DEFAULT_REQUESTS));

  /** How long a failed request is retried. */
  public static final StoreOption<Duration> RETRY =
      StoreOption.seconds(
              "ignite-retry-seconds",
              0,
              MOST_SECONDS,
              "How long to try a request that the cluster fails, as while a node of it dies.")
          .byDefault("60");

  private IgniteOptions() {}

  /** Returns all options. */
  static List<StoreOption<?>> all() {
    return List.of(ADDRESSES, USER, PASSWORD, TLS, REQUESTS, RETRY);
  }

  static String[] addresses(StoreOptions options) {
    String text = options.get(ADDRESSES).orElse(DEFAULT_ADDRESS);
    String[] addresses = text.split(",", -1);
    for (String address : addresses) {
      if (!ADDRESS.matcher(address).matches()) {
        throw new ConfigurationException(
            "ignite-addresses is " + text + ", must be HOST:PORT, or several with commas between");
      }
    }
    return addresses;
  }

  static int requests(StoreOptions options) {
    return options.get(REQUESTS).orElse(DEFAULT_REQUESTS);
  }

  static Duration retry(StoreOptions options) {
    return options.get(RETRY).orElse(DEFAULT_RETRY);
  }
}
