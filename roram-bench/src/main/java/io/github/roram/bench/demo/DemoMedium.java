package io.github.roram.bench.demo;

/** What lies between the demo's ORAMs and their files. */
public enum DemoMedium {
  /** Nothing. */
  FILES("file"),
  /** A block server on loopback. */
  TCP("tcp"),
  /** A block server on loopback, over TLS with certificates on both sides. */
  TLS("tls");

  private final String scheme;

  DemoMedium(String scheme) {
    this.scheme = scheme;
  }

  /** The scheme of its stores' URIs. */
  public String scheme() {
    return scheme;
  }
}
