package io.github.roram.proxy.client;

import io.github.roram.proxy.protocol.AnswerDescriptor;
import io.github.roram.proxy.protocol.RequestDescriptor.RequestType;
import io.github.roram.proxy.protocol.WelcomeDescriptor;
import io.github.roram.storage.remote.protocol.Message.Hello;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.threads.Futures;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A connection that a proxy has welcomed. */
final class ProxyConnection {

  private static final long HELLO = 0;

  private final OwnedThreads threads;
  private final ProxyLine line;
  private final Listener listener;
  private final WelcomeDescriptor welcome;

  /** Whether the proxy has let this client in. */
  private volatile boolean greeted;

  private volatile boolean ended;

  /** Is told what comes of a connection, on its thread. */
  interface Listener {

    /** Processes an answer; the payload is valid during the call. */
    void answered(ProxyConnection from, AnswerDescriptor head, ByteBuffer payload)
        throws IOException;

    /** Returns whether an answer has been due for as long as a proxy may be silent. */
    boolean isDue();

    /** Learns that nothing more will arrive. */
    void ended(ProxyConnection of, @Nullable Throwable cause);
  }

  /**
   * Connects and waits for the welcome. The proxy sends it once no request of this client's other
   * connections can still be made.
   *
   * @param lines makes the line of this connection
   * @param threads run the wait for the welcome
   * @param failures attempts that failed before
   * @param client a random number that identifies the client
   * @throws ProxyException if there is no proxy, or it does not admit this client
   */
  ProxyConnection(
      ProxyLine.Maker lines,
      OwnedThreads threads,
      ProxyAddress address,
      ProxyOptions options,
      int failures,
      long client,
      Listener listener)
      throws IOException {
    this.threads = threads;
    this.listener = listener;
    byte[] token = Hello.tokenIn(options.tokenFile());
    PendingRequest hello =
        new PendingRequest(
            RequestType.HELLO,
            client,
            0,
            ByteBuffer.wrap(token),
            null,
            PendingRequest.Effect.READS);
    hello.number(HELLO);
    line = lines.connect(address, options, failures, new Answers(hello, address, options));
    try {
      send(hello);
      line.endAfter(options.connect(), () -> greeted);
      threads.await(hello.done());
      byte[] answer = Futures.join(hello.done());
      welcome = WelcomeDescriptor.decode(ByteBuffer.wrap(answer));
    } catch (IOException | RuntimeException | Error e) {
      line.close();
      throw e;
    }
  }

  WelcomeDescriptor welcome() {
    return welcome;
  }

  void send(PendingRequest request) {
    request.sendOn(line, threads.nanoTime());
  }

  /** Returns whether the connection has ended; its listener is told afterwards. */
  boolean hasEnded() {
    return ended;
  }

  void close() {
    line.close();
  }

  private final class Answers implements ProxyLine.Listener {
    private final PendingRequest hello;
    private final ProxyAddress address;
    private final long silenceNanos;

    Answers(PendingRequest hello, ProxyAddress address, ProxyOptions options) {
      this.hello = hello;
      this.address = address;
      silenceNanos = options.silence().toNanos();
    }

    @Override
    public void answered(AnswerDescriptor head, ByteBuffer payload) throws IOException {
      if (greeted) {
        listener.answered(ProxyConnection.this, head, payload);
      } else if (head.id() == HELLO) {
        hello.answer(head, payload, false);
        greeted = hello.isMade();
        hello.complete();
      } else {
        throw new ProtocolException("an answer to request " + head.id() + " before the welcome");
      }
    }

    @Override
    public boolean isSilent() {
      return greeted ? listener.isDue() : threads.nanoTime() - hello.sentNanos() >= silenceNanos;
    }

    @Override
    public void ended(@Nullable Throwable cause) {
      ended = true;
      if (greeted) {
        listener.ended(ProxyConnection.this, cause);
      } else {
        hello.fail(
            new ProxyException(
                ProxyClient.lostTo(address, cause)
                    + "; is a proxy there, and does it want TLS, a certificate or a token?",
                cause));
        hello.complete();
      }
    }
  }
}
