package io.github.roram.proxy;

import io.github.roram.proxy.client.ProxyAddress;
import io.github.roram.testkit.Ports;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An address that leads to a proxy, now to this one, now to that; its connections can be cut. */
final class CutLine implements Closeable {

  private final ServerSocket listener =
      new ServerSocket(Ports.free(1), 0, InetAddress.getLoopbackAddress());
  private final List<Socket> sockets = new ArrayList<>();
  private @Nullable ProxyAddress target;
  private int connections;

  CutLine() throws IOException {
    start(this::accept);
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "cut-line");
    thread.setDaemon(true);
    thread.start();
  }

  ProxyAddress address() {
    return new ProxyAddress("127.0.0.1", listener.getLocalPort());
  }

  /** Where connections lead from now on. */
  synchronized void leadTo(ProxyAddress newTarget) {
    target = newTarget;
  }

  /** How many there were. */
  synchronized int connections() {
    return connections;
  }

  private void accept() {
    try {
      while (true) {
        join(listener.accept());
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private synchronized void join(Socket client) throws IOException {
    ProxyAddress to = target;
    if (to == null) {
      client.close();
      return;
    }
    Socket server = new Socket(to.host(), to.port());
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    sockets.add(client);
    sockets.add(server);
    connections++;
    start(() -> pass(client, server));
    start(() -> pass(server, client));
  }

  private static void pass(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // Cut, or closed by either end.
    }
  }

  /** Ends all connections; what is on them is lost. */
  synchronized void cut() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
