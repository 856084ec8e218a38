package io.github.roram.auditor.line;

import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.ViewRecorder;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Stands on the line to a block server: a client connects here instead, everything is passed on
 * unchanged, and what a watcher of the line sees is recorded. Of TLS that is the length of each
 * record, from its head of 5 bytes, which is in the clear; no key is needed. Of an unencrypted line
 * it is the length of each frame of the block protocol.
 *
 * <p>Bytes are recorded before they are passed on. So what belongs to an access has its number, as
 * long as the client waits for the answers of an access before it begins the next one. How much the
 * two sides put into one record of TLS depends on their timing; the sum over an access less 22
 * bytes a record (head, type, tag) does not.
 *
 * <p>Listens on loopback alone; whoever on this machine connects is passed on. A certificate is
 * checked against the name that the client connects to, so the server's must name this machine,
 * too, as those of {@code roram server init-certs} do. Thread safety: safe.
 */
public final class LineWatch implements Closeable {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final long PATIENCE_MILLIS = 2000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final ViewRecorder recorder;
  private final InetSocketAddress server;
  private final boolean tls;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  private LineWatch(ViewRecorder recorder, InetSocketAddress server, boolean tls)
      throws IOException {
    this.recorder = recorder;
    this.server = server;
    this.tls = tls;
    listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
  }

  /**
   * Passes connections on from now on.
   *
   * @param server where to
   * @param tls whether the line is encrypted
   */
  public static LineWatch start(ViewRecorder recorder, InetSocketAddress server, boolean tls)
      throws IOException {
    LineWatch watch = new LineWatch(recorder, server, tls);
    watch.startThread("roram-line-watch", watch::accept);
    return watch;
  }

  /** Where clients connect to instead of the server: an address of loopback. */
  public InetSocketAddress address() {
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  private void startThread(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        connect(listener.accept());
      }
    } catch (IOException e) {
      // Closed, or out of sockets: whoever connects from now on is refused.
      closeQuietly(listener);
    }
  }

  /** A server that cannot be reached looks like one that hangs up. */
  private void connect(Socket client) {
    Socket onward = new Socket();
    sockets.add(client);
    sockets.add(onward);
    int connection = recorder.newConnection();
    recorder.line(Action.OPEN, connection, 0);
    try {
      onward.connect(server);
      client.setTcpNoDelay(true);
      onward.setTcpNoDelay(true);
    } catch (IOException e) {
      closeQuietly(client);
      closeQuietly(onward);
      return;
    }
    startThread("roram-line-out", () -> pass(client, onward, Action.SEND, connection));
    startThread("roram-line-in", () -> pass(onward, client, Action.RECEIVE, connection));
  }

  /** Until the sender hangs up; what goes the other way may go on. */
  private void pass(Socket from, Socket to, Action action, int connection) {
    LineUnits units = new LineUnits(tls, bytes -> recorder.line(action, connection, bytes));
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      for (int count = from.getInputStream().read(buffer);
          count >= 0;
          count = from.getInputStream().read(buffer)) {
        units.add(buffer, count);
        to.getOutputStream().write(buffer, 0, count);
      }
      to.shutdownOutput();
    } catch (IOException e) {
      closeQuietly(from);
      closeQuietly(to);
    }
    units.end();
    if (action == Action.SEND) {
      recorder.line(Action.CLOSE, connection, 0);
    }
  }

  private static void closeQuietly(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more.
    }
  }

  /**
   * Ends all connections, once both sides have hung up or {@value #PATIENCE_MILLIS} ms have passed;
   * nothing is recorded after it.
   */
  @Override
  public void close() throws IOException {
    listener.close();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    boolean interrupted = false;
    for (Thread thread : threads) {
      interrupted |= !ended(thread, Math.max(1, (end - System.nanoTime()) / NANOS_PER_MILLI));
    }
    sockets.forEach(LineWatch::closeQuietly);
    for (Thread thread : threads) {
      interrupted |= !ended(thread, PATIENCE_MILLIS);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** False if this thread was interrupted while it waited. */
  private static boolean ended(Thread thread, long millis) {
    try {
      thread.join(millis);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }
}
