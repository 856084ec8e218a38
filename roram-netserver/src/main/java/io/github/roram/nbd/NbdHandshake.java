package io.github.roram.nbd;

import io.github.roram.intake.ClientConnection;
import io.github.roram.intake.ClientConnection.Phase;
import io.github.roram.intake.Input;
import io.github.roram.nbd.NbdServer.NbdState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The handshake: what a client may ask before it chooses an export. A server with TLS tells nothing
 * before TLS has begun. Metadata contexts are not offered: a client that knew which blocks are
 * trimmed would skip them, so that the number of accesses would depend on the data.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel ends it
final class NbdHandshake implements Phase {

  private static final int MAX_OPTION_BYTES = 16 << 10;
  private static final int MAX_OPTIONS = 256;
  private static final String NO_PLACE = "there are as many connections as may be";

  private final NbdState server;
  private final NbdConfig config;
  private final @Nullable SslContext sslContext;
  private final ClientConnection connection;
  private final Input.Piece clientFlags = new Input.Piece(HandshakeDescriptor.FLAGS_BYTES);
  private final Input.Piece header = new Input.Piece(HandshakeDescriptor.OPTION_BYTES);
  private Input.@Nullable Piece data;
  private int option;
  private int options;
  private boolean flagsKnown;
  private boolean zeroes;
  private boolean structured;
  private boolean tls;

  /** Bytes that arrive behind a request to start TLS are not authenticated. */
  private boolean tlsBegins;

  NbdHandshake(NbdState server, ClientConnection connection) {
    this.server = server;
    config = server.config();
    sslContext = server.sslContext();
    this.connection = connection;
  }

  @Override
  public void connected() {
    connection.send(Unpooled.wrappedBuffer(HandshakeDescriptor.greeting()));
  }

  @Override
  public boolean step(Input in) throws ProtocolException {
    if (!flagsKnown) {
      flagsKnown = clientFlags.fill(in);
      if (flagsKnown) {
        readFlags(ByteBuffer.wrap(clientFlags.bytes()).getInt());
      }
      return flagsKnown;
    }
    if (data == null) {
      if (!header.fill(in)) {
        return false;
      }
      data = beginOption(ByteBuffer.wrap(header.bytes()));
    }
    if (!data.fill(in)) {
      return false;
    }
    byte[] bytes = data.bytes();
    data = null;
    header.clear();
    handle(bytes);
    if (tlsBegins && !in.isEmpty()) {
      throw new ProtocolException("bytes came in the clear after the request for TLS");
    }
    tlsBegins = false;
    return true;
  }

  private void readFlags(int flags) throws ProtocolException {
    int known = HandshakeDescriptor.FIXED_NEWSTYLE | HandshakeDescriptor.NO_ZEROES;
    if ((flags & ~known) != 0) {
      throw new ProtocolException("client flags are " + Integer.toHexString(flags));
    }
    zeroes = (flags & HandshakeDescriptor.NO_ZEROES) == 0;
  }

  private Input.Piece beginOption(ByteBuffer in) throws ProtocolException {
    if (in.getLong() != HandshakeDescriptor.OPTION_MAGIC) {
      throw new ProtocolException("an option does not begin with its magic");
    }
    option = in.getInt();
    long length = Integer.toUnsignedLong(in.getInt());
    if (length > MAX_OPTION_BYTES) {
      throw new ProtocolException("an option has " + length + " bytes");
    }
    if (++options > MAX_OPTIONS) {
      throw new ProtocolException("a handshake has more than " + MAX_OPTIONS + " options");
    }
    return new Input.Piece((int) length);
  }

  private void handle(byte[] bytes) throws ProtocolException {
    boolean mustBeginTls =
        sslContext != null
            && !tls
            && option != HandshakeDescriptor.OPT_STARTTLS
            && option != HandshakeDescriptor.OPT_ABORT;
    if (mustBeginTls) {
      if (option == HandshakeDescriptor.OPT_EXPORT_NAME) {
        throw new ProtocolException("a client chose an export without TLS");
      }
      reply(HandshakeDescriptor.REP_ERR_TLS_REQD);
      return;
    }
    switch (option) {
      case HandshakeDescriptor.OPT_EXPORT_NAME -> exportName(bytes);
      case HandshakeDescriptor.OPT_ABORT -> {
        reply(HandshakeDescriptor.REP_ACK);
        connection.end();
      }
      case HandshakeDescriptor.OPT_LIST -> list(bytes);
      case HandshakeDescriptor.OPT_STARTTLS -> startTls(bytes);
      case HandshakeDescriptor.OPT_INFO, HandshakeDescriptor.OPT_GO -> info(bytes);
      case HandshakeDescriptor.OPT_STRUCTURED_REPLY -> {
        structured |= bytes.length == 0;
        reply(
            bytes.length == 0 ? HandshakeDescriptor.REP_ACK : HandshakeDescriptor.REP_ERR_INVALID);
      }
      default -> reply(HandshakeDescriptor.REP_ERR_UNSUP);
    }
  }

