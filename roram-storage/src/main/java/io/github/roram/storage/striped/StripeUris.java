package io.github.roram.storage.striped;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreTraits;
import io.github.roram.storage.Stores;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The stores that a {@code striped:} URI names.
 *
 * @param uris at least two, in order
 */
record StripeUris(List<String> uris) {

  private static final int MOST = 64;

  /**
   * Parses what comes after the colon.
   *
   * @throws ConfigurationException if these are not two or more stores, each once
   */
  static StripeUris parse(String location) {
    List<String> uris = Stream.of(location.split(",", -1)).map(String::strip).toList();
    if (uris.size() < 2 || uris.size() > MOST) {
      throw wrong(location, uris.size() + " stores are named, must be 2 to " + MOST);
    }
    Set<String> lasting = new HashSet<>();
    for (String uri : uris) {
      if (uri.toLowerCase(Locale.ROOT).startsWith("striped:")) {
        throw wrong(location, "stripes cannot be striped themselves");
      }
      if (uri.indexOf(':') < 0) {
        throw wrong(
            location, "\"" + uri + "\" is no store URI; directories with commas cannot be stripes");
      }
      boolean isLasting = Stores.traits(uri, StoreOptions.defaults()).lasting();
      if (isLasting && !lasting.add(uri)) {
        throw wrong(location, uri + " is named twice");
      }
    }
    return new StripeUris(uris);
  }

  private static ConfigurationException wrong(String location, String why) {
    return new ConfigurationException(
        "store URI is \"striped:" + location + "\": " + why + "; write striped:URI,URI,…");
  }

  int count() {
    return uris.size();
  }

  String uri(int index) {
    return uris.get(index);
  }

  /** A stripe, for messages. */
  String name(int index) {
    return "stripe " + (index + 1) + " of " + count() + ", " + uri(index) + ",";
  }

  /** The options of a stripe: only the first has the client's records in the directory given. */
  StoreOptions options(int index, StoreOptions options) {
    @Nullable Path state = options.stateDirectory();
    return state == null || index == 0
        ? options
        : options.withStateDirectory(state.resolve("stripe-" + (index + 1)));
  }

  /** The traits of each. */
  List<StoreTraits> traits(StoreOptions options) {
    return uris.stream().map(uri -> Stores.traits(uri, options)).toList();
  }
}
