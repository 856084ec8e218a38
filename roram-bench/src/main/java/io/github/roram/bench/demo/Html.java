package io.github.roram.bench.demo;

/** Text for HTML. */
public final class Html {

  private Html() {}

  /** Replaces the characters that mean something in HTML and in quoted attributes. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
