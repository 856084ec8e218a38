package io.github.roram.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.roram.IntegrityException;
import io.github.roram.object.ObjectSelfTest;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.UnsafeObjectsException;
import io.github.roram.storage.objects.ObjectPlace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that does what it is asked, and says something else, or nothing. */
final class LostAnswersTest {

  /** What becomes of the first request. */
  enum Fault {
    NONE(false),
    LOST_AFTER(false),
    LOST_BEFORE(false),
    CONFLICT(false),
    SLOW_DOWN(false),
    CLOCK_IS_WRONG(false),
    FAILED_AFTER(false),
    CUT_SHORT(false),
    NO_LENGTH(true),
    LYING(true);

    private final boolean always;

    Fault(boolean always) {
      this.always = always;
    }
  }

  private final Map<String, byte[]> stored = new ConcurrentHashMap<>();

  /** Parts by their numbers, of what was begun and neither completed nor aborted. */
  private final Map<String, SortedMap<String, byte[]>> uploads = new ConcurrentHashMap<>();

  private final AtomicInteger requests = new AtomicInteger();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;
  private volatile Fault fault = Fault.NONE;

  /** Code of the error that the first answers to deletes have for an object. */
  private volatile String deleteError = "";

  private final AtomicInteger deleteErrors = new AtomicInteger();

