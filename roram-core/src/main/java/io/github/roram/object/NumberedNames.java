package io.github.roram.object;

import java.util.HexFormat;

/**
 * Names of objects that are numbered, in the order of their numbers.
 *
 * @param prefix what they begin with
 */
record NumberedNames(String prefix) {

  private static final int HEX = 16;

  String name(long number) {
    return prefix + HexFormat.of().toHexDigits(number);
  }

  /**
   * Whether something is such a name: what an engine has left of an object that was being created
   * when it died is none.
   */
  boolean has(String name) {
    return name.startsWith(prefix) && name.substring(prefix.length()).matches("[0-9a-f]{16}");
  }

  long number(String name) {
    return Long.parseUnsignedLong(name.substring(prefix.length()), HEX);
  }
}
