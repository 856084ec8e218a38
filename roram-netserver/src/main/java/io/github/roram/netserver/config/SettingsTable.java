package io.github.roram.netserver.config;

import io.github.roram.ConfigurationException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/**
 * A table of a settings file. It records which keys were read, to find unknown ones, and adds file,
 * line and key to each error.
 */
public final class SettingsTable {

  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([KMGT]?)(?:i?B)?");
  private static final int KIBI_BITS = 10;

  private final Path file;
  private final String prefix;
  private final TomlTable table;
  private final Set<String> known = new LinkedHashSet<>();

  private SettingsTable(Path file, String prefix, TomlTable table) {
    this.file = file;
    this.prefix = prefix;
    this.table = table;
  }

  /**
   * Reads a file.
   *
   * @throws ConfigurationException if it is not TOML
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  public static SettingsTable read(Path file) throws IOException {
    TomlParseResult parsed;
    try {
      parsed = Toml.parse(file);
    } catch (CharacterCodingException e) {
      throw new ConfigurationException(file + " is no TOML: it is not text in UTF-8", e);
    }
    if (parsed.hasErrors()) {
      TomlParseError first = parsed.errors().get(0);
      throw new ConfigurationException(
          file + ":" + first.position().line() + ": is no TOML: " + first.getMessage());
    }
    return new SettingsTable(file, "", parsed);
  }

  /** Returns a string in quotes. */
  public Optional<String> string(String key) {
    return Optional.ofNullable(value(key, String.class, "a string in quotes"));
  }

  /** Returns a string converted by a parser; adds file and line to the parser's exceptions. */
  public <T> Optional<T> parsed(String key, Function<String, T> parser) {
    return string(key).map(text -> located(key, () -> parser.apply(text)));
  }

  /** Returns the constant of an enum that is named in lower case. */
  public <E extends Enum<E>> Optional<E> constant(String key, Class<E> type) {
    Map<String, E> constants = new LinkedHashMap<>();
    for (E constant : type.getEnumConstants()) {
      constants.put(constant.name().toLowerCase(Locale.ROOT), constant);
    }
    return string(key)
        .map(
            text ->
                Optional.ofNullable(constants.get(text))
                    .orElseThrow(
                        () ->
                            error(
                                key,
                                "is \""
                                    + text
                                    + "\", must be one of "
                                    + String.join(", ", constants.keySet()))));
  }

  /** Returns a value of any kind, as text. */
  public String text(String key) {
    known.add(key);
    return String.valueOf(table.get(List.of(key)));
  }

  /** Returns the directory of the settings file, where relative paths start. */
  public Path directory() {
    return Objects.requireNonNull(
        file.toAbsolutePath().getParent(), "a file that was read has a directory");
  }

  /** Returns a path, relative to the directory of the settings file. */
  public Optional<Path> path(String key) {
    return parsed(key, text -> directory().resolve(text).normalize());
  }

  /** Returns true or false. */
  public boolean flag(String key, boolean otherwise) {
    Boolean value = value(key, Boolean.class, "true or false");
    return value == null ? otherwise : value;
  }

  /** Returns a whole number, {@code from} to {@code to}. */
  public int number(String key, int from, int to, int otherwise) {
    Long value = value(key, Long.class, "a whole number");
    return value == null ? otherwise : (int) within(key, value, value.toString(), from, to);
  }

  /** Returns a number of bytes: a whole number, or a string such as "64M". */
  public long bytes(String key, long from, long to, long otherwise) {
    known.add(key);
    Object value = table.get(List.of(key));
    if (value == null) {
      return otherwise;
    }
    if (value instanceof Long number) {
      return within(key, number, number.toString(), from, to);
    }
    Matcher matcher = SIZE.matcher(value.toString());
    if (value instanceof String && matcher.matches()) {
      String unit = matcher.group(2);
      int shift = unit.isEmpty() ? 0 : KIBI_BITS * (1 + "KMGT".indexOf(unit));
      long number = Long.parseLong(matcher.group(1));
      long bytes = number > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : number << shift;
      return within(key, bytes, value.toString(), from, to);
    }
    throw error(key, "is " + shown(value) + ", must be a size, as in 4096, \"64M\" or \"2G\"");
  }

  /** Returns a list of strings; empty if there is none. */
  public List<String> strings(String key) {
    TomlArray array = value(key, TomlArray.class, "a list of strings");
    List<String> strings = new ArrayList<>();
    for (int i = 0; array != null && i < array.size(); i++) {
      if (!(array.get(i) instanceof String text)) {
        throw error(key, "has " + shown(array.get(i)) + " in it, must be a list of strings");
      }
      strings.add(text);
    }
    return strings;
  }

  /** Returns a table within this one. */
  public Optional<SettingsTable> table(String key) {
    TomlTable value = value(key, TomlTable.class, "a table");
    return Optional.ofNullable(value).map(t -> new SettingsTable(file, prefix + key + ".", t));
  }

  /** Returns the table's keys in the order of the file, without marking them as read. */
  public List<String> keys() {
    return table.keySet().stream().sorted(Comparator.comparingInt(this::line)).toList();
  }

  private int line(String key) {
    TomlPosition position = table.inputPositionOf(List.of(key));
    return position == null ? 0 : position.line();
  }

  /**
   * Refuses keys that were not read; call it last.
   *
   * @throws ConfigurationException if there is a key that was not read
   */
  public void refuseUnknownKeys() {
    for (String key : table.keySet()) {
      if (!known.contains(key)) {
        throw error(key, "is unknown here; known are " + String.join(", ", known));
      }
    }
  }

  /** Runs an action; adds file and line to its errors about the value of a key. */
  public <T> T located(String key, Supplier<T> work) {
    try {
      return work.get();
    } catch (ConfigurationException e) {
      throw new ConfigurationException(where(key) + ": " + e.getMessage(), e);
    }
  }

  /** Returns an error about the value of a key. */
  public ConfigurationException error(String key, String what) {
    return new ConfigurationException(where(key) + " " + what);
  }

  /** Returns the place of a key's value, for errors: file, line and key. */
  public String where(String key) {
    int line = line(key);
    return file + ":" + (line == 0 ? "" : line + ":") + " " + prefix + key;
  }

  private <T> @Nullable T value(String key, Class<T> type, String what) {
    known.add(key);
    Object value = table.get(List.of(key));
    if (value == null || type.isInstance(value)) {
      return type.cast(value);
    }
    throw error(key, "is " + shown(value) + ", must be " + what);
  }

  private static String shown(Object value) {
    if (value instanceof TomlTable) {
      return "a table";
    }
    if (value instanceof TomlArray) {
      return "a list";
    }
    return value instanceof String ? "\"" + value + "\"" : value.toString();
  }

  private long within(String key, long value, String shown, long from, long to) {
    if (value < from || value > to) {
      throw error(key, "is " + shown + ", must be from " + from + " to " + to);
    }
    return value;
  }
}
