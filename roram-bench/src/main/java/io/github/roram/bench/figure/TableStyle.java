package io.github.roram.bench.figure;

/**
 * A table that stands in the report as it is.
 *
 * @param id name of its CSV
 * @param title its heading
 * @param text what is said above it
 * @param folded whether the reader unfolds it
 */
public record TableStyle(String id, String title, String text, boolean folded) {

  /** A table that everybody sees. */
  public static TableStyle open(String id, String title, String text) {
    return new TableStyle(id, title, text, false);
  }

  /** A table for those who want all of it. */
  public static TableStyle folded(String id, String title, String text) {
    return new TableStyle(id, title, text, true);
  }
}
