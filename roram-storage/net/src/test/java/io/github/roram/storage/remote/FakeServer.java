package io.github.roram.storage.remote;

import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;

/** Takes one connection, keeps what it sends, and answers its hello, with an error for one. */
final class FakeServer implements Closeable {

  private static final int IO_ERROR = 1;

  private final ServerSocket listener;
  private final ByteBuf answer;
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private final Thread thread = new Thread(this::serve, "fake-server");

  /** Listens at an address of this machine; {@code text} goes into the error as it is. */
  FakeServer(InetAddress at, byte[] text) throws IOException {
    this(
        at,
        FrameType.ERROR,
        Unpooled.buffer().writeShort(IO_ERROR).writeShort(text.length).writeBytes(text));
  }

  /** Listens at an address of this machine, and answers with a frame. */
  FakeServer(InetAddress at, FrameType type, ByteBuf payload) throws IOException {
    listener = new ServerSocket(0, 5, at);
    answer = FrameDescriptor.frame(UnpooledByteBufAllocator.DEFAULT, type, 0, 1, payload);
    thread.start();
  }

  /** A client's that waits long: a second connection, after a while, is one that nobody takes. */
  static RemoteOptions patient() {
    Duration minute = Duration.ofMinutes(1);
    return RemoteOptions.defaults().withTimeouts(minute, minute, minute, minute);
  }

  int port() {
    return listener.getLocalPort();
  }

  private void serve() {
    try (Socket socket = listener.accept()) {
      InputStream in = socket.getInputStream();
      received.write(in.readNBytes(FrameDescriptor.BYTES)); // fewer, if the client hangs up
      socket.getOutputStream().write(ByteBufUtil.getBytes(answer));
      received.write(in.readAllBytes());
    } catch (IOException e) {
      // the test has closed this server, or the client its connection
    }
  }

  /** All that the client has sent, once it has hung up. */
  byte[] received() {
    try {
      thread.join();
      return received.toByteArray();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
