package io.github.roram.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.roram.map.Entry;
import io.github.roram.map.MapFullException;
import io.github.roram.map.ObliviousSortedMap;
import io.github.roram.map.OramMap;
import io.github.roram.object.VaultTakenException;
import io.github.roram.store.PrintableText;
import io.github.roram.threads.Futures;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.redis.ArrayRedisMessage;
import io.netty.handler.codec.redis.ErrorRedisMessage;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.IntegerRedisMessage;
import io.netty.handler.codec.redis.RedisMessage;
import io.netty.handler.codec.redis.SimpleStringRedisMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands on a map and their answers. Each key in a command is one operation of the map,
 * whatever the command; a scan is one operation, too.
 *
 * <p>Thread safety: safe.
 */
final class RespCommands {

  private static final Logger LOG = LoggerFactory.getLogger(RespCommands.class);

  private static final RedisMessage NIL = FullBulkStringRedisMessage.NULL_INSTANCE;
  private static final RedisMessage OK = new SimpleStringRedisMessage("OK");
  private static final int MANY = 1024;

  private static final String NO_EXPIRY =
      "keys do not expire here: the store would see when they are removed";
  private static final String NO_LISTING =
      "there is no listing of all keys here: it would read the whole store; scan a sorted map with"
          + " RANGE";
  private static final String ONE_KEY =
      "a change of several keys at once would not be atomic here; change one after another";

  /** Commands that clients may know but that are not supported, with the reasons. */
  private static final Map<String, String> REFUSED =
      Map.ofEntries(
          Map.entry("EXPIRE", NO_EXPIRY),
          Map.entry("PEXPIRE", NO_EXPIRY),
          Map.entry("EXPIREAT", NO_EXPIRY),
          Map.entry("PEXPIREAT", NO_EXPIRY),
          Map.entry("SETEX", NO_EXPIRY),
          Map.entry("PSETEX", NO_EXPIRY),
          Map.entry("TTL", NO_EXPIRY),
          Map.entry("PTTL", NO_EXPIRY),
          Map.entry("KEYS", NO_LISTING),
          Map.entry("SCAN", NO_LISTING),
          Map.entry("DBSIZE", NO_LISTING),
          Map.entry("RANDOMKEY", NO_LISTING),
          Map.entry("FLUSHDB", NO_LISTING),
          Map.entry("FLUSHALL", NO_LISTING),
          Map.entry("MSET", ONE_KEY),
          Map.entry("MSETNX", ONE_KEY),
          Map.entry("MULTI", ONE_KEY),
          Map.entry("EXEC", ONE_KEY),
          Map.entry("WATCH", ONE_KEY),
          Map.entry("EVAL", ONE_KEY),
          Map.entry("RENAME", ONE_KEY));

  private final Map<String, Command> commands = new TreeMap<>();
  private final OramMap map;
  private final Executor caller;
  private final CompletableFuture<Void> replaced = new CompletableFuture<>();

  /** The action of a command, given its arguments. */
  @FunctionalInterface
  private interface Body {
    CompletableFuture<RedisMessage> run(List<byte[]> arguments);
  }

  /**
   * A command.
   *
   * @param least fewest arguments
   * @param most most arguments
   */
  private record Command(int least, int most, Body body) {}

  /**
   * Creates the commands on a map.
   *
   * @param caller calls the map, one call after another; a call may wait for room
   */
  RespCommands(OramMap map, Executor caller) {
    this.map = map;
    this.caller = caller;
    add("GET", 1, 1, keys -> value(keys.get(0), value -> value));
    add("GETDEL", 1, 1, keys -> value(keys.get(0), value -> null));
    add("GETSET", 2, 2, words -> value(words.get(0), value -> words.get(1)));
    add("SET", 2, 5, this::set);
    add("SETNX", 2, 2, words -> setIfAbsent(words.get(0), words.get(1)));
    add("APPEND", 2, 2, words -> append(words.get(0), words.get(1)));
    add("STRLEN", 1, 1, keys -> number(keys.get(0), value -> value.length));
    add("DEL", 1, MANY, keys -> count(keys, value -> null));
    add("EXISTS", 1, MANY, keys -> count(keys, value -> value));
    add("MGET", 1, MANY, this::getAll);
    add("INCR", 1, 1, words -> change(words.get(0), value -> Math.addExact(value, 1)));
    add("DECR", 1, 1, words -> change(words.get(0), value -> Math.addExact(value, -1)));
    add("INCRBY", 2, 2, words -> change(words, number -> value -> Math.addExact(value, number)));
    add("DECRBY", 2, 2, words -> change(words, by -> value -> Math.subtractExact(value, by)));
    add("RANGE", 1, 2, this::range);
    add(
        "PING",
        0,
        1,
        words -> now(words.isEmpty() ? new SimpleStringRedisMessage("PONG") : echo(words)));
    add("ECHO", 1, 1, words -> now(echo(words)));
    add("SELECT", 1, 1, words -> now(select(words.get(0))));
    add("COMMAND", 0, MANY, words -> now(new ArrayRedisMessage(List.of())));
    add("CLIENT", 1, MANY, words -> now(OK));
    add(
        "INFO",
        0,
        MANY,
        words -> now(bulk("# Server\r\nredis_mode:standalone\r\n".getBytes(UTF_8))));
  }

