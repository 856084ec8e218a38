package io.github.roram.netserver.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.storage.link.Link;
import io.github.roram.testkit.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything arrives, in order, whoever else is on the line. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class LinkRelayTest {

  private static final Link LINK = new Link(1_000_000, 50_000_000, 20_000_000);

  /** Sends back what it gets, on each connection, until its client has ended. */
  private static final class Echo implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());

    Echo() throws IOException {
      start(this::accept);
    }

    private static void start(Runnable task) {
      Thread thread = new Thread(task, "echo");
      thread.setDaemon(true);
      thread.start();
    }

    private void accept() {
      try {
        while (true) {
          Socket socket = listener.accept();
          start(() -> echo(socket));
        }
      } catch (IOException e) {
        // Closed.
      }
    }

    private static void echo(Socket socket) {
      try (socket) {
        socket.getInputStream().transferTo(socket.getOutputStream());
      } catch (IOException e) {
        // The client ended.
      }
    }

    InetSocketAddress address() {
      return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }

  @Test
  void bytesOfManyConnectionsArriveInOrder() throws IOException {
    try (Echo echo = new Echo();
        LinkRelay relay = LinkRelay.start(LINK, echo.address())) {
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        long seed = i;
        clients.add(
            CompletableFuture.runAsync(
                () -> echoes(relay, new Random(seed), 700_000),
                task -> new Thread(task, "client").start()));
      }
      clients.forEach(CompletableFuture::join);
    }
  }

  private static void echoes(LinkRelay relay, Random random, int bytes) {
    byte[] sent = new byte[bytes];
    random.nextBytes(sent);
    try (Socket socket = new Socket()) {
      socket.connect(relay.address());
      Thread sender =
          new Thread(
              () -> {
                try {
                  socket.getOutputStream().write(sent);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      sender.start();
      InputStream in = socket.getInputStream();
      assertThat(in.readNBytes(bytes)).isEqualTo(sent);
      sender.join();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anEndIsPassedOn() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        LinkRelay relay =
            LinkRelay.start(LINK, (InetSocketAddress) server.getLocalSocketAddress());
        Socket client = new Socket()) {
      client.connect(relay.address());
      try (Socket end = server.accept()) {
        end.getOutputStream().write(7);
      }
      assertThat(client.getInputStream().readAllBytes()).containsExactly(7);
    }
    InetSocketAddress nobody =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Ports.free(1));
    try (LinkRelay relay = LinkRelay.start(LINK, nobody);
        Socket client = new Socket()) {
      client.connect(relay.address());
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }
}
