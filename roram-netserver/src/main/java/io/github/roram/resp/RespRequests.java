package io.github.roram.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.roram.intake.ClientConnection;
import io.github.roram.intake.ClientConnection.Phase;
import io.github.roram.intake.ConnectionRequests;
import io.github.roram.intake.Input;
import io.github.roram.intake.SharedIntake;
import io.github.roram.proxy.ProxyConfig;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.redis.ArrayRedisMessage;
import io.netty.handler.codec.redis.ErrorRedisMessage;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.IntegerRedisMessage;
import io.netty.handler.codec.redis.RedisEncoder;
import io.netty.handler.codec.redis.RedisMessage;
import io.netty.handler.codec.redis.SimpleStringRedisMessage;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one client: many are in flight, and they are answered in order of arrival. Their
 * memory comes from the byte budget; that of long commands is taken before they arrive. For use on
 * the event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel ends it
final class RespRequests implements Phase {

  /** Most bytes of a command from a client that has not identified itself. */
  private static final long NEWCOMER_BYTES = 4096;

  /** Commands that identify a client, or show that it is none. */
  private static final Set<String> LETS_NOBODY_IN =
      Set.of("AUTH", "HELLO", "QUIT", "POST", "HOST:");

  private final ProxyConfig config;
  private final SharedIntake intake;
  private final RespCommands commands;
  private final ClientConnection connection;
  private final ConnectionRequests requests;
  private final RespDecoder decoder = new RespDecoder();

  /** Commands that have arrived and not begun. */
  private final Queue<List<byte[]>> arrived = new ArrayDeque<>();

  /** Answers to the commands that have begun, in order. */
  private final Queue<Answer> answers = new ArrayDeque<>();

  private Standing standing = Standing.SILENT;
  private long arrivedBytes;

  /** The state of a client's admission. */
  private enum Standing {
    /** Nothing has arrived. */
    SILENT,
    /** The client may need a token; what it may send is limited until it is admitted. */
    NEWCOMER,
    /** The client needs no token, and is admitted with its first command. */
    NEEDS_NO_TOKEN,
    /** The client needs a token, which it may still present. */
    DENIED,
    /** The client could be admitted, but there was no place; it must disconnect. */
    REFUSED,
    /** The client was admitted. */
    KNOWN
  }

  /** The answer to a command, once it is known. */
  private static final class Answer {
    private final String name;
    private final long held;
    private final long startNanos = System.nanoTime();
    private @Nullable RedisMessage message;

    Answer(String name, long held) {
      this.name = name;
      this.held = held;
    }
  }

  RespRequests(
      ProxyConfig config, SharedIntake intake, RespCommands commands, ClientConnection connection) {
    this.config = config;
    this.intake = intake;
    this.commands = commands;
    this.connection = connection;
    requests = new ConnectionRequests(connection, intake);
  }

  @Override
  public void connected() {
    connection.channel().pipeline().addLast(new RedisEncoder());
  }

  @Override
  public boolean step(Input in) throws IOException {
    if (requests.isEnding()) {
      in.skip(Long.MAX_VALUE);
      return false;
    }
    List<byte[]> next = arrived.peek();
    if (next == null) {
      return receive(in);
    }
    if (!isKnown() && !requests.takeRoom(0)) {
      return false;
    }
    // The first command, whose length is limited like all others, shows whether a client needs no
    // token. For a client that does, the log and the observer are told once, however many commands
    // follow.
    if (!isKnown()
        && standing != Standing.DENIED
        && !LETS_NOBODY_IN.contains(RespCommands.name(next))
        && !intake.underWay().isDraining()) {
      letIn(new byte[0]);
    }
    long bytes = isKnown() ? commands.heldBytes(next) : 0;
    boolean tooLong = bytes > intake.limits().maxRequestBytes();
    if (!requests.takeRoom(tooLong ? 0 : bytes)) {
      return false;
    }
    requests.keepRoom(tooLong ? 0 : bytes);
    arrived.remove();
    begin(next, tooLong);
    return true;
  }

  private boolean isKnown() {
    return standing == Standing.KNOWN;
  }

  private boolean receive(Input in) throws IOException {
    if (standing == Standing.SILENT && !in.isEmpty()) {
      // Not earlier: a client's certificate is known once data have arrived through TLS.
      boolean free = config.needsNoToken(connection.channel());
      standing = free ? Standing.NEEDS_NO_TOKEN : Standing.NEWCOMER;
    }
    // Only here, when all commands before the arriving one have begun: AUTH may be among them.
    boolean isNewcomer = !isKnown() && standing != Standing.NEEDS_NO_TOKEN;
    long most = intake.limits().maxRequestBytes();
    decoder.requireAtMost(isNewcomer ? NEWCOMER_BYTES : most);
    // For the longest command at once: incomplete commands that wait for room could wait for each
    // other.
    if (!isNewcomer && decoder.isLong() && !requests.takeRoom(most)) {
      return false;
    }
    int count = decoder.decode(in, arrived);
    arrivedBytes += count;
    return count > 0;
  }

