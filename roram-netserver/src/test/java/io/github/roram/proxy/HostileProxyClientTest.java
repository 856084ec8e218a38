package io.github.roram.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.intake.HandshakeLimits;
import io.github.roram.intake.IntakeLimits;
import io.github.roram.proxy.client.ProxyClient;
import io.github.roram.proxy.protocol.AnswerDescriptor;
import io.github.roram.proxy.protocol.AnswerDescriptor.AnswerStatus;
import io.github.roram.proxy.protocol.RequestDescriptor;
import io.github.roram.proxy.protocol.RequestDescriptor.RequestType;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Clients that keep to nothing: they end, others do not notice, and memory stays bounded. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class HostileProxyClientTest {

  private static final long TOTAL_BYTES = 40_000;

  /** Longer than this client waits for an end. */
  private static final Duration PATIENT = Duration.ofMinutes(1);

  private static final Duration IMPATIENT = Duration.ofSeconds(2);

  /** A connection on which anything can be sent. */
  private static final class Raw implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;

    Raw(TestProxy proxy) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), proxy.address().port());
      in = new DataInputStream(socket.getInputStream());
      socket.setSoTimeout(30_000);
    }

    Raw greeted() throws IOException {
      return greeted(0);
    }

    /** Greeted as a client of this number. */
    Raw greeted(long client) throws IOException {
      send(request(RequestType.HELLO, 1, client, 0));
      assertThat(answer().status()).isEqualTo(AnswerStatus.OK);
      return this;
    }

    void send(ByteBuffer... parts) throws IOException {
      for (ByteBuffer part : parts) {
        byte[] bytes = new byte[part.remaining()];
        part.get(bytes);
        socket.getOutputStream().write(bytes);
      }
    }

    AnswerDescriptor answer() throws IOException {
      byte[] head = new byte[AnswerDescriptor.HEAD_BYTES];
      in.readFully(head);
      AnswerDescriptor answer = AnswerDescriptor.decode(ByteBuffer.wrap(head));
      in.readFully(new byte[answer.bytes()]);
      return answer;
    }

    /** Waits until the proxy has hung up. */
    void awaitEnd() {
      try {
        while (in.read() >= 0) {
          // What was sent before the end.
        }
      } catch (SocketTimeoutException e) {
        throw new AssertionError("the proxy did not hang up", e);
      } catch (IOException e) {
        // Reset is an end, too.
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static ByteBuffer request(RequestType type, long id, long offset, int bytes) {
    return new RequestDescriptor(type, id, offset, 1, bytes).encode();
  }

  /** One that waits so long for a hello, for the rest of a request, and for an answer's taker. */
  private static TestProxy proxy(Duration each) throws IOException {
    HandshakeLimits newcomers = new HandshakeLimits(8, 8);
    return TestProxy.of(
        TestProxy.newOram(),
        new IntakeLimits(
            8, 4, 4096, TOTAL_BYTES, newcomers, each, each, each, Duration.ofSeconds(5)));
  }

  private static void works(TestProxy proxy) throws IOException {
    try (ProxyClient client = proxy.connect()) {
      client.updateBytes(3, 1, ByteBuffer.allocate(700)).join();
      client.readBytes(3, 1, ByteBuffer.allocate(700)).join();
    }
  }

  @Test
  void noiseEndsTheConnection() throws IOException {
    Random random = new Random(1);
    try (TestProxy proxy = proxy(PATIENT)) {
      for (int i = 0; i < 30; i++) {
        try (Raw raw = new Raw(proxy)) {
          if (i % 2 == 0) {
            raw.greeted();
          }
          byte[] noise = new byte[40 + random.nextInt(200)];
          random.nextBytes(noise);
          raw.send(ByteBuffer.wrap(noise));
          raw.awaitEnd();
        }
      }
      works(proxy);
    }
  }

  @Test
  void nothingIsDoneBeforeAHello() throws IOException {
    try (TestProxy proxy = proxy(IMPATIENT);
        Raw raw = new Raw(proxy);
        Raw late = new Raw(proxy)) {
      raw.send(request(RequestType.READ, 1, 0, 10));
      raw.awaitEnd();
      late.awaitEnd(); // says nothing
      works(proxy);
    }
  }

  @Test
  void wrongRequestsAreAnsweredAndTheNextIsDone() throws IOException {
    try (TestProxy proxy = proxy(PATIENT);
        Raw raw = new Raw(proxy).greeted()) {
      List<ByteBuffer> wrong =
          List.of(
              request(RequestType.READ, 9, 0, 4097),
              request(RequestType.READ, 9, 0, 0),
              request(RequestType.READ, 9, -1, 1),
              request(RequestType.READ, 9, TestProxy.CONFIG.bytes(), 1),
              request(RequestType.READ, 9, 1, 4096), // lies in nine blocks
              request(RequestType.FLUSH, 9, 0, 5),
              new RequestDescriptor(RequestType.READ, 9, 0, 9, 1).encode(),
              new RequestDescriptor(RequestType.READ, 9, 0, -1, 1).encode());
      for (ByteBuffer each : wrong) {
        raw.send(each);
        AnswerDescriptor answer = raw.answer();
        assertThat(answer.status()).isEqualTo(AnswerStatus.INVALID);
        assertThat(answer.id()).isEqualTo(9);
      }
      raw.send(request(RequestType.WRITE, 10, 0, 5000), ByteBuffer.allocate(5000));
      assertThat(raw.answer().status()).isEqualTo(AnswerStatus.INVALID);
      raw.send(request(RequestType.WRITE, 11, 0, 50), ByteBuffer.allocate(50));
      assertThat(raw.answer()).isEqualTo(new AnswerDescriptor(AnswerStatus.OK, 11, 0));
      assertHoldsNothing(proxy);
    }
  }

  /** A client may see the end before the proxy has cleared up after it. */
  private static void assertHoldsNothing(TestProxy proxy) {
    long start = System.nanoTime();
    while (proxy.server().heldBytes() > 0 && System.nanoTime() - start < 20_000_000_000L) {
      Thread.onSpinWait();
    }
    assertThat(proxy.server().heldBytes()).isZero();
  }

  @Test
  void whoStopsInTheMiddleIsLost() throws IOException {
    try (TestProxy proxy = proxy(IMPATIENT)) {
      List<Raw> halves = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        Raw raw = new Raw(proxy).greeted();
        raw.send(request(RequestType.WRITE, 1, 0, 4096), ByteBuffer.allocate(100));
        halves.add(raw);
      }
      works(proxy);
      for (Raw raw : halves) {
        raw.awaitEnd();
        raw.close();
      }
      assertHoldsNothing(proxy);
    }
  }

  /** Reads that nobody takes the answers of hold no more than there is. */
  @Test
  void whoTakesNoAnswersIsLost() throws Exception {
    try (TestProxy proxy = proxy(IMPATIENT)) {
      List<Raw> deaf = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        Raw raw = new Raw(proxy).greeted();
        deaf.add(raw);
        Thread sender = new Thread(() -> sendReads(raw));
        sender.setDaemon(true);
        sender.start();
      }
      for (int i = 0; i < 20; i++) {
        assertThat(proxy.server().heldBytes()).isBetween(0L, TOTAL_BYTES);
        works(proxy);
      }
      for (Raw raw : deaf) {
        raw.close();
      }
      while (proxy.server().connections() > 0 || proxy.server().requests() > 0) {
        Thread.onSpinWait();
      }
      assertHoldsNothing(proxy);
    }
  }

  /** However long a client may take otherwise: others wait for the memory that it holds. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
  void whoTakesNoAnswersDoesNotHoldUpOthers() throws Exception {
    Duration any = Duration.ofMinutes(10);
    IntakeLimits patient =
        new IntakeLimits(8, 4, 4096, TOTAL_BYTES, HandshakeLimits.defaults(), any, any, any, any);
    try (TestProxy proxy = TestProxy.of(TestProxy.newOram(), patient)) {
      List<Raw> deaf = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        Raw raw = new Raw(proxy).greeted();
        deaf.add(raw);
        Thread sender = new Thread(() -> sendReads(raw));
        sender.setDaemon(true);
        sender.start();
      }
      while (proxy.server().heldBytes() <= TOTAL_BYTES - 4096) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      works(proxy);
      for (Raw raw : deaf) {
        raw.close();
      }
    }
  }

  /** Neither its reads nor its writes: what is made must not tell them apart. */
  @Test
  void whatWaitsOfAClientThatIsGoneIsNotMade() throws Exception {
    HeldOram held = new HeldOram();
    try (TestProxy proxy = TestProxy.of(held, ProxyConfig.defaultLimits());
        ProxyClient other = proxy.connect()) {
      Raw gone = new Raw(proxy).greeted();
      for (int i = 0; i < 20; i++) {
        gone.send(request(RequestType.READ, i, i, 1), request(RequestType.FLUSH, i, 0, 0));
        gone.send(request(RequestType.WRITE, i, i, 1), ByteBuffer.allocate(1));
      }
      held.await(1);
      CompletableFuture<Void> read = other.readBytes(1000, 1, ByteBuffer.allocate(1));
      while (proxy.server().requests() < 61) {
        Thread.onSpinWait();
      }
      gone.close();
      while (proxy.server().connections() > 1) {
        Thread.onSpinWait();
      }
      // At once: who comes and goes while nothing is done would fill the memory.
      while (proxy.server().requests() > 2) {
        Thread.onSpinWait();
      }
      assertThat(proxy.server().waiting()).isEqualTo(1);
      held.open();
      assertThat(held.complete(2)).containsExactly(0L, 1000L);
      read.join();
      while (proxy.server().requests() > 0) {
        Thread.onSpinWait();
      }
      assertHoldsNothing(proxy);
    }
  }

  private static void sendReads(Raw raw) {
    try {
      for (int i = 0; i < 100_000; i++) {
        raw.send(request(RequestType.READ, i, 0, 4096));
      }
    } catch (IOException e) {
      // The proxy had enough.
    }
  }

  @Test
  void whoComesWhenAllPlacesAreTakenIsToldSo() throws IOException {
    try (TestProxy proxy = proxy(PATIENT)) {
      List<Raw> known = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        known.add(new Raw(proxy).greeted());
      }
      Raw ninth = new Raw(proxy);
      ninth.send(request(RequestType.HELLO, 1, 0, 0));
      assertThat(ninth.answer().status()).isEqualTo(AnswerStatus.UNAUTHORISED);
      ninth.awaitEnd();
      known.remove(0).close();
      while (proxy.server().connections() > 7) {
        Thread.onSpinWait();
      }
      works(proxy);
      for (Raw each : known) {
        each.close();
      }
      ninth.close();
    }
  }

  /** It would wait for memory that there is not, and all others behind it. */
  @Test
  void aRequestLongerThanAllMemoryIsRefused() throws Exception {
    IntakeLimits narrow =
        new IntakeLimits(
            8, 4, 4096, 4096, new HandshakeLimits(8, 8), PATIENT, PATIENT, PATIENT, PATIENT);
    try (TestProxy proxy = TestProxy.of(TestProxy.newOram(), narrow);
        ProxyClient client = proxy.connect()) {
      long[] many = LongStream.range(0, 8).toArray();
      assertThat(client.access(many, 1, blocks -> {}))
          .failsWithin(Duration.ofSeconds(20))
          .withThrowableOfType(ExecutionException.class)
          .withMessageContainingAll("request and its answer", "room for 4096 bytes");
      works(proxy);
    }
  }

  /** Whose connection was lost, which the proxy has not noticed. */
  @Test
  void aClientHasThePlaceThatItsConnectionBeforeHad() throws IOException {
    try (TestProxy proxy = proxy(PATIENT)) {
      List<Raw> known = new ArrayList<>();
      for (int number = 1; number <= 8; number++) {
        known.add(new Raw(proxy).greeted(number));
      }
      try (Raw again = new Raw(proxy).greeted(3);
          Raw ninth = new Raw(proxy)) {
        known.get(2).awaitEnd();
        ninth.send(request(RequestType.HELLO, 1, 9, 0));
        assertThat(ninth.answer().status()).isEqualTo(AnswerStatus.UNAUTHORISED);
        again.send(request(RequestType.FLUSH, 2, 0, 0));
        assertThat(again.answer().status()).isEqualTo(AnswerStatus.OK);
      }
      for (Raw each : known) {
        each.close();
      }
    }
  }

  @Test
  void oneNewcomerTooManyTakesThePlaceOfWhoWaitedLongest() throws IOException {
    try (TestProxy proxy = proxy(PATIENT)) {
      List<Raw> silent = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        silent.add(new Raw(proxy));
      }
      silent.get(0).awaitEnd();
      silent.get(8).greeted();
      works(proxy);
      for (Raw each : silent) {
        each.close();
      }
    }
  }
}
