package io.github.roram.resp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.intake.HandshakeLimits;
import io.github.roram.intake.IntakeLimits;
import io.github.roram.map.EntryShape;
import io.github.roram.map.ObliviousMap;
import io.github.roram.map.ObliviousSortedMap;
import io.github.roram.map.OramMap;
import io.github.roram.netserver.Authenticator;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.netserver.ServerObserver;
import io.github.roram.netserver.access.ClientAuthenticator;
import io.github.roram.netserver.access.TokenFile;
import io.github.roram.open.Orams;
import io.github.roram.proxy.ProxyConfig;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.SetParams;

/** A map, as a client of Redis has it. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class RespServerTest {

  private static final OramConfig CONFIG =
      OramConfig.builder(60).blockBytes(1024).maxRangeBlocks(8).trees(0).treetopBytes(0).build();
  private static final ProtocolCommand RANGE = () -> "RANGE".getBytes(UTF_8);

  /** A server over a map in memory. */
  private static final class Served implements Closeable {
    private final Oram oram;
    private final OramMap map;
    private final RespServer server;

    Served(ProxyConfig config, boolean sorted) throws IOException {
      try (MasterKey key = MasterKey.generate()) {
        oram =
            Orams.create(
                new MemoryStore(Orams.storeBytes(CONFIG)), ClientVault.inMemory(), CONFIG, key);
      }
      EntryShape shape = new EntryShape(16, 20);
      map = sorted ? ObliviousSortedMap.create(oram, shape, 0) : ObliviousMap.create(oram, shape);
      server = RespServer.start(config, map);
    }

    static Served map(boolean sorted) throws IOException {
      return new Served(ProxyConfig.anyoneOnThisMachine(0), sorted);
    }

    Jedis connect() {
      return new Jedis("127.0.0.1", server.address().getPort());
    }

    @Override
    public void close() throws IOException {
      server.close();
      oram.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void commandsDoWhatThoseOfRedisDo(boolean sorted) throws IOException {
    try (Served served = Served.map(sorted);
        Jedis client = served.connect()) {
      assertThat(client.ping()).isEqualTo("PONG");
      assertThat(client.get("a")).isNull();
      assertThat(client.set("a", "1")).isEqualTo("OK");
      assertThat(client.get("a")).isEqualTo("1");
      assertThat(client.sendCommand(Protocol.Command.SETNX, "a", "2")).isEqualTo(0L);
      assertThat(client.sendCommand(Protocol.Command.SETNX, "b", "2")).isEqualTo(1L);
      assertThat(client.set("a", "3", SetParams.setParams().nx())).isNull();
      assertThat(client.set("c", "3", SetParams.setParams().xx())).isNull();
      assertThat(client.set("a", "4", SetParams.setParams().xx())).isEqualTo("OK");
      assertThat(client.setGet("a", "5")).isEqualTo("4");
      assertThat(client.mget("a", "none", "b")).containsExactly("5", null, "2");
      assertThat(client.incr("a")).isEqualTo(6);
      assertThat(client.incrBy("n", 40)).isEqualTo(40);
      assertThat(client.decr("n")).isEqualTo(39);
      assertThat(client.decrBy("n", 9)).isEqualTo(30);
      assertThat(client.append("n", "!")).isEqualTo(3);
      assertThat(client.strlen("n")).isEqualTo(3);
      assertThat(client.exists("a", "none", "b")).isEqualTo(2);
      assertThat(client.getDel("n")).isEqualTo("30!");
      assertThat(client.del("a", "none", "b")).isEqualTo(2);
      assertThat(client.exists("a", "b", "n")).isZero();
      assertThat(client.set("empty", "")).isEqualTo("OK");
      assertThat(client.get("empty")).isEmpty();
    }
  }

  @Test
  void whatCannotBeDoneIsRefusedWithItsReasonAndChangesNothing() throws IOException {
    try (Served served = Served.map(false);
        Jedis client = served.connect()) {
      client.set("a", "word");
      refused(() -> client.incr("a"), "ERR value is not an integer or out of range");
      client.set("n", Long.toString(Long.MAX_VALUE));
      refused(() -> client.incr("n"), "overflow");
      refused(() -> client.decrBy("m", Long.MIN_VALUE), "overflow");
      refused(() -> client.set("a", "x".repeat(21)), "21 bytes");
      refused(() -> client.append("a", "x".repeat(17)), "21 bytes");
      refused(() -> client.get("k".repeat(17)), "17 bytes");
      refused(() -> client.sendCommand(Protocol.Command.SETEX, "a", "5", "x"), "do not expire");
      refused(() -> client.set("a", "x", SetParams.setParams().ex(5)), "do not expire");
      refused(() -> client.keys("*"), "listing");
      refused(() -> client.mset("a", "x", "b", "y"), "atomic");
      refused(() -> client.lpush("a", "x"), "unknown command");
      refused(() -> client.sendCommand(RANGE, "a"), "--sorted");
      refused(() -> client.sendCommand(() -> "GET".getBytes(UTF_8)), "number of arguments");
      assertThat(client.get("a")).isEqualTo("word");
      assertThat(client.get("n")).isEqualTo(Long.toString(Long.MAX_VALUE));
      assertThat(client.exists("b", "m")).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCommandWithOneBadKeyBeginsNothing(boolean sorted) throws IOException {
    String tooLong = "k".repeat(17);
    try (Served served = Served.map(sorted);
        Jedis client = served.connect()) {
      client.set("a", "1");
      refused(() -> client.del("a", tooLong), "17 bytes");
      assertThat(client.get("a")).isEqualTo("1");
    }
  }

  @Test
  void ofACommandWithOneBadKeyNoAccessIsMade() throws IOException {
    try (Served served = Served.map(false);
        Jedis client = served.connect()) {
      client.set("a", "1");
      long before = served.oram.stats().accesses();
      refused(() -> client.exists("a", "b", "k".repeat(17)), "17 bytes");
      refused(() -> client.mget("a", "b", "k".repeat(17)), "17 bytes");
      client.get("a");
      assertThat(served.oram.stats().accesses()).isEqualTo(before + 1);
    }
  }

  /** Of what is refused, too: it arrives as all else. */
  @Test
  void whatACommandHoldsIsNeverLessThanItsBytes() throws IOException {
    try (Served served = Served.map(true)) {
      RespCommands commands = new RespCommands(served.map, Runnable::run);
      for (String leaves : List.of("-1000000", "0", "x", "1", "1000000")) {
        List<byte[]> words = List.of("RANGE".getBytes(UTF_8), new byte[9], leaves.getBytes(UTF_8));
        assertThat(commands.heldBytes(words)).as(leaves).isGreaterThan(14);
      }
    }
  }

  private static void refused(Runnable command, String why) {
    assertThatThrownBy(command::run)
        .isInstanceOf(JedisDataException.class)
        .hasMessageContaining(why);
  }

  @Test
  void aSortedMapIsReadInOrder() throws IOException {
    try (Served served = Served.map(true);
        Jedis client = served.connect()) {
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 150; i++) {
        String key = String.format("key%03d", i * 7 % 150);
        client.set(key, "of " + key);
        expected.add(String.format("key%03d", i));
      }
      List<String> found = new ArrayList<>();
      String from = "";
      while (from != null) {
        List<?> page = (List<?>) client.sendCommand(RANGE, from, "2");
        List<?> entries = (List<?>) page.get(1);
        for (int i = 0; i < entries.size(); i += 2) {
          String key = new String((byte[]) entries.get(i), UTF_8);
          found.add(key);
          assertThat(new String((byte[]) entries.get(i + 1), UTF_8)).isEqualTo("of " + key);
        }
        from = page.get(0) == null ? null : new String((byte[]) page.get(0), UTF_8);
      }
      assertThat(found).isEqualTo(expected);
    }
  }

  /** Many at once of one client are answered in order, as if it had waited for each. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void pipelinesKeepTheirOrder(boolean sorted) throws IOException {
    Random random = new Random(5);
    Map<String, String> model = new HashMap<>();
    try (Served served = Served.map(sorted);
        Jedis client = served.connect()) {
      for (int round = 0; round < 5; round++) {
        Pipeline pipeline = client.pipelined();
        List<Response<String>> answers = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
          String key = "k" + random.nextInt(30);
          expected.add(model.get(key));
          if (random.nextBoolean()) {
            answers.add(pipeline.get(key));
          } else {
            answers.add(pipeline.setGet(key, round + "." + i));
            model.put(key, round + "." + i);
          }
        }
        pipeline.sync();
        assertThat(answers.stream().map(Response::get)).containsExactlyElementsOf(expected);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void countersOfManyClientsLoseNothing(boolean sorted) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (Served served = Served.map(sorted)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        all.add(
            threads.submit(
                () -> {
                  try (Jedis client = served.connect()) {
                    for (int j = 0; j < 50; j++) {
                      client.incr("counter" + j % 3);
                    }
                  }
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
      try (Jedis client = served.connect()) {
        assertThat(client.mget("counter0", "counter1", "counter2"))
            .containsExactly("136", "136", "128");
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void whoHasNoTokenIsNotLetIn(@TempDir Path directory) throws IOException {
    Path tokens = directory.resolve("tokens");
    String token = newToken(tokens);
    try (Served served = new Served(withTokens(tokens), false)) {
      HostAndPort at = new HostAndPort("127.0.0.1", served.server.address().getPort());
      DefaultJedisClientConfig right = DefaultJedisClientConfig.builder().password(token).build();
      try (Jedis alice = new Jedis(at, right)) {
        assertThat(alice.set("a", "1")).isEqualTo("OK");
      }
      DefaultJedisClientConfig wrong = DefaultJedisClientConfig.builder().password("x").build();
      assertThatThrownBy(() -> new Jedis(at, wrong).ping()).hasMessageContaining("WRONGPASS");
      assertThatThrownBy(() -> served.connect().ping()).hasMessageContaining("NOAUTH");
    }
  }

  private static String newToken(Path tokens) throws IOException {
    return TokenFile.add(tokens, new ClientIdentity("alice")).strip();
  }

  private static ProxyConfig withTokens(Path tokens) throws IOException {
    ProxyConfig config = ProxyConfig.anyoneOnThisMachine(0);
    return config.withAccess(
        null, new ClientAuthenticator(TokenFile.read(tokens), false), config.access());
  }

  /** It fills no log, however much it asks for. */
  @Test
  void whoHasNoTokenIsDeniedAccessOnce(@TempDir Path directory) throws IOException {
    Path tokens = directory.resolve("tokens");
    newToken(tokens);
    AtomicInteger denied = new AtomicInteger();
    ServerObserver counting =
        new ServerObserver() {
          @Override
          public void accessDenied() {
            denied.incrementAndGet();
          }
        };
    try (Served served = new Served(withTokens(tokens).withObserver(counting), false)) {
      assertThat(answers(served, "get a\r\n".repeat(50) + "quit\r\n"))
          .isEqualTo("-NOAUTH Authentication required.\r\n".repeat(50) + "+OK\r\n");
      assertThat(denied).hasValue(1);
    }
  }

  @Test
  void nothingIsUnderWayOfWhomAnAuthenticatorFailed() throws IOException {
    ProxyConfig config = ProxyConfig.anyoneOnThisMachine(0);
    Authenticator failing =
        credentials -> {
          if (credentials.token().length > 0) {
            throw new IllegalStateException("no list");
          }
          return Optional.empty();
        };
    try (Served served = new Served(config.withAccess(null, failing, config.access()), false);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(served))) {
      socket.getOutputStream().write("*2\r\n$4\r\nAUTH\r\n$1\r\nx\r\n".getBytes(UTF_8));
      assertThat(end(socket.getInputStream())).isTrue();
      assertThat(served.server.requests()).isZero();
    }
  }

  /** Bytes that are no commands, or too many of them, end their connection alone. */
  @Test
  void hostileBytesEndTheirConnection() throws IOException {
    try (Served served = Served.map(false);
        Jedis client = served.connect()) {
      client.set("a", "1");
      for (String bytes :
          List.of(
              "$3\r\nabc\r\n",
              "*1\r\n:5\r\n",
              "*1\r\n*1\r\n",
              "*-7\r\n",
              "*1\r\n$-1\r\n",
              "*99999999\r\n",
              "*2\r\n$3\r\nGET\r\n$536870912\r\n",
              "+OK\r\n",
              "get " + "x".repeat(4200) + "\r\n",
              "mget" + " a".repeat(1100) + "\r\n",
              "x".repeat(5000))) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(served))) {
          socket.getOutputStream().write(bytes.getBytes(UTF_8));
          assertThat(end(socket.getInputStream())).as(bytes).isTrue();
        }
        assertThat(client.get("a")).isEqualTo("1");
      }
      // Given back when an answer is out, of which its reader may know first.
      while (served.server.heldBytes() > 0) {
        Thread.onSpinWait();
      }
    }
  }

  private static IntakeLimits limits(int connections, int requests, long totalBytes) {
    Duration time = Duration.ofSeconds(30);
    HandshakeLimits newcomers = HandshakeLimits.defaults();
    return new IntakeLimits(
        connections, requests, 1 << 18, totalBytes, newcomers, time, time, time, time);
  }

  private static int port(Served served) {
    return served.server.address().getPort();
  }

  /** Whether it was closed, by its end or with an error. */
  private static boolean end(InputStream in) {
    try {
      return in.readAllBytes().length == 0;
    } catch (IOException e) {
      return true;
    }
  }

  /** One client does not take what others may have, whatever it sends ahead. */
  @Test
  void aClientHoldsAPartOfTheBytes() throws IOException {
    int commands = 5000;
    IntakeLimits limits = limits(8, commands, 1 << 20);
    ProxyConfig config = ProxyConfig.anyoneOnThisMachine(0).withLimits(limits);
    try (Served served = new Served(config, false);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(served))) {
      socket.getOutputStream().write("get a\r\n".repeat(commands).getBytes(UTF_8));
      InputStream in = socket.getInputStream();
      long most = 0;
      while (in.available() < "$-1\r\n".length() * commands) {
        most = Math.max(most, served.server.heldBytes());
      }
      assertThat(most).isBetween(1L << 17, limits.connectionBytes());
    }
  }

  private static final String LONG_SET =
      "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$200000\r\n" + "x".repeat(200_000) + "\r\n";
  private static final String LONG_ANSWER = "-ERR the value has 200000 bytes";
  private static final String QUIT = "quit\r\n";

  private static Socket send(Served served, String bytes) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(served));
    socket.setSoTimeout(10_000);
    socket.getOutputStream().write(bytes.getBytes(UTF_8));
    return socket;
  }

  private static String answers(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), UTF_8);
  }

  /** Also of a client that goes before it has sent them all. */
  @Test
  void aCommandHoldsItsBytesWhileItArrives() throws Exception {
    try (Served served = Served.map(false)) {
      try (Socket socket = send(served, LONG_SET.substring(0, LONG_SET.length() - 3))) {
        assertThat(socket.isConnected()).isTrue();
        await(() -> served.server.heldBytes() >= 200_000);
      }
      await(() -> served.server.heldBytes() == 0);
    }
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).isNegative();
      Thread.sleep(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void commandsThatArriveDoNotHoldUpEachOther(boolean firstStalls) throws Exception {
    ProxyConfig config = ProxyConfig.anyoneOnThisMachine(0).withLimits(limits(8, 8, 1 << 18));
    int part = 150_000;
    try (Served served = new Served(config, false);
        Socket first = send(served, LONG_SET.substring(0, part))) {
      await(() -> served.server.heldBytes() > 0);
      try (Socket second = send(served, LONG_SET + LONG_SET + QUIT)) {
        if (!firstStalls) {
          first.getOutputStream().write((LONG_SET.substring(part) + QUIT).getBytes(UTF_8));
          assertThat(answers(first)).startsWith(LONG_ANSWER).endsWith("+OK\r\n");
        }
        assertThat(answers(second)).matches("(" + LONG_ANSWER + "[^\r]*\r\n){2}[+]OK\r\n");
      }
      await(() -> served.server.heldBytes() == 0);
    }
  }

  @Test
  void theFirstCommandMayBeLong() throws IOException {
    try (Served served = Served.map(false)) {
      assertThat(answers(served, LONG_SET + QUIT)).startsWith(LONG_ANSWER).endsWith("+OK\r\n");
    }
  }

  @Test
  void whatIsSentBehindATokenMayBeLong(@TempDir Path directory) throws IOException {
    Path tokens = directory.resolve("tokens");
    String auth = "auth " + newToken(tokens) + "\r\n";
    try (Served served = new Served(withTokens(tokens), false)) {
      assertThat(answers(served, auth + LONG_SET + QUIT)).startsWith("+OK\r\n" + LONG_ANSWER);
      assertThatThrownBy(() -> answers(served, "get a\r\n" + LONG_SET))
          .isInstanceOf(IOException.class);
    }
  }

  /** A page that sends requests to this port chooses what stands behind the headers. */
  @ParameterizedTest
  @ValueSource(
      strings = {"POST / HTTP/1.1", "post / HTTP/1.1", "GET / HTTP/1.1", "HEAD / HTTP/1.1"})
  void aBrowserIsNoClient(String request) throws IOException {
    try (Served served = Served.map(false);
        Jedis client = served.connect()) {
      client.set("a", "1");
      String answer = answers(served, request + "\r\nHost: x\r\n\r\nset a 9\r\n");
      assertThat(answer).endsWith("-ERR this is no HTTP server\r\n");
      assertThat(client.get("a")).isEqualTo("1");
    }
  }

  /** All that is answered to bytes of a connection of their own, until it ends. */
  private static String answers(Served served, String bytes) throws IOException {
    try (Socket socket = send(served, bytes)) {
      return answers(socket);
    }
  }

  /** Before it a client is not known, and holds nothing. */
  @Test
  void theFirstCommandIsBoundedAsThoseBehindIt() throws IOException {
    try (Served served = Served.map(true);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(served))) {
      socket.getOutputStream().write("range a 1024\r\nquit\r\n".getBytes(UTF_8));
      assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
          .startsWith("-ERR the command and its answer are longer than 262144 bytes");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"get a\r\n", "hello\r\n"})
  void whoFindsNoPlaceIsToldSo(String first) throws IOException {
    ProxyConfig config = ProxyConfig.anyoneOnThisMachine(0).withLimits(limits(1, 8, 1 << 20));
    try (Served served = new Served(config, false);
        Jedis known = served.connect();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(served))) {
      known.ping();
      socket.getOutputStream().write(first.getBytes(UTF_8));
      assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
          .isEqualTo("-ERR max number of clients reached\r\n");
    }
  }

  @Test
  void aPersonCanType() throws IOException {
    try (Served served = Served.map(false);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(served))) {
      socket.getOutputStream().write("set a 7\r\n\r\nincr a\r\nquit\r\n".getBytes(UTF_8));
      assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
          .isEqualTo("+OK\r\n:8\r\n+OK\r\n");
    }
  }
}
