package io.github.roram;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Parameters of a scheme as they were given: unchecked text by name. Each method that reads one
 * checks it; its error names the value, the bounds and a remedy.
 */
public final class SchemeSettings {

  private static final Pattern COMMA = Pattern.compile(",");

  private final Map<String, String> values;

  /** Copies settings, in their order. */
  public SchemeSettings(Map<String, String> values) {
    this.values = new LinkedHashMap<>(values);
  }

  /** Returns the names of the parameters that were set. */
  public Set<String> names() {
    return Set.copyOf(values.keySet());
  }

  /** Returns whether a parameter was set. */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** Returns a parameter as it was given, or the default. */
  public String text(String name, String whenUnset) {
    return values.getOrDefault(name, whenUnset);
  }

  /**
   * Returns a whole number within inclusive bounds.
   *
   * @param label the parameter's name in errors
   * @param remedy what the error suggests for a number out of bounds
   * @throws ConfigurationException if it is no whole number or out of bounds
   */
  public long number(String name, String label, long whenUnset, long min, long max, String remedy) {
    String given = values.get(name);
    long value;
    try {
      value = given == null ? whenUnset : Long.parseLong(given.trim());
    } catch (NumberFormatException e) {
      throw new ConfigurationException(
          label + " is '" + given + "', must be a whole number, " + min + " to " + max, e);
    }
    check(label, value, min, max, remedy);
    return value;
  }

  /** Reads like {@link #number(String, String, long, long, long, String)}, the name as label. */
  public int number(String name, int whenUnset, int min, int max, String remedy) {
    return (int) number(name, name, whenUnset, min, max, remedy);
  }

  /**
   * Returns a multiple of 1/2 within inclusive bounds, such as 3 or 3.5.
   *
   * @param label the parameter's name in errors
   * @param whenUnset the default, in halves, like the bounds
   * @param remedy what the error suggests for a number out of bounds
   * @return the number in halves: 7 for 3.5
   */
  public int halves(String name, String label, int whenUnset, int min, int max, String remedy) {
    String given = values.get(name);
    if (given == null) {
      return whenUnset;
    }
    BigDecimal halves;
    try {
      halves = new BigDecimal(given.trim()).multiply(BigDecimal.valueOf(2));
    } catch (NumberFormatException e) {
      throw new ConfigurationException(
          label + " is '" + given + "', must be a number, as in 3 or 3.5", e);
    }
    if (halves.compareTo(BigDecimal.valueOf(min)) < 0
        || halves.compareTo(BigDecimal.valueOf(max)) > 0
        || halves.stripTrailingZeros().scale() > 0) {
      throw new ConfigurationException(
          label
              + " is "
              + given
              + ", must be "
              + ofHalves(min)
              + " to "
              + ofHalves(max)
              + " in steps of 0.5; "
              + remedy);
    }
    return halves.intValueExact();
  }

  /** Returns the text of a number of halves, as {@link #halves} reads it: 3 for 6, 3.5 for 7. */
  public static String ofHalves(int halves) {
    return halves / 2 + (halves % 2 == 0 ? "" : ".5");
  }

  /** Returns whole numbers that were separated by commas; none if the parameter was not set. */
  public int[] numbers(String name) {
    String given = values.get(name);
    if (given == null || given.isBlank()) {
      return new int[0];
    }
    try {
      return COMMA.splitAsStream(given).mapToInt(part -> Integer.parseInt(part.trim())).toArray();
    } catch (NumberFormatException e) {
      throw new ConfigurationException(
          name + " is '" + given + "', must be whole numbers, as in 0,3,5", e);
    }
  }

  /** Returns whether a parameter is {@code true}; false if it was not set. */
  public boolean flag(String name) {
    String given = values.getOrDefault(name, "false");
    if (!given.equals("true") && !given.equals("false")) {
      throw new ConfigurationException(name + " is '" + given + "', must be true or false");
    }
    return given.equals("true");
  }

  static void check(String label, long value, long min, long max, String remedy) {
    if (value < min || value > max) {
      throw new ConfigurationException(
          label + " is " + value + ", must be " + min + " to " + max + "; " + remedy);
    }
  }
}