  private void add(String name, int least, int most, Body body) {
    commands.put(name, new Command(least, most, body));
  }

  /** Returns whether there is a command of this name, in upper case. */
  boolean has(String name) {
    return commands.containsKey(name);
  }

  /** Returns the bytes that a command may hold until it is answered. */
  long heldBytes(List<byte[]> words) {
    long bytes = (long) RespDecoder.WORD_BYTES * words.size();
    for (byte[] word : words) {
      bytes += word.length;
    }
    long values =
        switch (name(words)) {
          case "MGET" -> words.size() - 1L;
          case "RANGE" -> map instanceof ObliviousSortedMap sorted ? entries(sorted, words) : 0;
          default -> 1;
        };
    return bytes + values * (map.shape().keyBytes() + map.shape().valueBytes());
  }

  private static long entries(ObliviousSortedMap sorted, List<byte[]> words) {
    try {
      long leaves = leaves(words.subList(1, words.size()));
      return sorted.leafEntries() * Math.max(0, Math.min(MANY, leaves));
    } catch (IllegalArgumentException e) {
      return 0; // and is refused when it is run
    }
  }

  /** Returns the name of a command, in upper case. */
  static String name(List<byte[]> words) {
    return new String(words.get(0), UTF_8).toUpperCase(Locale.ROOT);
  }

  /**
   * Carries out a command. The future never fails.
   *
   * @param words name and arguments
   */
  CompletableFuture<RedisMessage> run(List<byte[]> words) {
    CompletableFuture<RedisMessage> done = new CompletableFuture<>();
    caller.execute(
        () -> {
          CompletableFuture<RedisMessage> unused =
              begin(words)
                  .handle((answer, failure) -> failure == null ? answer : failed(failure))
                  .whenComplete((answer, none) -> done.complete(answer));
        });
    return done;
  }

  private RedisMessage failed(Throwable failure) {
    if (VaultTakenException.isCauseOf(failure)) {
      replaced.complete(null);
    }
    return error(failure);
  }

  /** See {@link io.github.roram.intake.TrustedServer#replaced}. */
  CompletableFuture<Void> replaced() {
    return replaced;
  }

  private CompletableFuture<RedisMessage> begin(List<byte[]> words) {
    String name = name(words);
    Command command = commands.get(name);
    int arguments = words.size() - 1;
    if (command == null) {
      return now(error(refusal(name)));
    }
    if (arguments < command.least || arguments > command.most) {
      return now(error("wrong number of arguments for '" + name.toLowerCase(Locale.ROOT) + "'"));
    }
    return Futures.begun(() -> command.body.run(words.subList(1, words.size())));
  }

  private String refusal(String name) {
    String why = REFUSED.get(name);
    return why == null
        ? "unknown command '" + name + "'; this server has " + String.join(" ", commands.keySet())
        : why;
  }

  private static CompletableFuture<RedisMessage> now(RedisMessage answer) {
    return CompletableFuture.completedFuture(answer);
  }

  static RedisMessage error(String message) {
    return new ErrorRedisMessage("ERR " + PrintableText.of(message));
  }

  private static RedisMessage error(Throwable thrown) {
    Throwable failure = Futures.cause(thrown);
    if (!(failure instanceof IllegalArgumentException || failure instanceof MapFullException)) {
      LOG.error("a command failed: {}", failure.toString());
    }
    boolean store = failure instanceof IOException;
    return error((store ? "the store failed: " : "") + failure.getMessage());
  }

  private static RedisMessage bulk(byte @Nullable [] value) {
    return value == null ? NIL : new FullBulkStringRedisMessage(Unpooled.wrappedBuffer(value));
  }

  private static RedisMessage echo(List<byte[]> words) {
    return bulk(words.get(0));
  }

  private static RedisMessage select(byte[] number) {
    return "0".equals(new String(number, UTF_8)) ? OK : error("there is one map here; select 0");
  }

  /** Answers with the previous value. */
  private CompletableFuture<RedisMessage> value(
      byte[] key, UnaryOperator<byte @Nullable []> change) {
    return map.updateAsync(key, change).thenApply(before -> bulk(before.orElse(null)));
  }

  private CompletableFuture<RedisMessage> number(byte[] key, ToLongFunction<byte[]> of) {
    return map.updateAsync(key, value -> value)
        .thenApply(before -> new IntegerRedisMessage(before.map(of::applyAsLong).orElse(0L)));
  }

