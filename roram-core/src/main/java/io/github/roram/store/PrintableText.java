package io.github.roram.store;

import org.jspecify.annotations.Nullable;

/**
 * Makes foreign text, such as network input and file names, safe to read in a terminal or a log.
 *
 * <p><b>Security.</b> The text's author may be hostile. Each character that a terminal obeys, or
 * that disguises text, becomes U+FFFD: control characters of C0 and C1 (escape sequences, new
 * lines), format characters (direction overrides, zero width), separators of lines and paragraphs,
 * and code points that are no characters.
 */
public final class PrintableText {

  /** Longest text of a foreign failure, in characters. */
  public static final int MAX_CHARS = 1000;

  private static final int REPLACEMENT = 0xFFFD;
  private static final String CUT = "...";

  private PrintableText() {}

  /** Returns the text with only printable characters, cut after {@link #MAX_CHARS}. */
  public static String of(@Nullable String text) {
    return of(text, MAX_CHARS);
  }

  /** Returns the text with only printable characters, however long: for our own messages. */
  public static String whole(@Nullable String text) {
    return of(text, Integer.MAX_VALUE);
  }

  /** Returns the text with only printable characters, cut after {@code maxChars}. */
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
