package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Providers of resources with URIs, found by the service loader and distinguished by scheme.
 *
 * @param noun the kind of resource, for messages
 * @param type type of the providers
 * @param scheme returns the part of a provider's URIs before the colon
 * @param described returns the form of a provider's URIs, and what they name
 */
record UriKinds<P>(
    String noun, Class<P> type, Function<P, String> scheme, Function<P, String> described) {

  /** Returns the part of a URI after the colon. */
  static String locationOf(String uri) {
    return uri.substring(uri.indexOf(':') + 1);
  }

  /**
   * Returns the providers that the current thread's class loader finds, and those that come with
   * this library, in alphabetical order.
   */
  List<P> all() {
    Map<String, P> found = new TreeMap<>();
    Stream.of(Thread.currentThread().getContextClassLoader(), UriKinds.class.getClassLoader())
        .flatMap(loader -> ServiceLoader.load(type, loader).stream())
        .forEach(provider -> add(provider.get(), found));
    return List.copyOf(found.values());
  }

  /** Adds a provider once: both loaders may find the same class. */
  private void add(P provider, Map<String, P> found) {
    P other = found.putIfAbsent(scheme.apply(provider), provider);
    if (other != null && other.getClass() != provider.getClass()) {
      throw new ConfigurationException(
          noun
              + "s of the kind \""
              + scheme.apply(provider)
              + "\" are provided by "
              + other.getClass().getName()
              + " and by "
              + provider.getClass().getName()
              + ": take the jar of one of them off the class path");
    }
  }

  /**
   * Returns the provider of a URI's scheme.
   *
   * @param otherwise what to write in place of a URI without a scheme, after "write "; or empty
   */
  P of(String uri, String otherwise) {
    int colon = uri.indexOf(':');
    List<P> all = all();
    String forms = all.stream().map(described).collect(Collectors.joining(" or "));
    if (colon < 0) {
      throw new ConfigurationException(
          noun
              + " URI is \""
              + uri
              + "\", without a kind: write "
              + (otherwise.isEmpty() ? "" : otherwise + ", or ")
              + forms);
    }
    String kind = uri.substring(0, colon).toLowerCase(Locale.ROOT);
    return all.stream()
        .filter(provider -> scheme.apply(provider).equals(kind))
        .findFirst()
        .orElseThrow(
            () ->
                new ConfigurationException(
                    noun
                        + " URI is \""
                        + uri
                        + "\", of unknown kind \""
                        + kind
                        + "\": write "
                        + forms
                        + "; "
                        + noun
                        + "s of other kinds come in jars of their own, which must be on the"
                        + " class path"));
  }
}
