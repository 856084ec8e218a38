package io.github.roram.nbd;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** A client that sends what it is told, right or wrong, and reads what comes. */
final class RawClient implements Closeable {

  private final SocketChannel channel;

  RawClient(SocketAddress address) throws IOException {
    channel =
        address instanceof UnixDomainSocketAddress
            ? SocketChannel.open(StandardProtocolFamily.UNIX)
            : SocketChannel.open();
    channel.connect(address);
  }

  void send(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  ByteBuffer receive(int bytes) throws IOException {
    ByteBuffer in = ByteBuffer.allocate(bytes);
    while (in.hasRemaining()) {
      if (channel.read(in) < 0) {
        throw new EOFException("after " + in.position() + " of " + bytes + " bytes");
      }
    }
    return in.flip();
  }

  /** Whether the server closed the connection; waits for a byte. */
  boolean isClosed() throws IOException {
    try {
      return channel.read(ByteBuffer.allocate(1)) < 0;
    } catch (IOException e) {
      return true;
    }
  }

  /** Reads the greeting and answers it. */
  RawClient greet(int flags) throws IOException {
    receive(18);
    send(ByteBuffer.allocate(4).putInt(flags).flip());
    return this;
  }

  void option(int option, byte... data) throws IOException {
    send(
        ByteBuffer.allocate(16 + data.length)
            .putLong(HandshakeDescriptor.OPTION_MAGIC)
            .putInt(option)
            .putInt(data.length)
            .put(data)
            .flip());
  }

  /** A reply to an option. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Reply(int option, int kind, byte[] data) {}

  Reply reply() throws IOException {
    ByteBuffer head = receive(20);
    return new Reply(head.getInt(8), head.getInt(12), receive(head.getInt(16)).array());
  }

  static byte[] info(String name, int... kinds) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(6 + bytes.length + 2 * kinds.length);
    out.putInt(bytes.length).put(bytes).putShort((short) kinds.length);
    for (int kind : kinds) {
      out.putShort((short) kind);
    }
    return out.array();
  }

  /** Up to the first request. */
  RawClient go(String name, boolean structured) throws IOException {
    greet(3);
    if (structured) {
      option(HandshakeDescriptor.OPT_STRUCTURED_REPLY);
      reply();
    }
    option(HandshakeDescriptor.OPT_GO, info(name));
    Reply reply = reply();
    while (reply.kind() == HandshakeDescriptor.REP_INFO) {
      reply = reply();
    }
    if (reply.kind() != HandshakeDescriptor.REP_ACK) {
      throw new IOException("refused: " + Integer.toHexString(reply.kind()));
    }
    return this;
  }

  static ByteBuffer request(int flags, int command, long cookie, long offset, long length) {
    return ByteBuffer.allocate(28)
        .putInt(TransmissionDescriptor.REQUEST_MAGIC)
        .putShort((short) flags)
        .putShort((short) command)
        .putLong(cookie)
        .putLong(offset)
        .putInt((int) length)
        .flip();
  }

  /** Sends a request and reads the simple reply to it: its error. */
  int call(int flags, int command, long offset, long length, byte... data) throws IOException {
    send(request(flags, command, 77, offset, length));
    send(ByteBuffer.wrap(data));
    return simple(77);
  }

  /** Reads a simple reply: its error. */
  int simple(long cookie) throws IOException {
    ByteBuffer reply = receive(16);
    if (reply.getInt(0) != 0x67446698 || reply.getLong(8) != cookie) {
      throw new IOException("no reply to " + cookie + ": " + reply.getLong(8));
    }
    return reply.getInt(4);
  }

  int write(long offset, byte... data) throws IOException {
    return call(0, TransmissionDescriptor.WRITE, offset, data.length, data);
  }

  byte[] read(long offset, int length) throws IOException {
    int error = call(0, TransmissionDescriptor.READ, offset, length);
    if (error != 0) {
      throw new IOException("error " + error);
    }
    return receive(length).array();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
