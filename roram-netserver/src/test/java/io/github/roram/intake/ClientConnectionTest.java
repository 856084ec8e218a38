package io.github.roram.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.intake.ClientConnection.Phase;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How long a client may take over an answer, by a clock that the test sets. */
final class ClientConnectionTest {

  private static final int ANSWER_BYTES = 1 << 20;
  private static final Duration ANY = Duration.ofMinutes(1);
  private static final long READER_MILLIS = 20_000;

  private static final IntakeLimits LIMITS =
      new IntakeLimits(
          8,
          8,
          ANSWER_BYTES,
          ANSWER_BYTES,
          HandshakeLimits.defaults(),
          ANY,
          ANY,
          Duration.ofMillis(READER_MILLIS),
          ANY);

  private final SharedIntake intake = new SharedIntake(LIMITS);
  private final SlowLine line = new SlowLine();
  private final ClientConnection connection =
      new ClientConnection(
          intake,
          line,
          new Admission(8, HandshakeLimits.defaults()).arrive(null, () -> {}),
          any -> new Silence());

  /** A client that takes bytes when the test says. */
  private static final class SlowLine extends EmbeddedChannel {
    private long room;

    @Override
    protected void doWrite(ChannelOutboundBuffer answers) {
      while (room > 0 && answers.current() != null) {
        long taken = Math.min(room, ((ByteBuf) answers.current()).readableBytes());
        room -= taken;
        answers.removeBytes(taken);
      }
    }

    void take(long bytes) {
      room = bytes;
      flush();
    }
  }

  /** Asks for nothing. */
  private static final class Silence implements Phase {
    @Override
    public boolean step(Input in) {
      return false;
    }

    @Override
    public boolean waits() {
      return false;
    }

    @Override
    public boolean handshakes() {
      return false;
    }

    @Override
    public long unfinished() {
      return -1;
    }

    @Override
    public long whole() {
      return 0;
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // nobody takes it before the test says
  private void answer() {
    line.freezeTime();
    line.pipeline().addLast(connection);
    line.pipeline().fireChannelActive();
    connection.send(Unpooled.wrappedBuffer(new byte[ANSWER_BYTES]));
  }

  private void pass(long millis) {
    for (long passed = 0; passed < millis; passed += 250) {
      line.advanceTimeBy(250, TimeUnit.MILLISECONDS);
      line.runPendingTasks();
    }
  }

  /** Also while others wait for the memory that its answer has. */
  @Test
  void whoTakesALongAnswerSteadilyIsNotDeaf() {
    assertThat(intake.budget().take(ANSWER_BYTES, () -> {})).isTrue();
    assertThat(intake.budget().take(1, () -> {})).isFalse();
    answer();
    for (int part = 0; part < 8; part++) {
      pass(2000);
      assertThat(line.isOpen()).isTrue();
      line.take(ANSWER_BYTES / 8);
    }
    pass(2 * READER_MILLIS);
    assertThat(line.isOpen()).isTrue();
  }

  /** Else it would have the memory of its answer for as long as it likes. */
  @Test
  void whoTakesALongAnswerTooSlowlyIsClosedOnceOthersWait() {
    answer();
    for (int part = 0; part < 12; part++) {
      pass(2000);
      line.take(ANSWER_BYTES / 16); // what is sent at a time
    }
    assertThat(line.isOpen()).isTrue();
    assertThat(intake.budget().take(ANSWER_BYTES, () -> {})).isTrue();
    assertThat(intake.budget().take(1, () -> {})).isFalse();
    pass(500);
    assertThat(line.isOpen()).isFalse();
  }

  /** The bytes of all of the answer are held until all of it is sent. */
  @Test
  void whoStopsBeforeTheEndOfAnAnswerIsClosed() {
    // As it is with TLS near the end of an answer.
    line.config().setWriteBufferWaterMark(new WriteBufferWaterMark(ANSWER_BYTES, 2 * ANSWER_BYTES));
    answer();
    line.take(ANSWER_BYTES - 1000);
    assertThat(line.isWritable()).isTrue();
    pass(READER_MILLIS - 1000);
    assertThat(line.isOpen()).isTrue();
    pass(2000);
    assertThat(line.isOpen()).isFalse();
  }
}