  /** Whom the first request interrupts before it is answered. */
  private volatile @Nullable Thread interrupted;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    byte[] body = content(exchange.getRequestBody().readAllBytes());
    String key = exchange.getRequestURI().getPath();
    boolean hit = requests.getAndIncrement() == 0 || fault.always;
    Fault now = hit ? fault : Fault.NONE;
    @Nullable Thread thread = interrupted;
    if (hit && thread != null) {
      thread.interrupt();
    }
    int status = 200;
    byte[] answer = new byte[0];
    String query = Objects.requireNonNullElse(exchange.getRequestURI().getQuery(), "");
    if (now == Fault.CONFLICT) {
      status = 409;
    } else if (now == Fault.SLOW_DOWN) {
      status = 503;
    } else if (now == Fault.CLOCK_IS_WRONG) {
      status = 403;
    } else if (query.startsWith("delete")) {
      answer = answerOfDelete();
    } else if (query.contains("upload")) {
      answer = answerOfParts(exchange.getRequestMethod(), query, key, body);
      status = answer.length == 0 ? 404 : 200;
    } else if (query.contains("continuation-token")) {
      answer = list("<Contents><Key>p/data</Key></Contents>");
    } else if (exchange.getRequestMethod().equals("GET")) {
      answer = stored.getOrDefault(key, answer);
      status = stored.containsKey(key) ? 206 : 404;
    } else if (now == Fault.LYING || !exchange.getRequestHeaders().containsKey("If-None-Match")) {
      stored.put(key, body);
    } else if (now != Fault.LOST_BEFORE && stored.putIfAbsent(key, body) != null) {
      status = 412;
    }
    if (now == Fault.LOST_AFTER || now == Fault.LOST_BEFORE) {
      exchange.close();
      return;
    }
    if (now == Fault.NO_LENGTH) {
      exchange.sendResponseHeaders(status, 0); // in chunks
      exchange.close();
      return;
    }
    send(exchange, now == Fault.FAILED_AFTER ? 500 : status, answer, now == Fault.CUT_SHORT);
  }

  /** Deletes all that there is, unless it is to say otherwise. */
  private byte[] answerOfDelete() {
    String error = "";
    if (deleteErrors.getAndDecrement() > 0) {
      error = "<Error><Key>p/data</Key><Code>" + deleteError + "</Code></Error>";
    } else {
      stored.clear();
    }
    return ("<DeleteResult>" + error + "</DeleteResult>").getBytes(StandardCharsets.UTF_8);
  }

  /** Nothing where there is no such upload, as after it was completed. */
  private byte[] answerOfParts(String method, String query, String key, byte[] body)
      throws IOException {
    String id = query.substring(query.indexOf("=", query.indexOf("uploadId")) + 1);
    if (query.startsWith("uploads")) {
      id = "u" + requests.get();
      uploads.put(id, new ConcurrentSkipListMap<>());
    } else if (!uploads.containsKey(id)) {
      return new byte[0];
    } else if (method.equals("PUT")) {
      uploads.get(id).put(query, body);
    } else {
      ByteArrayOutputStream whole = new ByteArrayOutputStream();
      for (byte[] part : uploads.remove(id).values()) {
        whole.write(part);
      }
      if (method.equals("POST")) {
        stored.put(key, whole.toByteArray());
      }
    }
    return ("<Result><UploadId>" + id + "</UploadId></Result>").getBytes(StandardCharsets.UTF_8);
  }

  /** What an AWS client sends over plain HTTP are chunks with their signatures. */
  private static byte[] content(byte[] body) {
    String text = new String(body, StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n");
    int mark = text.indexOf(";chunk-signature=");
    if (mark < 0 || mark > end) {
      return body;
    }
    StringBuilder content = new StringBuilder();
    int length = Integer.parseInt(text.substring(0, mark), 16);
    while (length > 0) {
      content.append(text, end + 2, end + 2 + length);
      int next = end + 2 + length + 2;
      end = text.indexOf("\r\n", next);
      length = Integer.parseInt(text.substring(next, text.indexOf(";", next)), 16);
    }
    return content.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void send(HttpExchange exchange, int status, byte[] answer, boolean cut)
      throws IOException {
    byte[] body =
        status < 400 || status == 412
            ? answer
            : ("<Error><Code>" + code(exchange, status) + "</Code></Error>")
                .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("ETag", "\"1\"");
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body, 0, cut ? body.length / 2 : body.length);
    exchange.close();
  }

  private static String code(HttpExchange exchange, int status) {
    boolean ofParts = exchange.getRequestURI().getQuery() != null;
    return switch (status) {
      case 403 -> "RequestTimeTooSkewed";
      case 404 -> ofParts ? "NoSuchUpload" : "NoSuchKey";
      default -> "Other";
    };
  }

  private ObjectSpace objects() {
    return S3Server.at(server.getAddress().getPort()).objects("bucket", "p");
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Its own create is told from another's, however its answer was lost. */
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"LYING", "CUT_SHORT", "NO_LENGTH"},
      mode = EnumSource.Mode.EXCLUDE)
  void createKnowsItsOwn(Fault first) throws IOException {
    try (ObjectSpace objects = objects()) {
      fault = first;
      assertThat(objects.createOnce("slot", bytes("mine"))).isTrue();
      requests.set(0);
      assertThat(objects.createOnce("slot", bytes("theirs"))).isFalse();
      assertThat(objects.readWhole("slot", 10)).asString().isEqualTo("mine");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"LYING", "NO_LENGTH"},
      mode = EnumSource.Mode.EXCLUDE)
  void readIsRepeated(Fault first) throws IOException {
    try (ObjectSpace objects = objects()) {
      objects.put("data", bytes("abcdefgh"));
      requests.set(0);
      fault = first;
      assertThat(objects.readWhole("data", 10)).asString().isEqualTo("abcdefgh");
    }
  }

  /** The answer as a whole says 200. */
  @ParameterizedTest
  @ValueSource(strings = {"SlowDown", "InternalError"})
  void deleteThatFailedForAnObjectIsRepeated(String code) throws IOException {
    try (ObjectSpace objects = objects()) {
      objects.put("data", bytes("abcdefgh"));
      deleteError = code;
      deleteErrors.set(2);
      objects.delete(List.of("data"));
      assertThat(stored).isEmpty();
    }
  }

  @Test
  void deleteThatIsRefusedForAnObjectIsNotRepeated() throws IOException {
    try (ObjectSpace objects = objects()) {
      deleteError = "AccessDenied";
      deleteErrors.set(9);
      assertThatThrownBy(() -> objects.delete(List.of("data")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("did not delete 1 of 1 objects: AccessDenied");
      assertThat(deleteErrors).hasValue(8);
    }
  }

  @Test
  void whatTheServerSaysIsPrintable() throws IOException {
    try (ObjectSpace objects = objects()) {
      deleteError = "Access&#x202e;&#x9b;Denied";
      deleteErrors.set(1);
      assertThatThrownBy(() -> objects.delete(List.of("data")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Access\ufffd\ufffdDenied");
    }
  }

  /** More than is written as a whole: its upload, three parts, and their completion. */
  private static ByteBuffer inThreeParts() {
    byte[] bytes = new byte[(16 << 20) + 1];
    new Random(1).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  /** Whom it is repeated to does not know the upload any more. */
  @Test
  void putInPartsWhoseCompletionWasNotAnsweredIsDone() throws IOException {
    try (ObjectSpace objects = objects()) {
      fault = Fault.LOST_AFTER;
      requests.set(-4);
      objects.put("data", inThreeParts());
      assertThat(stored.get("/bucket/p/data")).isEqualTo(inThreeParts().array());
      assertThat(uploads).isEmpty();
    }
  }

  @Test
  void putInPartsThatIsInterruptedIsDoneAndLeavesNoParts() throws IOException {
    try (ObjectSpace objects = objects()) {
      interrupted = Thread.currentThread();
      requests.set(-1);
      objects.put("data", inThreeParts());
      assertThat(Thread.interrupted()).isTrue();
      assertThat(stored.get("/bucket/p/data")).isEqualTo(inThreeParts().array());
      assertThat(uploads).isEmpty();
    }
  }

  /** Nothing is read from an answer that is not of the range that was asked for. */
  @Test
  void serverWithoutRangesIsRefused() throws IOException {
    try (ObjectSpace objects = objects()) {
      objects.put("data", bytes("abcdefgh"));
      ByteBuffer to = ByteBuffer.allocate(4);
      assertThatThrownBy(() -> objects.read("data", 4, to)).hasMessageContaining("ranges");
      assertThat(to.position()).isZero();
    }
  }

  @Test
  void answerWithoutALengthIsRefused() throws IOException {
    try (ObjectSpace objects = objects()) {
      objects.put("data", bytes("abcdefgh"));
      fault = Fault.NO_LENGTH;
      assertThatThrownBy(() -> objects.readWhole("data", 10))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("how long its answer is");
    }
  }

  private static byte[] list(String content) {
    return ("<ListBucketResult>" + content + "</ListBucketResult>")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** As of a server that looks at so many keys, all of which were deleted. */
  @Test
  void listGoesOnAfterAnAnswerWithoutNames() throws IOException {
    try (ObjectSpace objects = objects()) {
      String more = "<IsTruncated>true</IsTruncated>";
      stored.put("/bucket", list(more + "<NextContinuationToken>token</NextContinuationToken>"));
      assertThat(objects.list("", "")).containsExactly("data");
    }
  }

  @Test
  void keysOfAnotherPlaceAreRefused() throws IOException {
    try (ObjectSpace objects = objects()) {
      stored.put("/bucket", list("<Contents><Key>x</Key></Contents>"));
      assertThatThrownBy(() -> objects.list("", ""))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("s3:bucket/p");
    }
  }

  @Test
  void serverThatLetsTwoCreateIsRefusedByName() throws IOException {
    try (ObjectSpace objects = objects()) {
      fault = Fault.LYING;
      assertThatThrownBy(() -> ObjectSelfTest.run(objects, "self"))
          .isInstanceOf(UnsafeObjectsException.class)
          .hasMessageContaining("s3:bucket/p");
    }
  }

  @Test
  void givesUpWhenTimeIsUp() throws IOException {
    S3Server away = S3Server.at(server.getAddress().getPort());
    server.stop(0);
    try (ObjectSpace objects =
        S3Objects.open(
            new ObjectPlace("s3", "bucket", "p"),
            away.options().with(S3Options.RETRY, Duration.ofMillis(100)))) {
      assertThatThrownBy(() -> objects.createOnce("slot", bytes("mine")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("could not create slot");
    }
  }
}
