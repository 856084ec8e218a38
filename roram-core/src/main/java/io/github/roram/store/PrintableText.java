package io.github.roram.store;

import org.jspecify.annotations.Nullable;

/**
 * Text of others, for people to read in a terminal or a log: what came over the network, the names
 * of files.
 *
 * <p><b>Security.</b> Whoever chose it may be hostile. Nothing is left that a terminal obeys or
 * that shows text otherwise than it is: control characters of C0 and C1 (escape sequences, new
 * lines), formatting ones (direction overrides, zero width), separators of lines and paragraphs,
 * and what is no character at all. Each becomes U+FFFD.
 */
public final class PrintableText {

  /** Longest text of a failure that is not ours, in characters. */
  public static final int MAX_CHARS = 1000;

  private static final int REPLACEMENT = 0xFFFD;
  private static final String CUT = "...";

  private PrintableText() {}

  /** The text with nothing but printable characters, cut after {@link #MAX_CHARS}. */
  public static String of(@Nullable String text) {
    return of(text, MAX_CHARS);
  }

  /** The text with nothing but printable characters, however long: for what we say ourselves. */
  public static String whole(@Nullable String text) {
    return of(text, Integer.MAX_VALUE);
  }

  /** The text with nothing but printable characters, cut after so many. */
  public static String of(@Nullable String text, int maxChars) {
    String all = String.valueOf(text);
    StringBuilder out = new StringBuilder(Math.min(all.length(), maxChars));
    for (int i = 0; i < all.length(); ) {
      int character = all.codePointAt(i);
      if (out.length() >= maxChars) {
        return out.append(CUT).toString();
      }
      out.appendCodePoint(isPrintable(character) ? character : REPLACEMENT);
      i += Character.charCount(character);
    }
    return out.toString();
  }

  private static boolean isPrintable(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