  private void reply(int kind, byte... bytes) {
    connection.send(Unpooled.wrappedBuffer(HandshakeDescriptor.reply(option, kind, bytes)));
  }

  private @Nullable Export find(String name) {
    if (name.isEmpty()) {
      return config.exports().get(0);
    }
    for (Export export : config.exports()) {
      if (export.name().equals(name)) {
        return export;
      }
    }
    return null;
  }

  private void exportName(byte[] bytes) throws ProtocolException {
    Export export = find(new String(bytes, StandardCharsets.UTF_8));
    if (export == null) {
      throw new ProtocolException("a client chose an export that does not exist");
    }
    if (!connection.admit()) {
      throw new ProtocolException(NO_PLACE);
    }
    int flags = flags(export);
    ByteBuffer end = HandshakeDescriptor.exportNameEnd(export.device().bytes(), flags, zeroes);
    connection.send(Unpooled.wrappedBuffer(end));
    transmit(export);
  }

  private void transmit(Export export) {
    connection.become(new Transmission(server, connection, export, structured));
  }

  private void list(byte[] bytes) {
    if (bytes.length > 0) {
      reply(HandshakeDescriptor.REP_ERR_INVALID);
      return;
    }
    for (Export export : config.exports()) {
      reply(HandshakeDescriptor.REP_SERVER, HandshakeDescriptor.server(export.name()));
    }
    reply(HandshakeDescriptor.REP_ACK);
  }

  private void startTls(byte[] bytes) {
    if (sslContext == null) {
      reply(HandshakeDescriptor.REP_ERR_UNSUP);
    } else if (tls || bytes.length > 0) {
      reply(HandshakeDescriptor.REP_ERR_INVALID);
    } else {
      ByteBuf ack =
          Unpooled.wrappedBuffer(
              HandshakeDescriptor.reply(option, HandshakeDescriptor.REP_ACK, new byte[0]));
      tls = true;
      tlsBegins = true;
      // Nothing that was negotiated in the clear counts.
      structured = false;
      Channel channel = connection.channel();
      channel.pipeline().addFirst(new SslHandler(sslContext.newEngine(channel.alloc()), true));
      // The handler sends its first write in the clear.
      connection.send(ack);
    }
  }

  private void info(byte[] bytes) throws ProtocolException {
    List<Integer> wanted = new ArrayList<>();
    String name = parseInfo(ByteBuffer.wrap(bytes), wanted);
    if (name == null) {
      reply(HandshakeDescriptor.REP_ERR_INVALID);
      return;
    }
    Export export = find(name);
    if (export == null) {
      reply(HandshakeDescriptor.REP_ERR_UNKNOWN);
      return;
    }
    if (option == HandshakeDescriptor.OPT_GO && !connection.admit()) {
      reply(HandshakeDescriptor.REP_ERR_POLICY);
      throw new ProtocolException(NO_PLACE);
    }
    int flags = flags(export);
    BlockDevice device = export.device();
    int most = device.longestBytes();
    int preferred = Math.min(most, Integer.lowestOneBit(device.blockBytes()));
    replyInfo(HandshakeDescriptor.infoExport(device.bytes(), flags));
    replyInfo(HandshakeDescriptor.infoBlockSize(1, preferred, most));
    if (wanted.contains(HandshakeDescriptor.INFO_NAME)) {
      replyInfo(HandshakeDescriptor.infoText(HandshakeDescriptor.INFO_NAME, export.name()));
    }
    if (wanted.contains(HandshakeDescriptor.INFO_DESCRIPTION)) {
      replyInfo(
          HandshakeDescriptor.infoText(HandshakeDescriptor.INFO_DESCRIPTION, export.description()));
    }
    reply(HandshakeDescriptor.REP_ACK);
    if (option == HandshakeDescriptor.OPT_GO) {
      transmit(export);
    }
  }

  private void replyInfo(byte[] bytes) {
    reply(HandshakeDescriptor.REP_INFO, bytes);
  }

  /**
   * Returns the name of the export and adds the kinds of information wanted; null if the option is
   * malformed.
   */
  private static @Nullable String parseInfo(ByteBuffer in, List<Integer> wanted) {
    if (in.remaining() < 6) {
      return null;
    }
    int nameBytes = in.getInt();
    if (nameBytes < 0 || nameBytes > in.remaining() - 2) {
      return null;
    }
    byte[] name = new byte[nameBytes];
    in.get(name);
    int count = Short.toUnsignedInt(in.getShort());
    if (in.remaining() != 2 * count) {
      return null;
    }
    for (int i = 0; i < count; i++) {
      wanted.add(Short.toUnsignedInt(in.getShort()));
    }
    return new String(name, StandardCharsets.UTF_8);
  }

  @Override
  public boolean waits() {
    return false;
  }

  @Override
  public boolean handshakes() {
    return true;
  }

  /** The handshake as a whole has its own time limit. */
  @Override
  public long unfinished() {
    return -1;
  }

  @Override
  public long whole() {
    return 0;
  }

  private int flags(Export export) {
    return TransmissionDescriptor.flags(export.readOnly(), export.device().trims(), structured);
  }
}
