package io.github.roram.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.intake.HandshakeLimits;
import io.github.roram.intake.IntakeLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that are slow, silent, many or wrong: they end, memory is bounded, others are served. */
final class HostileNbdClientTest {

  private static final int MOST = IntakeLimits.MOST_REQUEST_BYTES;

  /** Of the device. */
  private static final int SIZE = 16 << 20;

  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofSeconds(2);

  private @Nullable TestServer started;
  private final List<RawClient> clients = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    for (RawClient client : clients) {
      client.close();
    }
    server().close();
    assertThat(server().server().heldBytes()).isZero();
  }

  private void start(int connections, Duration handshake, Duration sender, Duration reader)
      throws IOException {
    started =
        TestServer.start(
            null,
            false,
            new IntakeLimits(
                connections,
                16,
                MOST,
                2L * MOST,
                new HandshakeLimits(connections, connections),
                handshake,
                sender,
                reader,
                Duration.ofSeconds(5)));
  }

  private TestServer server() {
    return Objects.requireNonNull(started, "a server");
  }

  private RawClient connect() throws IOException {
    RawClient client = server().connect();
    clients.add(client);
    return client;
  }

  private void checkOthersAreServed() throws IOException {
    try (RawClient other = server().connect().go("disk", true)) {
      assertThat(other.write(5, (byte) 6)).isZero();
    }
  }

  @Test
  void whoChoosesNoExportIsClosed() throws IOException {
    start(10, SHORT, LONG, LONG);
    RawClient silent = connect();
    silent.receive(18);
    assertThat(silent.isClosed()).isTrue();
    checkOthersAreServed();
  }

  @Test
  void whoAsksForTooManyOptionsIsClosed() throws IOException {
    start(10, LONG, LONG, LONG);
    RawClient talkative = connect().greet(3);
    for (int i = 0; i < 256; i++) {
      talkative.option(HandshakeDescriptor.OPT_STRUCTURED_REPLY);
      talkative.reply();
    }
    talkative.option(HandshakeDescriptor.OPT_STRUCTURED_REPLY);
    assertThat(talkative.isClosed()).isTrue();
    checkOthersAreServed();
  }

  @Test
  void oversizedOptionsAndWrongMagicEndTheConnection() throws IOException {
    start(10, LONG, LONG, LONG);
    RawClient client = connect().greet(3);
    client.send(
        ByteBuffer.allocate(16)
            .putLong(HandshakeDescriptor.OPTION_MAGIC)
            .putInt(HandshakeDescriptor.OPT_GO)
            .putInt(-1)
            .flip());
    assertThat(client.isClosed()).isTrue();
    client = connect().greet(3);
    client.send(ByteBuffer.allocate(16));
    assertThat(client.isClosed()).isTrue();
    client = connect().greet(0x40);
    assertThat(client.isClosed()).isTrue();
    client = connect().go("disk", false);
    client.send(ByteBuffer.allocate(28));
    assertThat(client.isClosed()).isTrue();
    checkOthersAreServed();
  }

  @Test
  void aRequestThatDoesNotArriveIsGivenUp() throws IOException {
    start(10, LONG, SHORT, LONG);
    RawClient client = connect().go("disk", false);
    client.send(RawClient.request(0, TransmissionDescriptor.WRITE, 1, 0, SIZE));
    client.send(ByteBuffer.allocate(1000));
    RawClient part = connect().go("disk", false);
    part.send(ByteBuffer.allocate(3).putShort((short) 0x2560).flip());
    assertThat(client.isClosed()).isTrue();
    assertThat(part.isClosed()).isTrue();
    checkOthersAreServed();
  }

  /** All memory is taken by requests that stopped arriving: they end when others need it. */
  @Test
  void memoryIsTakenFromThoseWhoDoNotUseIt() throws Exception {
    start(10, LONG, LONG, LONG);
    for (int taken = 0; taken < 2 * MOST; taken += SIZE) {
      RawClient greedy = connect().go("disk", false);
      greedy.send(RawClient.request(0, TransmissionDescriptor.WRITE, 1, 0, SIZE));
      greedy.send(ByteBuffer.allocate(10));
    }
    while (server().server().heldBytes() < 2L * MOST) {
      Thread.sleep(1);
    }
    checkOthersAreServed();
  }

  @Test
  void whoTakesNoAnswersIsClosed() throws Exception {
    start(10, LONG, LONG, SHORT);
    RawClient client = connect().go("disk", false);
    for (int i = 0; i < 16; i++) {
      client.send(RawClient.request(0, TransmissionDescriptor.READ, i, 0, 1 << 20));
    }
    while (server().server().connections() > 0) {
      Thread.sleep(1);
    }
    assertThat(server().server().heldBytes()).isLessThanOrEqualTo(2L * MOST);
    checkOthersAreServed();
  }

  /** Those in their handshake go first; who has an export stays. */
  @Test
  @Tag("gate")
  void thousandsOfIdleConnections() throws IOException {
    start(200, LONG, LONG, LONG);
    RawClient used = connect().go("disk", false);
    for (int i = 0; i < 3000; i++) {
      connect();
    }
    assertThat(used.write(0, (byte) 1)).isZero();
    checkOthersAreServed();
    assertThat(server().server().connections()).isLessThanOrEqualTo(202);
    assertThat(server().server().heldBytes()).as("of what was just answered").isLessThan(2);
  }
}
