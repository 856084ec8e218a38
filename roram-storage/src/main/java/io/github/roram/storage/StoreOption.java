package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An option of a kind of store: its name, its meaning, and the form of its value. The kind's
 * provider declares it ({@link StoreProvider#options}). Commands, settings files and help texts
 * follow from the declaration; {@link StoreOptions} carries the value.
 *
 * <p>Two options are equal if their names are. Immutable.
 *
 * @param <T> type of its value
 */
public final class StoreOption<T> {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final int NANO_DIGITS = 9;

  private static final String ON = "true";

  private final String name;
  private final String valueForm;
  private final String description;
  private final BiFunction<String, Path, T> parser;
  private final String defaultText;
  private final @Nullable String variable;
  private final Set<Mark> marks;
  private final Set<StoreUse> uses;

  /** Further properties of an option. */
  private enum Mark {
    SECRET,
    RARE
  }

  private StoreOption(
      String name,
      String valueForm,
      String description,
      BiFunction<String, Path, T> parser,
      String defaultText,
      @Nullable String variable,
      Set<Mark> marks,
      Set<StoreUse> uses) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the option of a store is named \"" + name + "\", must match " + NAME);
    }
    this.name = name;
    this.valueForm = valueForm;
    this.description = description;
    this.parser = parser;
    this.defaultText = defaultText;
    this.variable = variable;
    this.marks = marks;
    this.uses = uses;
  }

  private static <T> StoreOption<T> of(
      String name, String valueForm, String description, BiFunction<String, Path, T> parser) {
    Set<StoreUse> all = Set.of(StoreUse.values());
    return new StoreOption<>(name, valueForm, description, parser, "", null, Set.of(), all);
  }

  /** Returns an option that is on or off; off by default. */
  public static StoreOption<Boolean> flag(String name, String description) {
    return of(name, "", description, (text, base) -> parseFlag(text));
  }

  /** Returns an option whose value is a whole number, {@code from} to {@code to}. */
  public static StoreOption<Integer> number(String name, int from, int to, String description) {
    return of(name, "N", description, (text, base) -> parseNumber(text, from, to));
  }

  /** Returns an option whose value is a number of bytes, in the form of {@link ByteSizes}. */
  public static StoreOption<Long> bytes(String name, String description) {
    return of(name, "BYTES", description, (text, base) -> ByteSizes.parse(text));
  }

  /** Returns an option whose value is a time in seconds, whole or with a fraction. */
  public static StoreOption<Duration> seconds(String name, int from, int to, String description) {
    return of(name, "N", description, (text, base) -> parseSeconds(text, from, to));
  }

  /** Returns an option whose value is a file or directory. */
  public static StoreOption<Path> path(String name, String valueForm, String description) {
    return of(name, valueForm, description, StoreOption::parsePath);
  }

  /** Returns an option whose value is any text. */
  public static StoreOption<String> text(String name, String valueForm, String description) {
    return of(name, valueForm, description, (text, base) -> text);
  }

  /** Returns this option with a text that says what its default is, for people to read. */
  public StoreOption<T> byDefault(String text) {
    return new StoreOption<>(name, valueForm, description, parser, text, variable, marks, uses);
  }

  /** Returns this option, read from an environment variable if it is not given otherwise. */
  public StoreOption<T> orVariable(String newVariable) {
    return new StoreOption<>(
        name, valueForm, description, parser, defaultText, newVariable, marks, uses);
  }

  /** Returns this option for one use alone. */
  public StoreOption<T> onlyTo(StoreUse use) {
    return new StoreOption<>(
        name, valueForm, description, parser, defaultText, variable, marks, Set.of(use));
  }

  /**
   * Returns this option with a secret value: it is never shown, and not read from the command line,
   * which every process of the machine can see.
   */
  public StoreOption<T> secret() {
    return marked(Mark.SECRET);
  }

  /** Returns this option, omitted from help texts since few need it. */
  public StoreOption<T> rare() {
    return marked(Mark.RARE);
  }

  private StoreOption<T> marked(Mark mark) {
    Set<Mark> more = EnumSet.of(mark);
    more.addAll(marks);
    return new StoreOption<>(
        name, valueForm, description, parser, defaultText, variable, more, uses);
  }

  /** Returns the name, as in {@code read-depth}. */
  public String name() {
    return name;
  }

  /** Returns the placeholder for the value in help texts; empty for a flag. */
  public String valueForm() {
    return valueForm;
  }

  /** Returns whether the option is on or off, and has no other value. */
  public boolean isFlag() {
    return valueForm.isEmpty();
  }

  /** Returns what the option does, in a sentence or two. */
  public String description() {
    return description;
  }

  /** Returns the text about the default, for people to read; empty if there is none. */
  public String defaultText() {
    return defaultText;
  }

  /** Returns the environment variable that gives the value if nothing else does. */
  public Optional<String> variable() {
    return Optional.ofNullable(variable);
  }

  /** Returns whether the value is secret. */
  public boolean isSecret() {
    return marks.contains(Mark.SECRET);
  }

  /** Returns whether help texts omit the option. */
  public boolean isRare() {
    return marks.contains(Mark.RARE);
  }

  /** Returns whether the option is for this use. */
  public boolean isFor(StoreUse use) {
    return uses.contains(use);
  }

  /**
   * Parses a text as the option's value.
   *
   * @param said the source of the text, for messages: {@code --read-depth}, {@code RORAM_CA}
   * @param base where relative paths start
   * @throws ConfigurationException if the text is not a value of this option
   */
  public T parse(String said, String text, Path base) {
    try {
      return parser.apply(text, base);
    } catch (IllegalArgumentException e) {
      if (isSecret()) {
        // What the parser says might quote it.
        throw new ConfigurationException(said + " cannot be read as " + valueForm);
      }
      String quoted = text.isEmpty() ? "empty" : text;
      throw new ConfigurationException(said + " is " + quoted + ", " + e.getMessage(), e);
    }
  }

  private static boolean parseFlag(String text) {
    if (text.equals(ON) || text.equals("false")) {
      return text.equals(ON);
    }
    throw new IllegalArgumentException("must be true or false");
  }

  private static int parseNumber(String text, int from, int to) {
    try {
      int value = Integer.parseInt(text);
      if (value >= from && value <= to) {
        return value;
      }
    } catch (NumberFormatException e) {
      // told below, like a number out of range
    }
    throw new IllegalArgumentException("must be from " + from + " to " + to);
  }

  private static Duration parseSeconds(String text, int from, int to) {
    try {
      BigDecimal value = new BigDecimal(text);
      if (value.compareTo(BigDecimal.valueOf(from)) >= 0
          && value.compareTo(BigDecimal.valueOf(to)) <= 0
          && value.scale() <= NANO_DIGITS) {
        return Duration.ofNanos(
            value.multiply(BigDecimal.valueOf(NANOS_PER_SECOND)).longValueExact());
      }
    } catch (NumberFormatException e) {
      // told below, like a number out of range
    }
    throw new IllegalArgumentException("must be from " + from + " to " + to);
  }

  private static Path parsePath(String text, Path base) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("must name a file or directory");
    }
    try {
      return base.resolve(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("no path: " + e.getReason(), e);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StoreOption<?> option && option.name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  /** Returns the name. */
  @Override
  public String toString() {
    return name;
  }
}
