package io.github.roram.object;

import java.util.HexFormat;

/**
 * Names of numbered objects, which sort by number.
 *
 * @param prefix beginning of the names
 */
record NumberedNames(String prefix) {

  private static final int HEX = 16;

  String name(long number) {
    return prefix + HexFormat.of().toHexDigits(number);
  }

  /**
   * Returns whether a text is such a name. Remains of an object whose creation a crash of the
   * engine interrupted have other names.
   */
  boolean has(String name) {
    return name.startsWith(prefix) && name.substring(prefix.length()).matches("[0-9a-f]{16}");
  }

  long number(String name) {
    return Long.parseUnsignedLong(name.substring(prefix.length()), HEX);
  }
}