  private void begin(List<byte[]> words, boolean tooLong) {
    String name = RespCommands.name(words);
    Answer answer = new Answer(name, requests.begin());
    answers.add(answer);
    RedisMessage atOnce;
    try {
      atOnce = atOnce(name, words, tooLong);
    } catch (RuntimeException | Error e) {
      // Identifying the client failed: the connection ends, and all its memory is freed.
      answers.remove(answer);
      requests.end(answer.held);
      throw e;
    }
    if (atOnce != null) {
      answer.message = atOnce;
      sendAnswers();
      return;
    }
    CompletableFuture<RedisMessage> done = commands.run(words);
    done.thenAccept(
        message ->
            connection.later(
                () -> {
                  answer.message = message;
                  sendAnswers();
                }));
  }

  /** Returns the answer to a command that does not use the map; null for all other commands. */
  private @Nullable RedisMessage atOnce(String name, List<byte[]> words, boolean tooLong) {
    if (intake.underWay().isDraining()) {
      return RespCommands.error("the server is ending; connect again later");
    }
    switch (name) {
      case "QUIT" -> {
        requests.endAfterAnswers();
        return new SimpleStringRedisMessage("OK");
      }
      case "POST", "HOST:" -> {
        // A browser, whose web page chose the following lines: none of them is a command.
        requests.endAfterAnswers();
        return RespCommands.error("this is no HTTP server");
      }
      case "AUTH" -> {
        return shakeHands(words.get(words.size() - 1), new SimpleStringRedisMessage("OK"));
      }
      case "HELLO" -> {
        return hello(words);
      }
      default -> {
        if (!isKnown()) {
          return standing == Standing.REFUSED
              ? full()
              : new ErrorRedisMessage("NOAUTH Authentication required.");
        }
        return tooLong
            ? RespCommands.error(
                "the command and its answer are longer than "
                    + intake.limits().maxRequestBytes()
                    + " bytes; ask for fewer keys at once")
            : null;
      }
    }
  }

  private RedisMessage full() {
    requests.endAfterAnswers();
    return RespCommands.error("max number of clients reached");
  }

  /**
   * Carries out HELLO [2 [AUTH USER TOKEN] …]; other versions of the protocol are not supported.
   */
  private RedisMessage hello(List<byte[]> words) {
    if (words.size() > 1 && !"2".equals(new String(words.get(1), UTF_8))) {
      return new ErrorRedisMessage("NOPROTO unsupported protocol version");
    }
    boolean proves = words.size() >= 5 && "AUTH".equalsIgnoreCase(new String(words.get(2), UTF_8));
    return shakeHands(
        proves ? words.get(4) : new byte[0],
        new ArrayRedisMessage(
            List.of(
                text("server"),
                text("roram"),
                text("version"),
                text("7.0.0"),
                text("proto"),
                new IntegerRedisMessage(2))));
  }

  private static RedisMessage text(String text) {
    return new FullBulkStringRedisMessage(Unpooled.wrappedBuffer(text.getBytes(UTF_8)));
  }

  private RedisMessage shakeHands(byte[] token, RedisMessage welcome) {
    if (!isKnown()) {
      letIn(token);
    }
    Arrays.fill(token, (byte) 0);
    if (isKnown()) {
      return welcome;
    }
    if (standing == Standing.REFUSED) {
      return full();
    }
    requests.endAfterAnswers();
    return new ErrorRedisMessage("WRONGPASS check the certificate or the token");
  }

  /** Admits a client if it may be admitted and there is a place. */
  private void letIn(byte[] token) {
    if (!config.letsIn(connection.channel(), token)) {
      standing = Standing.DENIED;
    } else if (connection.admit()) {
      standing = Standing.KNOWN;
    } else {
      standing = Standing.REFUSED;
      config.observer().connectionRefused();
    }
  }

  private void sendAnswers() {
    for (Answer next = answers.peek();
        next != null && next.message != null;
        next = answers.peek()) {
      answers.remove();
      send(next, next.message);
    }
  }

  private void send(Answer answer, RedisMessage message) {
    String outcome = message instanceof ErrorRedisMessage ? "error" : "ok";
    String name = commands.has(answer.name) ? answer.name.toLowerCase(Locale.ROOT) : "other";
    long bytes = bytes(message);
    connection
        .channel()
        .writeAndFlush(message)
        .addListener(
            sent -> {
              requests.end(answer.held);
              long nanos = System.nanoTime() - answer.startNanos;
              config.observer().requestDone(name, outcome, nanos, 0, bytes);
              connection.go();
            });
  }

  private static long bytes(RedisMessage message) {
    if (message instanceof ArrayRedisMessage array) {
      return array.children().stream().mapToLong(RespRequests::bytes).sum();
    }
    return message instanceof FullBulkStringRedisMessage bulk ? bulk.content().readableBytes() : 0;
  }

  @Override
  public boolean waits() {
    return requests.waits();
  }

  @Override
  public boolean handshakes() {
    return !isKnown();
  }

  @Override
  public long unfinished() {
    return decoder.isWithinCommand() && !requests.isEnding() && !waits() ? arrivedBytes : -1;
  }

  @Override
  public long whole() {
    return decoder.commands();
  }

  @Override
  public void tlsFailed() {
    config.observer().accessDenied();
  }

  @Override
  public void closed() {
    requests.closed();
    decoder.close();
    arrived.clear();
  }
}
