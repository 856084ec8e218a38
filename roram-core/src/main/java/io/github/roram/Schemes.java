package io.github.roram;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Finds schemes. A scheme that was found is kept; one that was not is looked for again. */
final class Schemes {

  private static final Map<String, Scheme> FOUND = new ConcurrentHashMap<>();

  private Schemes() {}

  static Scheme of(String id) {
    Scheme known = FOUND.get(id);
    if (known != null) {
      return known;
    }
    List<Scheme> all = all();
    for (Scheme scheme : all) {
      FOUND.putIfAbsent(scheme.id(), scheme);
    }
    Scheme found = FOUND.get(id);
    if (found == null) {
      throw new ConfigurationException(
          "scheme '"
              + id
              + "' is unknown; use one of "
              + all.stream().map(Scheme::id).collect(Collectors.joining(", "))
              + ", or add the jar that has it");
    }
    return found;
  }

  static List<Scheme> all() {
    List<Scheme> all = new ArrayList<>();
    ServiceLoader.load(Scheme.class).forEach(all::add);
    all.sort((a, b) -> a.id().compareTo(b.id()));
    for (int i = 1; i < all.size(); i++) {
      if (all.get(i).id().equals(all.get(i - 1).id())) {
        throw new ConfigurationException(
            "two schemes have the id '"
                + all.get(i).id()
                + "': "
                + all.get(i - 1).getClass().getName()
                + " and "
                + all.get(i).getClass().getName()
                + "; remove the jar of one");
      }
    }
    return all;
  }

  /** Refuses a setting that a scheme does not have, naming the schemes that have it. */
  static void checkNames(Scheme scheme, SchemeSettings settings) {
    for (String name : settings.names()) {
      if (!scheme.parameterNames().contains(name)) {
        String others =
            all().stream()
                .filter(other -> other.parameterNames().contains(name))
                .map(Scheme::id)
                .collect(Collectors.joining(", "));
        throw new ConfigurationException(
            (others.isEmpty()
                    ? "no scheme has a parameter '" + name + "'"
                    : "parameter '" + name + "' belongs to scheme " + others)
                + "; scheme "
                + scheme.id()
                + " has none: leave it out, or use one of "
                + scheme.parameterNames().stream().sorted().collect(Collectors.joining(", ")));
      }
    }
  }
}
