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

/**
 * A client of one export with one request in flight at a time, for tests, audits and simple
 * programs. It does not support TLS and waits for answers without a time limit. Source: the NBD
 * protocol, "Fixed newstyle negotiation" and "Transmission" with simple replies.
 *
 * <p>Thread safety: for one thread.
 */
public final class NbdClient implements Closeable {

  private static final int GREETING_BYTES = 18;
  private static final int EXPORT_BYTES = 10;
  private static final int COOKIE = 7;

  private final SocketChannel channel;
  private final long bytes;

  private NbdClient(SocketChannel channel, long bytes) {
    this.channel = channel;
    this.bytes = bytes;
  }

  /**
   * Connects to a server.
   *
   * @param export name of the export; empty for the server's first
   * @throws IOException if no server listens there, or it has no such export
   */
  public static NbdClient connect(SocketAddress address, String export) throws IOException {
    SocketChannel channel =
        address instanceof UnixDomainSocketAddress
            ? SocketChannel.open(StandardProtocolFamily.UNIX)
            : SocketChannel.open();
    try {
      channel.connect(address);
      receive(channel, GREETING_BYTES);
      byte[] name = export.getBytes(StandardCharsets.UTF_8);
      ByteBuffer chosen =
          ByteBuffer.allocate(
              HandshakeDescriptor.FLAGS_BYTES + HandshakeDescriptor.OPTION_BYTES + name.length);
      chosen
          .putInt(HandshakeDescriptor.FIXED_NEWSTYLE | HandshakeDescriptor.NO_ZEROES)
          .putLong(HandshakeDescriptor.OPTION_MAGIC)
          .putInt(HandshakeDescriptor.OPT_EXPORT_NAME)
          .putInt(name.length)
          .put(name);
      send(channel, chosen.flip());
      return new NbdClient(channel, receive(channel, EXPORT_BYTES).getLong());
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static void send(SocketChannel channel, ByteBuffer out) throws IOException {
    while (out.hasRemaining()) {
      channel.write(out);
    }
  }

  private static ByteBuffer receive(SocketChannel channel, int bytes) throws IOException {
    ByteBuffer in = ByteBuffer.allocate(bytes);
    fill(channel, in);
    return in.flip();
  }

  private static void fill(SocketChannel channel, ByteBuffer in) throws IOException {
    while (in.hasRemaining()) {
      if (channel.read(in) < 0) {
        throw new EOFException("the server closed the connection");
      }
    }
  }

  /** Returns the size of the export in bytes. */
  public long bytes() {
    return bytes;
  }

  /**
   * Reads as many bytes as the buffer has room for, at most 32 MiB.
   *
   * @throws IOException if the server refuses, with its error
   */
  public void read(long offset, ByteBuffer target) throws IOException {
    request(0, TransmissionDescriptor.READ, offset, target.remaining(), ByteBuffer.allocate(0));
    fill(channel, target);
  }

  /**
   * Writes the bytes of a buffer, at most 32 MiB.
   *
   * @param durable whether they are durable on return (FUA)
   * @throws IOException if the server refuses, with its error
   */
  public void write(long offset, ByteBuffer source, boolean durable) throws IOException {
    int flags = durable ? TransmissionDescriptor.FUA : 0;
    request(flags, TransmissionDescriptor.WRITE, offset, source.remaining(), source);
  }

  /** Tells the server that these bytes are no longer needed. */
  public void trim(long offset, long length) throws IOException {
    request(0, TransmissionDescriptor.TRIM, offset, length, ByteBuffer.allocate(0));
  }

  private void request(int flags, int command, long offset, long length, ByteBuffer payload)
      throws IOException {
    send(channel, header(flags, command, offset, length));
    send(channel, payload);
    ByteBuffer reply = receive(channel, TransmissionDescriptor.SIMPLE_BYTES);
    int magic = reply.getInt();
    int error = reply.getInt();
    if (magic != TransmissionDescriptor.SIMPLE_MAGIC || reply.getLong() != COOKIE) {
      throw new IOException("the server answered something else than the request");
    }
    if (error != 0) {
      throw new IOException(
          "the server refused command "
              + command
              + " of "
              + length
              + " bytes at "
              + offset
              + ": error "
              + error);
    }
  }

  private static ByteBuffer header(int flags, int command, long offset, long length) {
    return ByteBuffer.allocate(TransmissionDescriptor.REQUEST_BYTES)
        .putInt(TransmissionDescriptor.REQUEST_MAGIC)
        .putShort((short) flags)
        .putShort((short) command)
        .putLong(COOKIE)
        .putLong(offset)
        .putInt((int) length)
        .flip();
  }

  /** Disconnects; tells the server if it is still there. */
  @Override
  public void close() throws IOException {
    if (!channel.isOpen()) {
      return;
    }
    try (channel) {
      send(channel, header(0, TransmissionDescriptor.DISC, 0, 0));
    } catch (IOException e) {
      // The server has gone; its answers remain valid.
    }
  }
}
