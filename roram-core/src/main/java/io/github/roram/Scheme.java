package io.github.roram;

/** The constructions that a store can hold. */
public enum Scheme {
  /** Path ORAM (Stefanov et al., CCS 2013): reads a path and writes the same path back. */
  PATH("path"),
  /** Path ORAM with the locality-aware layout and batched evictions (rORAM, §VII-C). */
  PATH_BATCHED("path-batched"),
  /** rORAM (NDSS 2019): one tree for each size class, ranges read with few seeks. */
  RORAM("roram");

  private final String id;

  Scheme(String id) {
    this.id = id;
  }

  /** The name on command lines and in results. */
  public String id() {
    return id;
  }

  /** The scheme with that name. */
  public static Scheme of(String id) {
    for (Scheme scheme : values()) {
      if (scheme.id.equals(id)) {
        return scheme;
      }
    }
    throw new ConfigurationException(
        "scheme '" + id + "' is unknown; use one of path, path-batched, roram");
  }
}
