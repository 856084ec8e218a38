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
 * The commands of one client: many under way, answered in the order in which they came. What is
 * held of them is taken from the byte budget, of long ones before they arrive. For the event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel ends it
final class RespRequests implements Phase {

  /** Of a command of someone who has not said who he is. */
  private static final long NEWCOMER_BYTES = 4096;

  /** Commands that say who a client is, or that it is none. */
  private static final Set<String> LETS_NOBODY_IN =
      Set.of("AUTH", "HELLO", "QUIT", "POST", "HOST:");

  private final ProxyConfig config;
  private final SharedIntake intake;
  private final RespCommands commands;
  private final ClientConnection connection;
  private final ConnectionRequests requests;
  private final RespDecoder decoder = new RespDecoder();

  /** That have come, and have not begun. */
  private final Queue<List<byte[]>> arrived = new ArrayDeque<>();

  /** Of those that have begun, in their order. */
  private final Queue<Answer> answers = new ArrayDeque<>();

  private Standing standing = Standing.SILENT;
  private long arrivedBytes;

  /** Whether a command has not called the map: one at a time, so that connections take turns. */
  private boolean calling;

  /** How far a client was let in. */
  private enum Standing {
    /** Nothing came from it. */
    SILENT,
    /** It may need a token: what it may send is bounded until it is let in. */
    NEWCOMER,
    /** It needs no token, and is let in with its first command. */
    NEEDS_NO_TOKEN,
    /** It was found to need a token, which it may still show. */
    DENIED,
    /** It may be let in, and found no place: it is to go. */
    REFUSED,
    /** It was let in. */
    KNOWN
  }

  /** What a command is answered with, once that is known. */
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
    if (calling || (!isKnown() && !requests.takeRoom(0))) {
      return false;
    }
    // Who needs no token is known from the first command on, which is bounded as all others. Who
    // does is told to the log and the observer once, however many commands follow.
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
      // Not earlier: what TLS proves is known once something came through it.
      boolean free = config.needsNoToken(connection.channel());
      standing = free ? Standing.NEEDS_NO_TOKEN : Standing.NEWCOMER;
    }
    // Only here, as commands before the one that is arriving have begun: AUTH may be one.
    boolean isNewcomer = !isKnown() && standing != Standing.NEEDS_NO_TOKEN;
    long most = intake.limits().maxRequestBytes();
    decoder.requireAtMost(isNewcomer ? NEWCOMER_BYTES : most);
    // For the longest at once: parts that wait for room for their rest could wait for each other.
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
      // Who is to say who a client is could not: the connection ends, and all that is held of it.
      answers.remove(answer);
      requests.end(answer.held);
      throw e;
    }
    if (atOnce != null) {
      answer.message = atOnce;
      sendAnswers();
      return;
    }
    calling = true;
    CompletableFuture<RedisMessage> done =
        commands.run(words, () -> connection.later(this::called));
    done.thenAccept(
        message ->
            connection.later(
                () -> {
                  answer.message = message;
                  sendAnswers();
                }));
  }

  private void called() {
    calling = false;
    connection.go();
  }

  /** What is answered without the map; null for all else. */
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
        // A browser, whose page chose the lines behind these: none of them is a command.
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

  /** HELLO [2 [AUTH USER TOKEN] …]: other versions of the protocol are not spoken. */
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

  /** Lets a client in if it may be, and there is a place. */
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
    return requests.waits() || (calling && !arrived.isEmpty());
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
