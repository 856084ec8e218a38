package io.github.roram.state;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The bytes of a scheme's parameters, wherever they are stored: UTF-8, a line for each.
 *
 * <pre>
 *  name=value\n
 *  name=value\n
 * </pre>
 *
 * Names are not empty and have neither {@code =} nor a line feed, values no line feed.
 */
final class SettingsTextDescriptor {

  private static final char ASSIGN = '=';
  private static final char END = '\n';

  private SettingsTextDescriptor() {}

  /**
   * Encodes settings, in their order.
   *
   * @throws IllegalArgumentException if a name or a value cannot be written
   */
  static byte[] encode(Map<String, String> settings) {
    StringBuilder text = new StringBuilder();
    settings.forEach(
        (name, value) -> {
          if (name.isEmpty() || name.indexOf(ASSIGN) >= 0 || (name + value).indexOf(END) >= 0) {
            throw new IllegalArgumentException(
                "parameter '" + name + "' = '" + value + "' cannot be stored in a line of text");
          }
          text.append(name).append(ASSIGN).append(value).append(END);
        });
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * What {@link #encode} encoded.
   *
   * @throws IllegalArgumentException if it is nothing of the kind
   */
  static Map<String, String> decode(byte[] bytes) {
    Map<String, String> settings = new LinkedHashMap<>();
    String text = new String(bytes, StandardCharsets.UTF_8);
    int start = 0;
    while (start < text.length()) {
      int end = text.indexOf(END, start);
      int assign = text.indexOf(ASSIGN, start);
      if (end < 0 || assign <= start || assign > end) {
        throw new IllegalArgumentException("no line of parameters at character " + start);
      }
      settings.put(text.substring(start, assign), text.substring(assign + 1, end));
      start = end + 1;
    }
    return settings;
  }
}