  private CompletableFuture<RedisMessage> set(List<byte[]> words) {
    boolean absent = false;
    boolean present = false;
    boolean old = false;
    for (byte[] option : words.subList(2, words.size())) {
      switch (new String(option, UTF_8).toUpperCase(Locale.ROOT)) {
        case "NX" -> absent = true;
        case "XX" -> present = true;
        case "GET" -> old = true;
        case "KEEPTTL" -> {}
        case "EX", "PX", "EXAT", "PXAT" -> throw new IllegalArgumentException(NO_EXPIRY);
        default -> throw new IllegalArgumentException("syntax error");
      }
    }
    if (absent && present) {
      throw new IllegalArgumentException("syntax error");
    }
    boolean always = !absent && !present;
    boolean ifPresent = present;
    boolean tellsOld = old;
    byte[] next = words.get(1);
    return map.updateAsync(
            words.get(0), value -> always || ifPresent == (value != null) ? next : value)
        .thenApply(
            before -> {
              boolean done = always || ifPresent == before.isPresent();
              return tellsOld ? bulk(before.orElse(null)) : done ? OK : NIL;
            });
  }

  private CompletableFuture<RedisMessage> setIfAbsent(byte[] key, byte[] next) {
    return map.updateAsync(key, value -> value == null ? next : value)
        .thenApply(before -> new IntegerRedisMessage(before.isPresent() ? 0 : 1));
  }

  private CompletableFuture<RedisMessage> append(byte[] key, byte[] more) {
    return map.updateAsync(key, value -> joined(value, more))
        .thenApply(
            before ->
                new IntegerRedisMessage(before.map(old -> old.length).orElse(0) + more.length));
  }

  private static byte[] joined(byte @Nullable [] value, byte[] more) {
    byte[] old = value == null ? new byte[0] : value;
    byte[] all = Arrays.copyOf(old, old.length + more.length);
    System.arraycopy(more, 0, all, old.length, more.length);
    return all;
  }

  /** Answers with the number of keys that had a value. */
  private CompletableFuture<RedisMessage> count(
      List<byte[]> keys, UnaryOperator<byte @Nullable []> change) {
    // The values are not kept, because together they may exceed what a command may hold.
    return each(keys, change, Optional::isPresent)
        .thenApply(there -> new IntegerRedisMessage(there.stream().filter(is -> is).count()));
  }

  private CompletableFuture<RedisMessage> getAll(List<byte[]> keys) {
    return each(keys, value -> value, value -> bulk(value.orElse(null)))
        .thenApply(ArrayRedisMessage::new);
  }

  private <T> CompletableFuture<List<T>> each(
      List<byte[]> keys,
      UnaryOperator<byte @Nullable []> change,
      Function<Optional<byte[]>, T> of) {
    // Check before any operation begins: a refused command has done nothing.
    keys.forEach(map.shape()::checkKey);
    List<CompletableFuture<T>> all =
        keys.stream().map(key -> map.updateAsync(key, change).thenApply(of)).toList();
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenApply(none -> all.stream().map(CompletableFuture::join).toList());
  }

  /** Changes a number by the second word. */
  private CompletableFuture<RedisMessage> change(
      List<byte[]> words, LongFunction<LongUnaryOperator> by) {
    return change(words.get(0), by.apply(integer(words.get(1))));
  }

  /** Answers with the new number. */
  private CompletableFuture<RedisMessage> change(byte[] key, LongUnaryOperator change) {
    long[] after = new long[1];
    return map.updateAsync(
            key,
            value -> {
              try {
                after[0] = change.applyAsLong(value == null ? 0 : integer(value));
              } catch (ArithmeticException e) {
                throw new IllegalArgumentException("increment or decrement would overflow", e);
              }
              return Long.toString(after[0]).getBytes(UTF_8);
            })
        .thenApply(before -> new IntegerRedisMessage(after[0]));
  }

  private static long integer(byte[] text) {
    try {
      return Long.parseLong(new String(text, UTF_8));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("value is not an integer or out of range", e);
    }
  }

  private static long leaves(List<byte[]> words) {
    return words.size() < 2 ? 1 : integer(words.get(1));
  }

  /** Answers with the key to continue from, or nil, then keys and values in the order of keys. */
  private CompletableFuture<RedisMessage> range(List<byte[]> words) {
    if (!(map instanceof ObliviousSortedMap sorted)) {
      throw new IllegalArgumentException(
          "the map has no order; make one with roram map STORE create --sorted");
    }
    long leaves = leaves(words);
    if (leaves < 1 || leaves > MANY) {
      throw new IllegalArgumentException("leaves are " + leaves + ", must be 1 to " + MANY);
    }
    return sorted
        .scanAsync(words.get(0), (int) leaves)
        .thenApply(
            page -> {
              List<RedisMessage> found = new ArrayList<>();
              for (Entry entry : page.entries()) {
                found.add(bulk(entry.key()));
                found.add(bulk(entry.value()));
              }
              return new ArrayRedisMessage(
                  List.of(bulk(page.next()), new ArrayRedisMessage(found)));
            });
  }
}
