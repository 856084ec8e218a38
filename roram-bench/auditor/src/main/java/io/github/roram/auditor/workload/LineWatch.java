package io.github.roram.auditor.workload;

import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.ViewRecorder;
import io.github.roram.threads.DaemonThreads;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * A relay on the line to a block server that records what an observer of the line sees. A client
 * connects to it instead of the server, and everything is passed on unchanged. With TLS it records
 * the length of each record, from its header of 5 bytes, which is in the clear; no key is needed.
 * Without TLS it records the length of each frame of the block protocol.
 *
 * <p>Bytes are recorded before they are passed on. So the data of an access has the access's
 * number, provided that the client waits for all answers of an access before it begins the next
 * one. How much the two sides put into one record of TLS depends on their timing; the sum over an
 * access, less 22 bytes for each record (header, type, tag), does not.
 *
 * <p>It listens only on loopback, and serves every user of this machine. A client checks the
 * certificate against the name that it connects to, so the server's must name this machine, as
 * those of {@code roram server init-certs} do. Thread safety: safe.
 */
public final class LineWatch implements Closeable {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final long TIMEOUT_MILLIS = 30_000;
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

  /** Returns where clients connect to instead of the server: an address of loopback. */
  public InetSocketAddress address() {
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  private void startThread(String name, Runnable task) {
    Thread thread = DaemonThreads.of(name, task);
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

  /**
   * Connects to the server. To the client, an unreachable server looks like one that closes the
   * connection.
   */
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

  /** Passes bytes on until the sender closes; the other direction may continue. */
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
      // The socket is no longer needed.
    }
  }

  /**
   * Ends all connections, once both sides have hung up or {@value #TIMEOUT_MILLIS} ms have passed;
   * nothing is recorded after it.
   */
  @Override
  public void close() throws IOException {
    listener.close();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
    boolean interrupted = false;
    for (Thread thread : threads) {
      interrupted |= !ended(thread, Math.max(1, (end - System.nanoTime()) / NANOS_PER_MILLI));
    }
    sockets.forEach(LineWatch::closeQuietly);
    for (Thread thread : threads) {
      interrupted |= !ended(thread, TIMEOUT_MILLIS);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for a thread; returns false if this thread was interrupted. */
  private static boolean ended(Thread thread, long millis) {
    try {
      thread.join(millis);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  /**
   * Finds where the units of one direction of a line end: TLS records, whose head is type u8,
   * version u16, length u16; or frames of the block protocol, see {@link FrameDescriptor}. Not
   * thread safe.
   */
  static final class LineUnits {

    private static final int TLS_HEAD_BYTES = 5;
    private static final int TLS_LENGTH_OFFSET = 3;
    private static final int FRAME_LENGTH_OFFSET = 16;

    private final boolean tls;
    private final LongConsumer ended;
    private final ByteBuffer head;
    private long unitBytes;
    private long left;

    /**
     * Creates a counter of units before the first byte.
     *
     * @param ended receives the length of each complete unit, including the header
     */
    LineUnits(boolean tls, LongConsumer ended) {
      this.tls = tls;
      this.ended = ended;
      head = ByteBuffer.allocate(tls ? TLS_HEAD_BYTES : FrameDescriptor.BYTES);
    }

    /** Adds bytes. */
    void add(byte[] bytes, int count) {
      int at = 0;
      while (at < count) {
        if (left == 0) {
          int taken = Math.min(head.remaining(), count - at);
          head.put(bytes, at, taken);
          at += taken;
          if (head.hasRemaining()) {
            return;
          }
          begin();
        }
        long taken = Math.min(left, count - at);
        at += (int) taken;
        left -= taken;
        if (left == 0) {
          ended.accept(unitBytes);
        }
      }
    }

    private void begin() {
      left =
          tls
              ? Short.toUnsignedLong(head.getShort(TLS_LENGTH_OFFSET))
              : Integer.toUnsignedLong(head.getInt(FRAME_LENGTH_OFFSET));
      unitBytes = head.capacity() + left;
      head.clear();
    }

    /** Ends the stream: an incomplete unit counts as one. */
    void end() {
      long some = left > 0 ? unitBytes - left : head.position();
      if (some > 0) {
        ended.accept(some);
      }
      left = 0;
      head.clear();
    }
  }
}
